import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, writeAsService } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import { type Domain, type Roles, rolesOf } from '../../model/domain.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { checkAndShareContacts } from '../buy/check-order.ts';
import { requireDeclared } from '../buy/declaration.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { encryptionContextOf } from '../orders/waiting.ts';
import { lockOrderOfDomain, replaceOrder, type WaitingOrder } from '../orders/waiting-order.sql.ts';
import { keepTransferPlan } from '../transfer-in/transfer.sql.ts';
import { lockOpenOrder, type OpenOrder, replaceContacts } from './set-contacts.sql.ts';
import type { Contacts } from './set-contacts.ts';

/**
 * Assigns other contacts to a domain that is ordered but not registered yet. An unpaid or unsent order is simply changed. A registration
 * that the registry reviews gets them after its approval, because nothing can be changed there before; a transfer when it is complete.
 */
export async function setPendingContacts(
  ctx: AppContext,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
  contacts: Contacts,
): Promise<Domain> {
  const found = await requireDomain(ctx, actor, idOrName, customerId);
  return writeAsService(ctx, actor, async (tx) => {
    // Takes locks in the same order as the code that runs orders: first the order or operation, then the domain.
    const unpaid = await lockOrderOfDomain(tx, actor.resellerId, found.id);
    const open = await lockOpenOrder(tx, found.id);
    const domain = await lockOwn(tx, actor, found.id);
    const rules = await rulesOf(tx, domain);
    const checked = await checkAndShareContacts(tx, actor, { contacts, customerId: domain.customer_id }, rules);
    if (checked.registrant !== domain.registrant_contact_id)
      await requireDeclared(ctx, tx, rules, domain.tld, checked.registrant);
    if (domain.state === 'unpaid' && unpaid) await changeOrder(ctx, tx, unpaid, checked);
    else if (domain.state === 'pending' && open) await changeOpen(tx, domain, open);
    else throw notPending(domain);
    const after = await replaceContacts(tx, domain.id, checked, ctx.clock.now());
    await note(ctx, tx, actor, domain, after);
    return after;
  });
}

/** The stored order is checked again when it runs. */
async function changeOrder(ctx: AppContext, tx: Tx, unpaid: WaitingOrder, contacts: Roles): Promise<void> {
  const context = encryptionContextOf(unpaid.transaction_id);
  const order = JSON.parse(ctx.vault.open(unpaid.order_sealed, context)) as { readonly parties: object };
  const changed = { ...order, parties: { ...order.parties, contacts } };
  await replaceOrder(tx, unpaid.transaction_id, ctx.vault.encrypt(JSON.stringify(changed), context));
}

async function changeOpen(tx: Tx, domain: Domain, open: OpenOrder): Promise<void> {
  if (open.kind === 'transfer') {
    // Fences off a run that may have just set the contacts of a transferred domain: the next run sets these.
    await keepTransferPlan(tx, open.id, { plan: open.outcome?.plan ?? { before: null } });
    return;
  }
  if (open.is_unsent) return;
  if (open.state !== 'waiting_registry')
    throw new Refusal(
      'conflict',
      `The registration of ${domain.name} is being sent to the registry. Try again when the registry has answered.`,
      { retryAfterSeconds: 10 },
    );
  const sent = open.outcome?.plan?.sent_contacts ?? rolesOf(domain);
  await keepTransferPlan(tx, open.id, { plan: { sent_contacts: sent } });
}

function notPending(domain: Domain): Refusal {
  const help = { action: 'set_contacts', domain: domain.id } as const;
  return new Refusal('conflict', `${domain.name} is not pending. Change the contacts of the domain instead.`, { help });
}

async function note(ctx: AppContext, tx: Tx, actor: Actor, before: Domain, after: Domain): Promise<void> {
  const ids = (row: Domain) => ({
    registrant_contact_id: row.registrant_contact_id,
    admin_contact_id: row.admin_contact_id,
    tech_contact_id: row.tech_contact_id,
    billing_contact_id: row.billing_contact_id,
  });
  await audit(ctx, tx, actor, {
    action: 'domain.contacts',
    objectType: 'domain',
    objectId: before.id,
    before: ids(before),
    after: ids(after),
  });
  const facts = { changed: ['contacts'], before: ids(before), after: ids(after) };
  await appendEvent(ctx, tx, lifeEvent(before, 'domain.updated', facts));
}
