import type { ContactChange, ContactUpdateRequest, PostalInfo, PostalInfoChange, ResponseSpec } from '@namehold/epp';
import { checkContactExtensions } from '../domain/extras.ts';
import { checkAuthInfoStrength, contactAuthInfoRules, hashAuthInfo } from '../registry/auth-info.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant, success } from '../registry/registry.ts';
import { changeStatuses, refuseUnlessUpdatable } from '../registry/status.ts';
import { saveContact } from './contact.sql.ts';
import { checkDetails } from './details.ts';
import { lockOwnContact } from './own.ts';
import type { ContactDetails } from './record.ts';

/** RFC 5733 3.2.5. */
export async function updateContact(call: Call, command: ContactUpdateRequest): Promise<ResponseSpec> {
  const { chg, ext, addStatuses, remStatuses } = command;
  const changesMore = chg !== undefined || addStatuses !== undefined || ext?.tld !== undefined;
  if (!changesMore && remStatuses === undefined) refuse(2003, 'the update changes nothing');
  await call.registry.db.transaction(registryTenant, async (tx) => {
    const contact = await lockOwnContact(tx, call, command.id);
    if (contact.transferPending) refuse(2304, 'pendingTransfer');
    refuseUnlessUpdatable(contact.statuses, { rem: remStatuses, changesMore });
    if (chg?.authInfo !== undefined) checkAuthInfoStrength(contactAuthInfoRules, chg.authInfo.pw);
    await saveContact(tx, {
      ...contact,
      statuses: changeStatuses('contact', contact.statuses, { add: addStatuses, rem: remStatuses }),
      details: chg === undefined ? contact.details : checkDetails(changed(contact.details, chg)),
      authHash: chg?.authInfo === undefined ? contact.authHash : hashAuthInfo(chg.authInfo.pw),
      extensions: { ...contact.extensions, ...checkContactExtensions(ext?.tld) },
      updater: call.clientId,
      updatedAt: call.at,
    });
  });
  return success;
}

function changed(now: ContactDetails, chg: ContactChange): ContactDetails {
  const voice = chg.voice ?? now.voice;
  const fax = chg.fax ?? now.fax;
  const disclose = chg.disclose ?? now.disclose;
  return {
    postal: (chg.postal ?? []).reduce(withPostal, [...now.postal]),
    email: chg.email ?? now.email,
    // RFC 5733: an empty number removes it.
    ...(voice && voice.number !== '' ? { voice } : {}),
    ...(fax && fax.number !== '' ? { fax } : {}),
    ...(disclose && { disclose }),
  };
}

function withPostal(postal: PostalInfo[], change: PostalInfoChange): PostalInfo[] {
  const now = postal.find((info) => info.type === change.type);
  const name = change.name ?? now?.name;
  const addr = change.addr ?? now?.addr;
  if (name === undefined || addr === undefined)
    refuse(2003, `postalInfo of type ${change.type} needs name and address`);
  const org = change.org ?? now?.org;
  const next: PostalInfo = { type: change.type, name, addr, ...(org ? { org } : {}) };
  return [...postal.filter((info) => info.type !== change.type), next];
}
