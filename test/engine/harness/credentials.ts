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

/** Before n8n-workflow 2.22.3 n8n's server added these fields. */
const { injectDomainRestrictionFields: inject }: Partial<typeof n8n> = n8n;
const domainFields = ['allowedHttpRequestDomains', 'allowedDomains'].map(
  (name): INodeProperties => ({ displayName: name, name, type: 'string', default: '' }),
);

function absent(): Promise<never> {
  return Promise.reject(new Error('The in-process engine only reads credentials.'));
}

/**
 * n8n's access to credentials for nodes that send their requests themselves. It does what n8n's own does
 * apart from the database: defaults of the type filled in, expressions in the data evaluated.
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
    // As n8n does when it loads a type: its own fields about allowed domains come on top.
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

  /** The data as a node sees them: the type's defaults filled in and expressions evaluated. */
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

/** A workflow that exists only to evaluate expressions of credentials in. */
function credentialWorkflow(): Workflow {
  return new Workflow({
    nodes: [credentialNode],
    connections: {},
    active: false,
    nodeTypes: new HarnessNodeTypes(builtInTestNodes),
  });
}
