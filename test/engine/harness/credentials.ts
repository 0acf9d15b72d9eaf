import * as n8n from 'n8n-workflow';
import {
  deepCopy,
  ICredentialsHelper,
  NodeHelpers,
  Workflow,
  type ICredentialDataDecryptedObject,
  type ICredentials,
  type ICredentialType,
  type IHttpRequestHelper,
  type IHttpRequestOptions,
  type INode,
  type INodeCredentialsDetails,
  type INodeParameters,
  type INodeProperties,
  type IRequestOptionsSimplified,
  type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { HarnessNodeTypes } from './node-types';
import { builtInTestNodes } from './test-nodes';

/** Before n8n-workflow 2.22.3 n8n's server added these fields. */
const { injectDomainRestrictionFields: inject }: Partial<typeof n8n> = n8n;
const domainFields = ['allowedHttpRequestDomains', 'allowedDomains'].map(
  (name): INodeProperties => ({ displayName: name, name, type: 'string', default: '' }),
);

/** The credentials a run knows, as n8n's database does. */
export class CredentialStore {
  private readonly saved = new Map<string, ICredentialDataDecryptedObject>();

  /**
   * Saves credential data, and returns what a node refers to it by.
   *
   * @param owner distinguishes two credentials of one type; empty for the run's common one
   */
  add(type: string, data: ICredentialDataDecryptedObject, owner = ''): INodeCredentialsDetails {
    const id = owner === '' ? type : `${type}/${owner}`;
    this.saved.set(id, data);
    return { id, name: id };
  }

  get(details: INodeCredentialsDetails): ICredentialDataDecryptedObject {
    const data = this.saved.get(details.id ?? '');
    if (data === undefined) throw new Error(`No credential is saved as "${details.name}".`);
    return data;
  }

  set(details: INodeCredentialsDetails, data: ICredentialDataDecryptedObject): void {
    this.saved.set(details.id ?? '', data);
  }
}

/**
 * n8n's access to credentials for nodes. It does what n8n's own does apart from the database:
 * defaults of the type filled in, expressions in the data evaluated, pre-authentication run when its
 * expirable property is empty or expired, and `authenticate` applied whether declared or a function.
 */
export class HarnessCredentialsHelper extends ICredentialsHelper {
  constructor(
    private readonly types: ReadonlyMap<string, ICredentialType>,
    private readonly store: CredentialStore,
  ) {
    super();
  }

  private type(name: string): ICredentialType {
    const found = this.types.get(name);
    if (found === undefined) throw new Error(`Unknown credential type "${name}".`);
    return found;
  }

  getParentTypes(name: string): string[] {
    return this.types.get(name)?.extends ?? [];
  }

  isCredentialUsableByNode(credentialType: string, nodeType: string): boolean {
    const type = this.types.get(credentialType);
    return (
      type?.restrictToSupportedNodes !== true || (type.supportedNodes ?? []).includes(nodeType)
    );
  }

  getCredentialsProperties(type: string): INodeProperties[] {
    // As n8n does when it loads a type: its own fields about allowed domains come on top.
    return inject?.(this.type(type)) ?? [...this.type(type).properties, ...domainFields];
  }

  getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    details: INodeCredentialsDetails,
    type: string,
    mode: Parameters<ICredentialsHelper['getDecrypted']>[3],
    _executeData?: unknown,
    raw?: boolean,
  ): Promise<ICredentialDataDecryptedObject> {
    const data = deepCopy(this.store.get(details));
    if (raw === true) return Promise.resolve(data);
    return Promise.resolve(this.withDefaults(type, data, mode));
  }

  /** The data as a node sees them: the type's defaults filled in and expressions evaluated. */
  withDefaults(
    type: string,
    data: ICredentialDataDecryptedObject,
    mode: Parameters<ICredentialsHelper['getDecrypted']>[3] = 'internal',
  ): ICredentialDataDecryptedObject {
    const complete = NodeHelpers.getNodeParameters(
      this.getCredentialsProperties(type),
      data as INodeParameters,
      true,
      false,
      null,
      null,
    );
    const workflow = credentialWorkflow();
    const evaluated = workflow.expression.getComplexParameterValue(
      credentialNode,
      complete ?? {},
      mode,
      {},
      undefined,
      undefined,
      data,
    );
    return evaluated as ICredentialDataDecryptedObject;
  }

  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    request: IHttpRequestOptions | IRequestOptionsSimplified,
  ): Promise<IHttpRequestOptions> {
    const options = request as IHttpRequestOptions;
    const { authenticate } = this.type(typeName);
    if (authenticate === undefined) return options;
    if (typeof authenticate === 'function') return await authenticate(credentials, options);

    const workflow = credentialWorkflow();
    const resolveAll = (values: object): Record<string, string> => {
      const resolved: Record<string, string> = {};
      for (const [key, value] of Object.entries(values)) {
        const [name, text] = [key, String(value)].map((part) =>
          String(
            workflow.expression.getSimpleParameterValue(
              credentialNode,
              part,
              'internal',
              { $credentials: credentials },
              undefined,
              '',
            ),
          ),
        );
        resolved[name ?? ''] = text ?? '';
      }
      return resolved;
    };
    const { headers, qs, body, auth } = authenticate.properties;
    if (headers !== undefined) options.headers = { ...options.headers, ...resolveAll(headers) };
    if (qs !== undefined) options.qs = { ...options.qs, ...resolveAll(qs) };
    if (body !== undefined) {
      options.body = { ...(options.body as object | undefined), ...resolveAll(body) };
    }
    if (auth !== undefined) {
      options.auth = resolveAll(auth) as unknown as NonNullable<IHttpRequestOptions['auth']>;
    }
    return options;
  }

  async preAuthentication(
    helpers: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    nodeOfCredential: INode,
    credentialsExpired: boolean,
  ): Promise<ICredentialDataDecryptedObject | undefined> {
    const expirable = this.type(typeName).properties.find(
      (property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
    );
    if (expirable === undefined) return undefined;
    const current = credentials[expirable.name];
    if (current !== undefined && current !== '' && !credentialsExpired) return undefined;
    const fresh = await this.runPreAuthentication(helpers, credentials, typeName);
    const details = nodeOfCredential.credentials?.[typeName];
    if (fresh !== undefined && details !== undefined) {
      this.store.set(details, { ...this.store.get(details), ...fresh });
    }
    return fresh === undefined ? undefined : { ...credentials, ...fresh };
  }

  async runPreAuthentication(
    helpers: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
  ): Promise<ICredentialDataDecryptedObject | undefined> {
    const result = await this.type(typeName).preAuthentication?.call(helpers, credentials);
    return result as ICredentialDataDecryptedObject | undefined;
  }

  /** Only n8n's OAuth code asks for the stored form. */
  getCredentials(): Promise<ICredentials> {
    return Promise.reject(new Error('The in-process engine has no encrypted credentials.'));
  }

  updateCredentials(
    details: INodeCredentialsDetails,
    _type: string,
    data: ICredentialDataDecryptedObject,
  ): Promise<void> {
    this.store.set(details, data);
    return Promise.resolve();
  }

  updateCredentialsOauthTokenData(): Promise<void> {
    return Promise.reject(new Error('The in-process engine has no OAuth credentials.'));
  }
}

const credentialNode: INode = {
  id: 'credential',
  name: 'Credential',
  type: 'harness.passThrough',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/** A workflow that exists only to evaluate expressions of credentials in. */
function credentialWorkflow(): Workflow {
  return new Workflow({
    nodes: [credentialNode],
    connections: {},
    active: false,
    nodeTypes: new HarnessNodeTypes(builtInTestNodes),
  });
}
