import type { ContactCreateRequest, ResponseSpec } from '@namehold/epp';
import { violatedConstraint } from '@namehold/postgres';
import { checkContactExtensions } from '../domain/extras.ts';
import { fieldsOf } from '../keysys/fields.ts';
import { checkAuthInfoStrength, contactAuthInfoRules, hashAuthInfo } from '../registry/auth-info.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { isHandle } from './check.ts';
import { handleOfEqual, insertContact } from './contact.sql.ts';
import { checkDetails } from './details.ts';
import type { ContactDetails } from './record.ts';

/** RFC 5733 3.2.1. */
export async function createContact(call: Call, command: ContactCreateRequest): Promise<ResponseSpec> {
  if (!isHandle(command.id)) refuse(2005, 'a contact id has 3 to 16 letters, digits, dots, hyphens');
  const assigned = call.registry.endpoint.keysys && `P-${call.registry.ids.text(8, handleSigns)}`;
  const { postal, voice, fax, email, disclose, ext } = command;
  const details = checkDetails({
    postal,
    email,
    ...(voice && { voice }),
    ...(fax && { fax }),
    ...(disclose && { disclose }),
  });
  checkAuthInfoStrength(contactAuthInfoRules, command.authInfo.pw);
  const equal = assigned === undefined ? undefined : await equalContact(call, command, details);
  if (equal !== undefined)
    return { results: [{ code: 1000 }], data: { object: 'contact', type: 'creData', id: equal, crDate: call.at } };
  const handle = assigned ?? command.id;
  const extensions = checkContactExtensions(ext?.tld);
  try {
    await insertContact(call.registry.db.autocommit(registryTenant), {
      handle,
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
    data: { object: 'contact', type: 'creData', id: handle, crDate: call.at },
  };
}

const handleSigns = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** An upstream that assigns ids gives equal data the same one, unless the command forces another. */
async function equalContact(call: Call, command: ContactCreateRequest, details: ContactDetails) {
  const fields = fieldsOf(call, command) ?? {};
  if (fields.forceDuplication === '1') return undefined;
  return handleOfEqual(call.registry.db.as(registryTenant), call.clientId, details);
}
