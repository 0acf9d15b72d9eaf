import { domainKey } from '../../input/hosts';
import { isRow, type Row } from '../../run/answers/rows';

/** The answer tells nothing of a domain, or of any: then the status of the answer stands for all. */
const ACCEPTED = 'accepted';

/** Lists of these names hold what was sent, or something else; their names say nothing about it. */
const TELLS_NOTHING = ['domains', 'companies', 'data', 'items', 'members', 'results', 'rows'];

/**
 * Finds out what became of each domain that was added. The answer is not shown by the interface
 * (Lists, rule 6), so that these are understood: lists of domains whose names say it
 * (`{ added: [], not_tracked: [] }`), rows with a `domain`, one such row, and nothing at all.
 *
 * @param domains normalized.
 * @returns one row for each domain that the answer tells something of, its `status` in the service's
 * own word; when it tells of none, `accepted` for all of them.
 */
export function additionsIn(answer: unknown, domains: readonly string[]): Map<string, Row> {
  const sent = new Set(domains);
  const told = new Map<string, Row>();
  for (const { domain, row } of mentionsIn(answer)) {
    const known = told.get(domain);
    if (sent.has(domain) && (known === undefined || known.status === ACCEPTED)) {
      told.set(domain, row);
    }
  }
  if (told.size > 0) return told;
  return new Map(domains.map((domain) => [domain, { status: ACCEPTED }]));
}

interface Mention {
  /** In the form of {@link domainKey}. */
  readonly domain: string;
  readonly row: Row;
}

/** How deep an answer may be. */
const DEEPEST = 3;

function* mentionsIn(value: unknown, name = '', depth = 0): Generator<Mention> {
  if (depth > DEEPEST) return;
  const status = name === '' || TELLS_NOTHING.includes(name) ? ACCEPTED : name;
  if (Array.isArray(value)) {
    for (const entry of value as unknown[]) {
      if (typeof entry === 'string') yield { domain: domainKey(entry), row: { status } };
      else yield* mentionsIn(entry, name, depth + 1);
    }
  } else if (isRow(value)) {
    const { domain = value.primary_domain, ...fields } = value;
    if (typeof domain === 'string') {
      yield { domain: domainKey(domain), row: { status, ...fields } };
      return;
    }
    for (const [key, inner] of Object.entries(value)) yield* mentionsIn(inner, key, depth + 1);
  }
}
