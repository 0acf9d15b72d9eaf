import { CredentialTestContext } from 'n8n-core';
import type {
  ICredentialDataDecryptedObject,
  ICredentialType,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import { HarnessCredentialsHelper } from './credentials';
import { recordLogs } from './logging';
import { loadCredentialTypes, loadTestedBy } from './node-types';

/**
 * What the Test button of a credential does, as n8n's server decides it (CredentialsTester): it calls the
 * function by which a node says that the type is tested (`testedBy`).
 *
 * @param data what the user filled in; the type's defaults are added
 */
export async function testCredential(
  { name }: ICredentialType,
  data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
  recordLogs();
  const test = await loadTestedBy(name);
  const helper = new HarnessCredentialsHelper(await loadCredentialTypes(), {});
  return await test.call(new CredentialTestContext(), {
    id: name,
    name,
    type: name,
    data: helper.withDefaults(name, data),
  });
}
