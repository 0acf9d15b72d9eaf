import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';
import * as n8n from 'n8n-workflow';
import fc from 'fast-check';

import {
  assertAddressAllowed,
  assertInAllowedDomains,
  isTool,
  getWorkflowSettings,
} from '../../../src/n8n/n8n-versions';

const node: INode = {
  id: '1',
  name: 'Company Lookup',
  type: 'n8n-nodes-company-intelligence.companyLookup',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/** An execution context with nothing else than what is given, as in an older n8n. */
function contextOf(given: object, type = node.type): IExecuteFunctions {
  return { getNode: () => ({ ...node, type }), ...given } as unknown as IExecuteFunctions;
}

const allows = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(NodeOperationError);
    return false;
  }
};

describe('allowed domains of an older n8n', () => {
  const label = fc.constantFrom('a', 'b', 'API', 'example', 'xn--bcher-kva');
  const host = fc
    .array(label, { minLength: 1, maxLength: 4 })
    .map((labels) => `${labels.join('.')}.com`);
  const pattern = fc.oneof(
    host,
    host.map((one) => `*.${one}`),
    host.map((one) => `${one}.`),
    fc.constantFrom('', '*', '*.', 'com'),
  );

  it("are those of n8n's own rule, which newer versions have", () => {
    fc.assert(
      fc.property(host, fc.array(pattern, { maxLength: 4 }), (address, patterns) => {
        const credential = {
          allowedHttpRequestDomains: 'domains',
          allowedDomains: patterns.join(', '),
        };
        const url = `https://${address}:8443/base`;

        expect(
          allows(() => {
            assertInAllowedDomains(node, credential, url);
          }),
        ).toBe(
          allows(() => {
            assertAddressAllowed(node, credential, url);
          }),
        );
      }),
    );
  });

  it.each(['all', 'none', undefined, 'else'])('do not matter when set to %s', (mode) => {
    const credential = { allowedHttpRequestDomains: mode, allowedDomains: 'other.com' };
    assertInAllowedDomains(node, credential as never, 'https://api.example.com');
    assertAddressAllowed(node, credential as never, 'https://api.example.com');
  });
});

describe('an agent', () => {
  it.each<[string, object, string, boolean]>([
    ['runs a tool, and n8n says so', { isToolExecution: () => true }, node.type, true],
    ['runs a tool in the engine', { isToolExecution: () => false }, `${node.type}Tool`, true],
    ['runs a tool on an n8n that cannot say so', {}, `${node.type}Tool`, true],
    ['has no part in it', { isToolExecution: () => false }, node.type, false],
    ['has no part in it, on an n8n that cannot say so', {}, node.type, false],
  ])('%s', (_title, given, type, expected) => {
    expect(isTool(contextOf(given, type))).toBe(expected);
  });
});

it.each<[string, object, object]>([
  ['asked for', { getWorkflowSettings: () => ({ executionTimeout: 7 }) }, { executionTimeout: 7 }],
  ['those of the workflow', { workflow: { settings: { timezone: 'UTC' } } }, { timezone: 'UTC' }],
  ['none, when there is nothing to ask', {}, {}],
])('settings of the workflow: %s', (_title, given, expected) => {
  expect(getWorkflowSettings(contextOf(given))).toEqual(expected);
});

it('n8n-workflow has what only newer versions have', () => {
  // Where this fails, what is tested here is not the newest n8n any more.
  expect(typeof n8n.assertUrlAllowed).toBe('function');
});
