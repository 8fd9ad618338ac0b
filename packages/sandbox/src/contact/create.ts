import type { ContactCreateRequest, ResponseSpec } from '@namehold/epp';
import { violatedConstraint } from '@namehold/postgres';
import { checkContactExtensions } from '../domain/extras.ts';
import { checkAuthInfoStrength, contactAuthInfoRules, hashAuthInfo } from '../registry/auth-info.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { isHandle } from './check.ts';
import { insertContact } from './contact.sql.ts';
import { checkDetails } from './details.ts';

/** RFC 5733 3.2.1. */
export async function createContact(call: Call, command: ContactCreateRequest): Promise<ResponseSpec> {
  if (!isHandle(command.id)) refuse(2005, 'a contact id has 3 to 16 letters, digits, dots, hyphens');
  const { postal, voice, fax, email, disclose, ext } = command;
  const details = checkDetails({
    postal,
    email,
    ...(voice && { voice }),
    ...(fax && { fax }),
    ...(disclose && { disclose }),
  });
  checkAuthInfoStrength(contactAuthInfoRules, command.authInfo.pw);
  const extensions = checkContactExtensions(ext?.tld);
  try {
    await insertContact(call.registry.db.autocommit(registryTenant), {
      handle: command.id,
      sponsor: call.clientId,
      createdAt: call.at,
      details,
      authHash: hashAuthInfo(command.authInfo.pw),
      extensions,
    });
  } catch (error) {
    if (violatedConstraint(error) === 'contact_handle_key') refuse(2302, `contact ${command.id} exists`);
    throw error;
  }
  return {
    results: [{ code: 1000 }],
    data: { object: 'contact', type: 'creData', id: command.id, crDate: call.at },
  };
}
