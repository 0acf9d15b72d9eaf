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
 * Tests a credential as its Test button does. n8n's server (CredentialsTester) calls the function
 * that a node declares for the type in `testedBy`.
 *
 * @param data the user's input; the type's defaults are added
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
