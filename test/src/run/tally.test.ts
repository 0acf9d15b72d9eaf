import { Reads } from '../../../src/client/reads';
import type { BatchReport } from '../../../src/run/batches';
import { CreditGuard } from '../../../src/run/credit-guard';
import { Tally } from '../../../src/run/tally';

const COMPANIES = 200_000;

it('a run may find more companies than a call can have arguments', () => {
  const tally = new Tally(new Reads('secret', 0));
  const domains = Array.from({ length: COMPANIES }, (_unused, index) => `company-${index}.com`);
  const outcomes: BatchReport['outcomes'] = new Map(
    domains.map((domain) => [domain, { kind: 'row', row: { domain } }]),
  );

  tally.answered({ outcomes, answers: 1, oddities: [] }, () => true, Date.now());

  expect(tally.newReads).toHaveLength(COMPANIES);
  expect(tally.figuresWith(new CreditGuard())).toMatchObject({ found: COMPANIES, readBefore: 0 });
});
