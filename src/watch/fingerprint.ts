import { createHash } from 'node:crypto';

/** Enough to notice a change of a parameter, and too little to find a key by. */
const SHORT = 12;

/** A few characters that stand for a value: equal values have equal ones. */
export function fingerprint(value: unknown, length = SHORT): string {
  return createHash('sha256')
    .update(JSON.stringify([value]))
    .digest('base64url')
    .slice(0, length);
}
