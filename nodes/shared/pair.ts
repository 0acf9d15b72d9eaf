import { company } from './company';

/** The two companies of an operation about a pair. */
export const pair = {
  identifier_a: company('Company A', 'identifierA'),
  identifier_b: company('Company B', 'identifierB'),
};

/** What tells items about pairs apart when nothing is found. */
export function askedPair(values: { identifier_a: string; identifier_b: string }) {
  const { identifier_a, identifier_b } = values;
  return { identifier_a, identifier_b };
}
