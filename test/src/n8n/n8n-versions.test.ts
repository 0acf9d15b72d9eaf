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

/** Returns an execution context with only the given members, as in an older n8n. */
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

  it('are checked like in newer versions, for any address', () => {
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

  it.each(['all', 'none', undefined, 'else'])(
    'do not restrict the address when the mode is %s',
    (mode) => {
      const credential = { allowedHttpRequestDomains: mode, allowedDomains: 'other.com' };
      assertInAllowedDomains(node, credential as never, 'https://api.example.com');
      assertAddressAllowed(node, credential as never, 'https://api.example.com');
    },
  );
});

describe('isTool', () => {
  it.each<[string, object, string, boolean]>([
    ['by an agent, which n8n reports', { isToolExecution: () => true }, node.type, true],
    ['by an agent in the engine', { isToolExecution: () => false }, `${node.type}Tool`, true],
    ['by an agent on an n8n that cannot report it', {}, `${node.type}Tool`, true],
    ['without an agent', { isToolExecution: () => false }, node.type, false],
    ['without an agent on an n8n that cannot report it', {}, node.type, false],
  ])('detects a node that is run %s', (_title, given, type, expected) => {
    expect(isTool(contextOf(given, type))).toBe(expected);
  });
});

it.each<[string, object, object]>([
  [
    'from getWorkflowSettings',
    { getWorkflowSettings: () => ({ executionTimeout: 7 }) },
    { executionTimeout: 7 },
  ],
  ['from the workflow', { workflow: { settings: { timezone: 'UTC' } } }, { timezone: 'UTC' }],
  ['empty when the context has neither', {}, {}],
])('reads the workflow settings: %s', (_title, given, expected) => {
  expect(getWorkflowSettings(contextOf(given))).toEqual(expected);
});

it('finds assertUrlAllowed in the installed n8n-workflow', () => {
  // If this fails, the tests no longer run against the newest n8n.
  expect(typeof n8n.assertUrlAllowed).toBe('function');
});
