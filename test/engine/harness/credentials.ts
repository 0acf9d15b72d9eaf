import * as n8n from 'n8n-workflow';
import {
  deepCopy,
  ICredentialsHelper,
  NodeHelpers,
  Workflow,
  type ICredentialDataDecryptedObject,
  type ICredentialType,
  type INode,
  type INodeCredentialsDetails,
  type INodeParameters,
  type INodeProperties,
  type IWorkflowExecuteAdditionalData,
  type WorkflowExecuteMode,
} from 'n8n-workflow';
import { HarnessNodeTypes } from './node-types';
import { builtInTestNodes } from './test-nodes';

/** Decrypted credential data by credential type name. */
export type CredentialsByType = Record<string, ICredentialDataDecryptedObject>;

/** Before n8n-workflow 2.22.3, n8n's server added these fields itself. */
const { injectDomainRestrictionFields: inject }: Partial<typeof n8n> = n8n;
const domainFields = ['allowedHttpRequestDomains', 'allowedDomains'].map(
  (name): INodeProperties => ({ displayName: name, name, type: 'string', default: '' }),
);

function absent(): Promise<never> {
  return Promise.reject(new Error('The in-process engine only reads credentials.'));
}

/**
 * Gives nodes that send their own requests access to credentials. Works like n8n's own helper, but
 * without a database: fills in the type's defaults and evaluates expressions.
 */
export class HarnessCredentialsHelper extends ICredentialsHelper {
  authenticate = absent;
  preAuthentication = absent;
  runPreAuthentication = absent;
  getCredentials = absent;
  updateCredentials = absent;
  updateCredentialsOauthTokenData = absent;

  constructor(
    private readonly types: ReadonlyMap<string, ICredentialType>,
    private readonly saved: CredentialsByType,
  ) {
    super();
  }

  getParentTypes(): string[] {
    return [];
  }

  isCredentialUsableByNode(): boolean {
    return true;
  }

  getCredentialsProperties(typeName: string): INodeProperties[] {
    const type = this.types.get(typeName);
    if (type === undefined) throw new Error(`Unknown credential type "${typeName}".`);
    // Like n8n when it loads a type, add n8n's own fields for allowed domains.
    return inject?.(type) ?? [...type.properties, ...domainFields];
  }

  getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    _details: INodeCredentialsDetails,
    type: string,
    mode: WorkflowExecuteMode,
    _executeData?: unknown,
    raw?: boolean,
  ): Promise<ICredentialDataDecryptedObject> {
    const data = deepCopy(this.saved[type] ?? {});
    return Promise.resolve(raw === true ? data : this.withDefaults(type, data, mode));
  }

  /** Returns the data as a node sees it: with the type's defaults and evaluated expressions. */
  withDefaults(
    type: string,
    data: ICredentialDataDecryptedObject,
    mode: WorkflowExecuteMode = 'internal',
  ): ICredentialDataDecryptedObject {
    const complete = NodeHelpers.getNodeParameters(
      this.getCredentialsProperties(type),
      data as INodeParameters,
      true,
      false,
      null,
      null,
    );
    const evaluated = credentialWorkflow().expression.getComplexParameterValue(
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
}

const credentialNode: INode = {
  id: 'credential',
  name: 'Credential',
  type: 'harness.passThrough',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/** Creates a workflow that serves only to evaluate expressions in credentials. */
function credentialWorkflow(): Workflow {
  return new Workflow({
    nodes: [credentialNode],
    connections: {},
    active: false,
    nodeTypes: new HarnessNodeTypes(builtInTestNodes),
  });
}
