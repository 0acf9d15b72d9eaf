import { getCompany } from '../../src/api/companies';
import { sideBySide } from '../../src/api/side-by-side';
import { perItem } from '../../src/n8n/per-item/per-item';
import { ifNotFound, maxCredits, requestOptions, subdomains } from '../shared/options';
import { askedPair, pair } from '../shared/pair';

const include = 'technologies';

/** `GET /v1/companies/{identifier}`, of two companies. */
export const compare = perItem({
  option: {
    name: 'Compare Companies',
    value: 'compare',
    description:
      'Compare what two companies use: both, or only one. Costs 1 credit per company, once in 30 days.',
    action: 'Compare companies',
  },
  parameters: { ...pair, options: requestOptions({ ifNotFound, maxCredits, subdomains }) },
  asked: askedPair,
  ask: async ({ identifier_a, identifier_b }, { run }) =>
    await run.allOrNone(2, async (both) => {
      // One after the other: where the first is not known, the second costs nothing.
      const a = await getCompany(both, identifier_a, { include });
      return sideBySide(a, await getCompany(both, identifier_b, { include }));
    }),
});
