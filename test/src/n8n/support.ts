import type { INode } from 'n8n-workflow';

/** A node as n8n passes it to the code that runs in it. */
export const node: INode = {
  id: '1',
  name: 'Company Lookup',
  type: 'n8n-nodes-company-intelligence.companyLookup',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};
