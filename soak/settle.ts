import type { RealHost } from '../test/host/harness';

/** Another key of the same organization, which is therefore not charged twice. */
const COLLEAGUE = 'ci_user_colleague';
const BATCH = 100;

/**
 * Requests all companies once more, so that the charges are known exactly. A company that was
 * charged before is free. A company whose request failed before the charge is charged now.
 *
 * @returns domains of the first users of the technologies
 */
export async function settle(
  { sandboxUrl }: RealHost,
  domains: ReadonlySet<string>,
  technologies: ReadonlySet<string>,
  limit: number,
): Promise<string[]> {
  const ask = async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${sandboxUrl}/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-API-Key': COLLEAGUE, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`Settling: ${path} answers ${String(answer.status)}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const all = [...domains];
  for (let from = 0; from < all.length; from += BATCH) {
    await ask('companies', { domains: all.slice(from, from + BATCH), include: [] });
  }
  const listed: string[] = [];
  for (const key of technologies) {
    const { data } = await ask(`technologies/${key}/companies?limit=${String(limit)}`);
    const rows = data as Array<{ readonly primary_domain: string }>;
    listed.push(...rows.map(({ primary_domain: domain }) => domain));
  }
  return listed;
}
