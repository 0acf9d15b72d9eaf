import * as n8n from 'n8n-workflow';
import {
  deepCopy,
  NodeHelpers,
  type ICredentialDataDecryptedObject,
  type ICredentialsHelper,
  type ICredentialType,
  type INodeParameters,
  type INodeProperties,
} from 'n8n-workflow';
import { loadCredentialTypes } from './node-types';

/** Decrypted credential data by credential type name. */
export type CredentialsByType = Record<string, ICredentialDataDecryptedObject>;

/** Before n8n-workflow 2.22.3, n8n's server added these fields itself. */
const { injectDomainRestrictionFields: inject }: Partial<typeof n8n> = n8n;
const domainFields = ['allowedHttpRequestDomains', 'allowedDomains'].map(
  (name): INodeProperties => ({ displayName: name, name, type: 'string', default: '' }),
);

/**
 * Creates the helper that gives nodes access to credentials. It has the methods of n8n's own helper
 * that nodes need which send their own requests.
 */
export async function createCredentialsHelper(
  saved: CredentialsByType,
): Promise<ICredentialsHelper> {
  const types = await loadCredentialTypes();
  const getDecrypted: ICredentialsHelper['getDecrypted'] = (
    _,
    _details,
    name,
    _mode,
    _run,
    raw,
  ) => {
    const data = deepCopy(saved[name] ?? {});
    const type = types.get(name);
    if (type === undefined) throw new Error(`Unknown credential type "${name}".`);
    return Promise.resolve(raw === true ? data : withDefaults(type, data));
  };
  const helper: Partial<ICredentialsHelper> = {
    getParentTypes: () => [],
    isCredentialUsableByNode: () => true,
    getCredentialsProperties: (name) => propertiesOf(types.get(name)!),
    getDecrypted,
  };
  return helper as ICredentialsHelper;
}

/** Adds n8n's own fields for allowed domains, like n8n when it loads a type. */
function propertiesOf(type: ICredentialType): INodeProperties[] {
  return inject?.(type) ?? [...type.properties, ...domainFields];
}

/** Returns the data as a node sees it: with the type's defaults. */
export function withDefaults(
  type: ICredentialType,
  data: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject {
  const values = data as INodeParameters;
  const complete = NodeHelpers.getNodeParameters(
    propertiesOf(type),
    values,
    true,
    false,
    null,
    null,
  );
  return complete as ICredentialDataDecryptedObject;
}
