import type { ContactInfoRequest, ResponseSpec } from '@namehold/epp';
import { authInfoMatches } from '../registry/auth-info.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { findContact } from './contact.sql.ts';
import { contactInfo } from './record.ts';

/** RFC 5733 3.1.2: personal data, so only for the sponsor and for a registrar with the authInfo. */
export async function infoContact(call: Call, command: ContactInfoRequest): Promise<ResponseSpec> {
  const contact = await findContact(call.registry.db.as(registryTenant), command.id);
  if (contact === undefined) refuse(2303, `contact ${command.id} does not exist`);
  if (command.authInfo !== undefined) {
    if (!authInfoMatches(contact.authHash, command.authInfo.pw)) refuse(2202, 'the authInfo does not match');
  } else if (contact.sponsor !== call.clientId) {
    refuse(2201, `contact ${command.id} is another registrar's`);
  }
  return {
    results: [{ code: 1000 }],
    data: contactInfo(contact),
    ext: Object.keys(contact.extensions).length > 0 ? { tld: contact.extensions } : {},
  };
}
