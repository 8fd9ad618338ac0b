import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { type Actor, type House, write } from '../house.ts';
import { isAnotherHolder } from '../policy/holder.ts';
import { type PartyInput, readParty } from '../reference/party.ts';
import { tellOfChange } from '../verification/holder-change.ts';
import { lockContact, noteHolderChange, updateContact } from './contact.sql.ts';
import { type Contact, contactFingerprint, latinForm } from './contact.ts';
import { placeContactUpdates } from './propagate.ts';

/** The address block is replaced; what the contact declares to registries stays. */
export async function changeContact(
  house: House,
  actor: Actor,
  customerId: string,
  id: string,
  order: PartyInput,
): Promise<Contact> {
  const { alt_tel_cc_no: _, alt_tel_no: _1, mobile_cc_no: _2, mobile_no: _3, ...party } = readParty(order);
  const updates: string[] = [];
  const changed = await write(house, actor, async (tx) => {
    // A transaction may run again after a deadlock.
    updates.length = 0;
    const before = await lockContact(tx, actor.resellerId, customerId, id);
    if (!before) throw notFound('contact');
    const content = { ...before, ...party, latin: latinForm(party) };
    const after = await updateContact(
      tx,
      id,
      { ...content, fingerprint: contactFingerprint(content) },
      house.clock.now(),
    );
    await audit(house, tx, actor, { action: 'contact.change', objectType: 'contact', objectId: id, before, after });
    await tellOfChange(house, tx, before, after);
    if (after.fingerprint !== before.fingerprint) updates.push(...(await placeContactUpdates(house, tx, actor, id)));
    if (isAnotherHolder(before, after)) await noteHolderChange(tx, id, house.clock.now());
    return after;
  });
  // The caller has its answer; how the registries take it is told by the operations.
  for (const operationId of updates) void house.engine.start(operationId);
  return changed;
}
