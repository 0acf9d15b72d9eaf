/**
 * Features of n8n's engine that the nodes need in addition to their operations, on every engine.
 */
import * as n8n from 'n8n-workflow';
import type { ExecuteWorkflowOptions } from 'n8n-workflow';

import { flag } from '../engine/flag-data/flag-data';
import { listSearch, runWorkflow, source, type CredentialsByType } from '../engine/harness';
import { bulkEnrich, leads } from '../engine/bulk-enrich/bulk-enrich';
import { refreshNode, useFastSandbox, startJob } from '../engine/refresh-and-wait/refresh-and-wait';
import { errorItemOf } from '../engine/shared/error-items';
import { packageNode, sentTo, trackedDomains, userCredential } from '../engine/shared/service';

const sandbox = useFastSandbox();

const BULK = 'Bulk Enrich';
const LOOKUP = 'Company Lookup';
const trace = (name: string) => ({ node: name, expression: "={{ $('Source').item.json.id }}" });

describe('On Error', () => {
  /** Runs three rows. The service rejects their batch, and then the second one alone. */
  async function enrich(onError: 'stopWorkflow' | 'continueRegularOutput') {
    sandbox.addFault({ preset: 'invalidDefinition', when: { from: 1, to: 1 } });
    sandbox.addFault({ preset: 'invalidDefinition', when: { from: 3, to: 3 } });
    return await runWorkflow({
      // A row that itself looks like a failed item is treated like any other row.
      nodes: [
        source(leads(trackedDomains(sandbox, 3)).map((lead) => ({ ...lead, error: 'mine' }))),
        bulkEnrich({}, { onError }),
      ],
      credentials: userCredential(sandbox),
      trace: trace(BULK),
    });
  }

  it('Stop: fails the execution with one error that has a hint', async () => {
    const { error, status } = await enrich('stopWorkflow');

    expect(status).toBe('error');
    expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '422' });
    expect(error?.description).toMatch(/\w/);
  });

  it('Continue: outputs all rows in order on the regular output, with their input IDs', async () => {
    const run = await enrich('continueRegularOutput');
    const rows = run.json(BULK);

    expect(run.traced()).toEqual([0, 1, 2]);
    expect(rows.map(({ id }) => id)).toEqual([0, 1, 2]);
    const failed = rows.filter((row) => row['enriched_status'] === 'error');
    expect(failed).toMatchObject([{ id: 1, error: 'mine', enriched_error: 'invalid_definition' }]);
  });

  it('Continue (using error output): fails every item when the whole run fails', async () => {
    const run = await runWorkflow({
      nodes: [
        source(leads(trackedDomains(sandbox, 2))),
        packageNode('companyLookup', { operation: 'gone' }, { onError: 'continueErrorOutput' }),
      ],
      credentials: userCredential(sandbox),
      trace: trace(LOOKUP),
    });

    expect(run.json(LOOKUP, 0)).toEqual([]);
    const failed = errorItemOf('invalid_input');
    expect(run.json(LOOKUP, 1)).toMatchObject([0, 1].map((id) => ({ id, ...failed })));
    expect(run.traced(1)).toEqual([0, 1]);
  });
});

it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
  'creates no flag twice with Retry On Fail and On Error %s',
  async (onError) => {
    const [refused, ...others] = trackedDomains(sandbox, 3);
    sandbox.addFault({
      preset: 'forbidden',
      match: { path: `/v1/companies/${refused ?? ''}/flags` },
      when: 'every',
    });
    await flag(
      sandbox,
      {},
      [refused, ...others].map((company) => ({ company, text: 'Closed' })),
      { retryOnFail: true, maxTries: 3, waitBetweenTries: 1, onError },
    );

    const flagged = sentTo(sandbox).filter(({ status }) => status === 201);
    expect(new Set(flagged.map(({ path }) => path)).size).toBe(flagged.length);
    // With Stop, the node sends nothing more after the first failure.
    if (onError !== 'stopWorkflow') expect(flagged).toHaveLength(2);
    // n8n ran the node three times.
    expect(sandbox.report().byStatus[403]).toBe(3);
  },
);

it.each([
  ['example.com, 127.0.0.1', false],
  ['example.com', true],
])('obeys Allowed Domains of the credential: %s', async (allowedDomains, blocks) => {
  const fields = { allowedHttpRequestDomains: 'domains', allowedDomains };
  expect(new URL(sandbox.baseUrl).hostname).toBe('127.0.0.1');
  const { error } = await runWorkflow({
    nodes: [
      source([{ company: trackedDomains(sandbox, 1)[0] ?? '' }]),
      packageNode('companyLookup', { identifier: '={{ $json.company }}' }),
    ],
    credentials: userCredential(sandbox, 'user', fields),
  });
  const { requests } = sandbox.report();

  expect({ error: error?.message, requests }).toEqual(
    blocks
      ? { error: expect.stringMatching(/[Dd]omain/), requests: 0 }
      : { error: undefined, requests: 1 },
  );
});

it('loads the options of a dropdown from the service', async () => {
  const credentials: CredentialsByType = userCredential(sandbox);
  const { results } = await listSearch(
    { type: 'n8n-nodes-company-intelligence.listMembers', credentials },
    'searchLists',
  );

  expect(results.length).toBeGreaterThan(0);
});

/**
 * Detects features of n8n's server as the nodes do: from functions that the same n8n versions
 * introduced.
 */
const newer: Partial<typeof n8n> = n8n;
const GIVES_RESULTS = newer.calculateWorkflowChecksum !== undefined;
const GIVES_FAILURES = newer.isNodeClassInstance !== undefined;

it.each([
  ['continueErrorOutput', GIVES_RESULTS],
  ['stopWorkflow', GIVES_RESULTS && GIVES_FAILURES],
] as const)('suspends a wait in production: On Error %s, expected %s', async (onError, parks) => {
  sandbox.setChoices({ jobSeconds: { first: 180, last: 180 } });
  const job = await startJob(sandbox, ['a.com']);
  const parked: Array<{ settings: unknown; options: ExecuteWorkflowOptions }> = [];
  const run = await runWorkflow({
    mode: 'trigger',
    nodes: [source([{ job }]), refreshNode({ operation: 'waitForJob', settings: { onError } })],
    credentials: userCredential(sandbox),
    settings: { executionTimeout: 100, timezone: 'Asia/Tokyo' },
    executeWorkflow: ({ code }, _additionalData, options) => {
      parked.push({ settings: code?.settings, options });
      return Promise.resolve({
        executionId: 'child',
        data: [[{ json: {} }]],
        waitTill: new Date(Date.now() + 66_000),
      });
    },
  });

  expect(run.error).toBeUndefined();
  const once = {
    // The workflow's own time zone, also on engines that have no method to read it, but no timeout.
    settings: { executionTimeout: -1, timezone: 'Asia/Tokyo' },
    options: { parentExecution: { shouldResume: true } },
  };
  expect(parked).toMatchObject(parks ? [once] : []);
  if (parks) return;
  expect(run.json('Refresh and Wait')).toMatchObject([{ job_id: job, finished: true }]);
  expect(run.hints('Refresh and Wait')).toMatchObject([
    { message: expect.stringContaining("couldn't save this wait") },
    { message: expect.stringMatching(/^Result for 1 row: 1 /) },
  ]);
});
