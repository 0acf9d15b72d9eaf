import { normalizeDomain } from './domains';

/** Slugs, tech keys and job IDs, so that `Acme, Inc` is not split. */
const KEY = /^(?!and$|or$)[a-z\d]+(?:[-_][a-z\d]+)*$/;

/** Slugs and other keys count only if commas or line breaks separate them. Undefined if there is only one. */
export function findFirstOfSeveral(value: unknown, onlyDomains: boolean) {
  const given = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  const hasKeys = !onlyDomains && /[,;\n[]/.test(given);
  const texts = new Map<string, string>();
  for (const text of given.split(/[\s,;|"'()[\]]+/)) {
    const found = normalizeDomain(text, { subdomains: 'strip', rejectFreeMail: undefined });
    const key = found.valid ? found.domain : text;
    if ((found.valid || (hasKeys && KEY.test(text))) && !texts.has(key)) texts.set(key, text);
  }
  const [first] = texts;
  if (first === undefined || texts.size === 1) return undefined;
  return { key: first[0], text: first[1], others: texts.size - 1 };
}
