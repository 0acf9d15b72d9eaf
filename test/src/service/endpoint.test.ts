import { CreditBudget } from '../../../src/run/run-guards';
import { Run } from '../../../src/run/run';
import { api } from '../../../src/service/endpoints';
import { readEndpointObject } from '../../../src/service/endpoint';
import { serviceWith } from '../client/support/client';
import { json, TestService } from '../client/support/service';

afterAll(TestService.stopAll);

it.each([
  [undefined, 48],
  [undefined, 49],
  [10, 8],
  [10, 9],
])(
  'reserves a credit per node of a graph, of 50 by default: %p with %i',
  async (nodes, credits) => {
    const { service, client } = await serviceWith(json({ nodes: [], edges: [] }));
    const run = new Run(client, undefined, { credits: new CreditBudget(credits) });
    const args = { identifier: 'a.com', depth: undefined, max_nodes: nodes };
    const code = await readEndpointObject(run, api.companyGraph, args).then(
      () => 'read',
      (error: unknown) => (error as { code: string }).code,
    );

    const isCovered = credits >= (nodes ?? 50) - 1;
    expect(code).toBe(isCovered ? 'read' : 'max_credits_reached');
    expect(service.received).toHaveLength(isCovered ? 1 : 0);
  },
);
