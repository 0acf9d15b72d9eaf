import { setTimeout as sleep } from 'node:timers/promises';
import { parseExecutionData } from './execution-data.mjs';

/**
 * @typedef {{email: string, password: string, firstName: string, lastName: string}} Owner
 * @typedef {{id: string, name: string}} Named
 * @typedef {{name: string, type: string, data: Record<string, unknown>}} Credential
 * @typedef {{name: string, nodes: any[], connections: Record<string, unknown>, settings?: Record<string, unknown>}} Workflow
 * @typedef {{id: string, status: string, data: any}} Execution
 */

/** Maximum time during which n8n can report that its database is not ready. */
const NOT_READY_MS = 300_000;

/** Maximum time for a workflow. */
const LONGEST_RUN_MS = 600_000;

/** The final states of an execution. */
const FINISHED = new Set(['success', 'error', 'crashed', 'canceled']);

/**
 * Client for the part of the editor's REST API that the demo and the tests need, as one signed-in
 * user.
 */
export class N8nRest {
  #cookie = '';
  #url;
  /** n8n 1 runs the workflow in the request. Newer versions run the saved workflow. */
  #wantsWorkflowToRun = false;

  /** @param {string} url n8n's address, without a slash at the end */
  constructor(url) {
    this.#url = url;
  }

  /**
   * Creates the owner's account if n8n has none yet, and signs in.
   *
   * @param {Owner} owner
   */
  async signIn(owner) {
    const settings = await this.request('GET', '/rest/settings');
    if (settings.userManagement.showSetupOnFirstLoad) {
      await this.request('POST', '/rest/owner/setup', owner);
    }
    await this.request('POST', '/rest/login', {
      emailOrLdapLoginId: owner.email,
      password: owner.password,
    });
    // n8n shows the version only to signed-in users.
    const { versionCli } = await this.request('GET', '/rest/settings');
    this.#wantsWorkflowToRun = versionCli.startsWith('1.');
  }

  /**
   * Creates a credential, or updates the existing one with that name and type.
   *
   * @param {Credential} credential
   * @returns {Promise<Named>}
   */
  async saveCredential(credential) {
    /** @type {(Named & {type: string})[]} */
    const all = await this.request('GET', '/rest/credentials');
    const existing = all.find(
      ({ name, type }) => name === credential.name && type === credential.type,
    );
    return existing
      ? await this.request('PATCH', `/rest/credentials/${existing.id}`, credential)
      : await this.request('POST', '/rest/credentials', credential);
  }

  /**
   * Creates a workflow, or replaces the existing one with that name.
   *
   * @param {Workflow} workflow
   * @returns {Promise<Named>}
   */
  async saveWorkflow(workflow) {
    const filter = encodeURIComponent(JSON.stringify({ query: workflow.name }));
    /** @type {Named[]} */
    const found = await this.request('GET', `/rest/workflows?filter=${filter}`);
    const existing = found.find(({ name }) => name === workflow.name);
    return existing
      ? await this.request('PATCH', `/rest/workflows/${existing.id}?forceSave=true`, workflow)
      : // n8n 1 does not assume `active: false` by default.
        await this.request('POST', '/rest/workflows', { active: false, ...workflow });
  }

  /**
   * Runs a workflow from its manual trigger and waits for the end.
   *
   * @param {string} workflowId
   * @param {{triggerName: string}} options
   * @returns {Promise<Execution>}
   */
  async run(workflowId, { triggerName }) {
    const workflow = this.#wantsWorkflowToRun
      ? { workflowData: await this.request('GET', `/rest/workflows/${workflowId}`) }
      : {};
    /** @type {{executionId: string}} */
    const { executionId } = await this.request('POST', `/rest/workflows/${workflowId}/run`, {
      ...workflow,
      triggerToStartFrom: { name: triggerName },
    });
    const deadline = Date.now() + LONGEST_RUN_MS;
    for (;;) {
      const execution = await this.request('GET', `/rest/executions/${executionId}`);
      if (FINISHED.has(execution.status)) {
        return { ...execution, data: parseExecutionData(execution.data) };
      }
      if (Date.now() > deadline) {
        throw new Error(
          `Execution ${executionId} is still ${execution.status} after ${LONGEST_RUN_MS} ms`,
        );
      }
      await sleep(100);
    }
  }

  /**
   * Sends any request to the REST API and returns the content of the response's `data` envelope.
   *
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async request(method, path, body) {
    const deadline = Date.now() + NOT_READY_MS;
    for (;;) {
      const response = await fetch(this.#url + path, {
        method,
        headers: {
          // n8n closes connections after a few idle seconds, possibly while a request is in flight.
          Connection: 'close',
          Cookie: this.#cookie,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const cookie = response.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
      if (cookie !== undefined) [this.#cookie = ''] = cookie.split(';');
      const text = await response.text();
      if (response.ok) return JSON.parse(text).data;
      // While its database responds too slowly, n8n rejects every request without processing it.
      const notReady = response.status === 503 && text.includes('Database is not ready');
      if (!notReady || Date.now() > deadline) {
        throw new Error(
          `n8n responded to ${method} ${path} with ${response.status}: ${text.slice(0, 500)}`,
        );
      }
      await sleep(500);
    }
  }
}
