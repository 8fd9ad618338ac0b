import type { Tx } from '@namehold/postgres';
import { isAnother } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { type Contact, type ContactParty, contactFingerprint, latinForm } from '../model/contact.ts';
import type { RegistrantChange, RegistrantChangeConsent } from '../model/registrant-change.ts';
import { placeOperation } from '../operations/order.ts';
import { isOtherRegistrant } from '../policy/registrant.ts';
import { type PartyInput, readParty } from '../reference/party.ts';
import { draftRegistrantChange, type RegistrantChangeDraft } from '../registrant-change/draft.ts';
import { namesHeld } from '../registrant-change/names-held.ts';
import { registrantChangeOf } from '../registrant-change/path.ts';
import {
  confirmationsOf,
  refuseSecondChange,
  requestConfirmations,
} from '../registrant-change/request-confirmations.ts';
import { findContact, lockContact, recordRegistrantChange, updateContact } from '../tables/contact.sql.ts';
import { notifyContactChange } from '../verification/verify-new-registrant.ts';
import { placeContactUpdates } from './propagate.ts';
import { requireRegistrantChangeable } from './require-changeable.ts';

interface ContactChange {
  readonly customerId: string;
  readonly id: string;
  readonly party: PartyInput;
  readonly consent: RegistrantChangeConsent;
}

/** The result: done, or an operation that waits for the confirmations of both sides. */
type ContactChanged = { readonly contact: Contact } | { readonly operationId: string };

function partyOf(input: PartyInput): ContactParty {
  const { alt_tel_cc_no: _, alt_tel_no: _1, mobile_cc_no: _2, mobile_no: _3, ...party } = readParty(input);
  return party;
}

/** Replaces the address block; the contact's declarations to registries stay. */
export async function changeContact(ctx: AppContext, actor: Actor, change: ContactChange): Promise<ContactChanged> {
  const party = partyOf(change.party);
  const updates: string[] = [];
  const changed = await ctx.db.transaction(actor.resellerId, async (tx): Promise<ContactChanged> => {
    // A transaction may run again after a deadlock.
    updates.length = 0;
    const before = isAnother(actor, change.customerId)
      ? undefined
      : await lockContact(tx, actor.resellerId, change.customerId, change.id);
    if (!before) throw notFound('contact');
    await requireRegistrantChangeable(tx, actor, before, party);
    const waiting = await refuseSecondChange(tx, actor.resellerId, { contactIds: [change.id] });
    const held = await namesHeld(tx, actor.resellerId, before.id);
    const registrantChange = registrantChangeOf(ctx, change.consent, {
      former: before,
      present: party,
      isGeneric: held.count > 0,
    });
    if (registrantChange?.path === 'confirmations')
      return {
        operationId: await requestRegistrantChange(ctx, tx, actor, {
          before,
          party,
          held,
          registrantChange,
          waiting: waiting.n,
        }),
      };
    const contact = await applyChange(ctx, tx, actor, { before, party, registrantChange }, updates);
    await actor.idempotency?.complete(tx, contact);
    return { contact };
  });
  // The caller has its answer; the operations show the results at the registries.
  for (const operationId of updates) void ctx.engine.start(operationId);
  return changed;
}

/** The planned effects; nothing is stored. */
export async function draftContactChange(
  ctx: AppContext,
  actor: Actor,
  change: ContactChange,
): Promise<RegistrantChangeDraft> {
  const party = partyOf(change.party);
  const db = ctx.db.as(actor.resellerId);
  const before = isAnother(actor, change.customerId)
    ? undefined
    : await findContact(db, actor.resellerId, change.customerId, change.id);
  if (!before) throw notFound('contact');
  await requireRegistrantChangeable(db, actor, before, party);
  await refuseSecondChange(db, actor.resellerId, { contactIds: [change.id] });
  const { count } = await namesHeld(db, actor.resellerId, before.id);
  const registrantChange = registrantChangeOf(ctx, change.consent, {
    former: before,
    present: party,
    isGeneric: count > 0,
  });
  return draftRegistrantChange(ctx, actor, { registrantChange, former: before, present: party });
}

interface RegistrantChangeOfContact {
  readonly before: Contact;
  readonly party: ContactParty;
  readonly held: Awaited<ReturnType<typeof namesHeld>>;
  readonly registrantChange: RegistrantChange;
  readonly waiting: number;
}

/** Nothing is done before both have confirmed. */
async function requestRegistrantChange(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  order: RegistrantChangeOfContact,
): Promise<string> {
  const { before, party, held, registrantChange, waiting } = order;
  const wanted = { contact_id: before.id, names: held.count };
  const approval = confirmationsOf(ctx, actor, { registrantChange, former: before, present: party, wanted, waiting });
  const domains = held.names.map(({ name }) => name);
  const domainId = held.names[0]!.id;
  const { customer_id } = before;
  const id = await placeOperation(ctx, tx, actor, {
    kind: 'holder_change',
    contactId: before.id,
    registryId: null,
    request: {
      contact_id: before.id,
      customer_id,
      domains,
      count: held.count,
      domain_id: domainId,
      holder: registrantChange,
    },
    secrets: { party },
    approval,
  });
  const operation = { id, reseller_id: actor.resellerId, domain_id: null, contact_id: before.id, approval };
  const parties = { former: before, present: party, names: domains, count: held.count, domainId };
  await requestConfirmations(ctx, tx, actor, operation, parties);
  return id;
}

interface Applied {
  readonly before: Contact;
  readonly party: ContactParty;
  readonly registrantChange: RegistrantChange | null;
  /** If the prior registrant has chosen itself. */
  readonly isLockWaived?: boolean | undefined;
}

/** `updates`: the operations that send it to registries, to be started after the transaction. */
export async function applyChange(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  { before, party, registrantChange, isLockWaived = registrantChange?.isLockWaived ?? false }: Applied,
  updates: string[],
): Promise<Contact> {
  const now = ctx.clock.now();
  const content = { ...before, ...party, latin: latinForm(party) };
  const after = await updateContact(tx, before.id, { ...content, fingerprint: contactFingerprint(content) }, now);
  const consent = registrantChange && {
    holder_change: registrantChange.path,
    agent_said: registrantChange.isAgentDeclared,
    lock_opt_out: isLockWaived,
  };
  await audit(ctx, tx, actor, {
    action: 'contact.change',
    objectType: 'contact',
    objectId: before.id,
    before,
    after: { ...after, ...consent },
  });
  await notifyContactChange(ctx, tx, before, after);
  if (after.fingerprint !== before.fingerprint) updates.push(...(await placeContactUpdates(ctx, tx, actor, after.id)));
  if (isOtherRegistrant(before, after) && !isLockWaived) await recordRegistrantChange(tx, after.id, now);
  return after;
}
