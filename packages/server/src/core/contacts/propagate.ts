import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { type Hide, toRegistryContact } from '../domains/registry/ensure-contacts.ts';
import { failed } from '../domains/registry/outcome.ts';
import {
  type ContactForRegistry,
  confirmKnown,
  domainsOfContact,
  readContactsForRegistry,
  registriesOfContact,
} from '../domains/registry/registry-contact.sql.ts';
import { appendEvent, type NewEvent } from '../events/append.ts';
import type { PayloadOf } from '../events/catalogue.ts';
import { describe } from '../model/evidence.ts';
import type { OperationOf } from '../model/operation.ts';
import type { ContactUpdateRequest, Kinds } from '../model/operation-kinds.ts';
import { actorOf } from '../operations/actor.ts';
import { placeOperation } from '../operations/order.ts';
import type { Found, Run, Workflow, WorkflowResult } from '../operations/run.ts';
import type { Evidence, RegistryContact, Reply } from '../ports/registry.ts';
import { hasOpenUpdate, presentFingerprint } from './propagate.sql.ts';

const domainsNamed = 100;

/**
 * In the transaction of the change: one operation for each registry that knows the contact. An operation that is already running sees
 * the change when it settles, and orders the next; the lock on the contact's row ensures that one of the two does.
 */
export async function placeContactUpdates(ctx: AppContext, tx: Tx, actor: Actor, contactId: string): Promise<string[]> {
  const placed: string[] = [];
  for (const { registry_id: registryId } of await registriesOfContact(tx, contactId)) {
    if (await hasOpenUpdate(tx, contactId, registryId)) continue;
    placed.push(await placeOne(ctx, tx, actor, contactId, registryId));
  }
  return placed;
}

async function placeOne(ctx: AppContext, tx: Tx, actor: Actor, contactId: string, registryId: string): Promise<string> {
  // The answer to the change is the contact itself: it does not follow these operations.
  const { idempotency: _, ...quiet } = actor;
  const domains = await domainsOfContact(tx, contactId, registryId, domainsNamed);
  const request: ContactUpdateRequest = { contact_id: contactId, domains };
  return placeOperation(ctx, tx, quiet, { kind: 'contact_update', contactId, registryId, request });
}

/** Sends the present data of the contact. */
export const contactUpdateWorkflow: Workflow<'contact_update'> = {
  kind: 'contact_update',
  async run(run) {
    const db = run.ctx.db.as(allTenants);
    const [contact] = await readContactsForRegistry(db, run.registry.id, [run.operation.contact_id]);
    const [hidden] = await readContactsForRegistry(db, run.registry.id, [run.operation.contact_id], 'disclose');
    // The data of a proxy contact contain nothing of the registrant.
    const own = await sendIfStale(run, contact, 'contact_update');
    if (own.kind !== 'done') return stopped(run, contact, own);
    const reply = await sendIfStale(run, hidden, 'contact_update-disclose', { method: 'disclose' });
    if (reply.kind !== 'done') return stopped(run, contact, reply);
    return settled(run, contact, { ...reply.evidence, ...own.evidence });
  },
  cancel: (ctx, tx, operation) => recordOutcome(ctx, tx, operation, 'contact.update_cancelled', {}),
};

function stopped(
  run: Run<'contact_update'>,
  contact: ContactForRegistry | undefined,
  reply: Exclude<Reply<unknown>, { kind: 'done' }>,
): WorkflowResult<never> {
  const undo = async (tx: Tx, evidence: Evidence) => {
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    await recordOutcome(run.ctx, tx, run.operation, 'contact.update_refused', facts);
    if (contact) await orderNext(run, tx, contact);
  };
  return failed(run, reply, undo);
}

const nothingSent: Reply<null> = { kind: 'done', data: null, pending: false, evidence: {} };

async function sendIfStale(
  run: Run,
  contact: ContactForRegistry | undefined,
  step: string,
  hide?: Hide,
): Promise<Reply<null>> {
  const isKnown = contact?.handle && contact.known_fingerprint !== '';
  if (!isKnown || contact.known_fingerprint === contact.fingerprint) return nothingSent;
  return send(run, toRegistryContact(contact, contact.handle!, hide), step);
}

async function send(run: Run, card: RegistryContact, step: string): Promise<Reply<null>> {
  let resends = 0;
  // RFC 5730 section 2.6: sending the same data again is harmless, so a lost answer is handled by a repeat, a limited number of times.
  const query = async (): Promise<Found<null>> =>
    ++resends > 1 ? { kind: 'unknown', why: 'the answer was lost twice' } : { kind: 'never' };
  const reply = await run.command(step, (context) => run.registry.updateContact(card, context), query);
  if (reply.kind !== 'refused' || reply.evidence.code !== doesNotExist) return reply;
  // It existed once and is gone at the registry: it is created again, with the present data.
  const made = await run.command<{ readonly id: string } | null>(
    `${step}-create`,
    (context) => run.registry.createContact(card, context),
    query,
  );
  return made.kind === 'done' ? { ...made, data: null } : made;
}

/** RFC 5730 section 3: object does not exist. */
const doesNotExist = 2303;

function settled(
  run: Run<'contact_update'>,
  contact: ContactForRegistry | undefined,
  evidence: Evidence,
): WorkflowResult<Kinds['contact_update']['outcome']> {
  const { ctx, operation, registry } = run;
  return {
    kind: 'done',
    evidence,
    outcome: { handle: contact?.handle ?? null },
    async settle(tx) {
      for (const shownAs of ['plain', 'disclose', 'proxy'] as const)
        if (contact) await confirmKnown(tx, contact.id, registry.id, contact.fingerprint, shownAs);
      if (contact) await orderNext(run, tx, contact);
      await recordOutcome(ctx, tx, operation, 'contact.updated', { registry_id: registry.id });
    },
  };
}

/** The contact was changed again while this version was being sent. */
async function orderNext(run: Run<'contact_update'>, tx: Tx, sent: ContactForRegistry): Promise<void> {
  const { ctx, operation, registry } = run;
  if ((await presentFingerprint(tx, sent.id)) === sent.fingerprint) return;
  await placeOne(ctx, tx, actorOf(operation), sent.id, registry.id);
}

type ContactUpdateEvent = 'contact.updated' | 'contact.update_refused' | 'contact.update_cancelled';

function recordOutcome<T extends ContactUpdateEvent>(
  ctx: AppContext,
  tx: Tx,
  operation: OperationOf<'contact_update'>,
  type: T,
  more: Omit<PayloadOf<T>, keyof ContactUpdateRequest | 'operation_id'>,
): Promise<void> {
  return appendEvent(ctx, tx, {
    resellerId: operation.reseller_id,
    type,
    objectId: operation.contact_id,
    requestId: operation.request_id,
    payload: { ...operation.request, operation_id: operation.id, ...more },
  } as NewEvent);
}
