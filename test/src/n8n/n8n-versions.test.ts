import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import * as n8n from 'n8n-workflow';
import fc from 'fast-check';

import {
  assertAddressAllowed,
  assertInAllowedDomains,
  isTool,
  getExecutionDeadline,
} from '../../../src/n8n/n8n-versions';
import { node } from './support';

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

it('checks Allowed Domains in an older n8n like newer versions do, for any address', () => {
  const label = fc.constantFrom('a', 'b', 'API', 'example', 'xn--bcher-kva');
  const labels = fc.array(label, { minLength: 1, maxLength: 4 });
  const host = labels.map((all) => `${all.join('.')}.com`);
  const pattern = fc.oneof(
    host,
    host.map((one) => `*.${one}`),
    host.map((one) => `${one}.`),
    fc.constantFrom('', '*', '*.', 'com'),
  );
  const patterns = fc.array(pattern, { maxLength: 4 });
  const modes = fc.constantFrom('domains', 'domains', 'domains', 'all', 'none', undefined, 'else');
  fc.assert(
    fc.property(host, patterns, modes, (address, allowed, mode) => {
      const credential = { allowedHttpRequestDomains: mode, allowedDomains: allowed.join(', ') };
      const [older, newer] = [assertInAllowedDomains, assertAddressAllowed].map((check) =>
        allows(() => check(node, credential as never, `https://${address}:8443/base`)),
      );
      expect(older).toBe(newer);
      if (mode !== 'domains') expect(older).toBe(true);
    }),
  );
});

it.each<[string, object, string, boolean]>([
  ['by an agent, which n8n reports', { isToolExecution: () => true }, node.type, true],
  ['by an agent in the engine', { isToolExecution: () => false }, `${node.type}Tool`, true],
  ['by an agent on an n8n that cannot report it', {}, `${node.type}Tool`, true],
  ['without an agent', { isToolExecution: () => false }, node.type, false],
  ['without an agent on an n8n that cannot report it', {}, node.type, false],
])('detects a node that is run %s', (_title, given, type, expected) => {
  expect(isTool(contextOf(given, type))).toBe(expected);
});

it.each([
  ['the deadline of the execution, which includes the default of the instance', 5_000, {}, 5_000],
  ['the deadline of the workflow otherwise', undefined, { executionTimeout: 7 }, 7_000],
  ['no deadline for a workflow without a timeout', undefined, { executionTimeout: -1 }, undefined],
])('returns %s', (_title, left, settings, expected) => {
  const start = 1_000_000;
  jest.useFakeTimers({ now: start });
  const executionTimeoutTimestamp = left && start + left;
  const context = contextOf({
    additionalData: { executionTimeoutTimestamp },
    getWorkflowSettings: () => settings,
  });

  expect(getExecutionDeadline(context)).toBe(expected && start + expected);
  jest.useRealTimers();
});

it('finds assertUrlAllowed in the installed n8n-workflow', () => {
  // If this fails, the tests no longer run against the newest n8n.
  expect(typeof n8n.assertUrlAllowed).toBe('function');
});
