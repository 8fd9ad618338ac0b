import { money, NameError, normaliseName } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { findTransaction } from '../../ledger/transactions.ts';
import { type Domain, rolesOf } from '../../model/domain.ts';
import type { EncryptedSecrets } from '../../model/domain-change.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { requireMaxPrice } from '../../quotes/guard.ts';
import { findDomainByName, readDomain } from '../../tables/domain.sql.ts';
import { throwOrderConflict } from '../buy/order-purchase.ts';
import { requireCode, type TransferOrder } from '../buy/transfer.ts';
import { requireDomain } from '../find.ts';
import { isWaitingForCode } from './policy.ts';
import { findWaitingForCode, keepTransferPlan, lockTransfer, noteTransfer } from './transfer.sql.ts';

/** A new code for the same order, whose money is still on hold. Possible while the order waits for one. */
export async function sendNewAuthCode(
  ctx: AppContext,
  actor: Actor,
  order: { readonly domain: string; readonly customerId: string | undefined; readonly authCode: string },
): Promise<string> {
  const code = requireCode(order.authCode);
  const domain = await requireDomain(ctx, actor, order.domain, order.customerId);
  await refuseAmbiguous(ctx, actor, order, domain);
  return ctx.db.transaction(allTenants, async (tx) => {
    const operation = await lockTransfer(tx, actor.resellerId, domain.id);
    const { code_until, is_cancelled, ...plan } = operation?.outcome?.plan ?? { before: null };
    if (!operation || code_until === undefined || is_cancelled)
      throw new Refusal('conflict', `${domain.name}: no transfer is waiting for another auth code.`);
    const secrets: EncryptedSecrets = { auth_code: code };
    const encryptedCode = ctx.vault.encrypt(JSON.stringify(secrets), `operation:${operation.id}`);
    await keepTransferPlan(tx, operation.id, { plan, encryptedCode });
    await orderAgain(ctx, tx, domain.id);
    await actor.idempotency?.follow(tx, operation.id);
    await audit(ctx, tx, actor, {
      action: 'domain.transfer_new_code',
      objectType: 'domain',
      objectId: domain.id,
      after: { operation_id: operation.id },
    });
    return operation.id;
  });
}

/** The domain name alone does not identify which of several orders of different customers the code is for. */
export async function refuseAmbiguous(
  ctx: AppContext,
  actor: Actor,
  sent: { readonly domain: string; readonly customerId: string | undefined },
  { id, name }: Domain,
): Promise<void> {
  if (sent.customerId !== undefined || actor.customerId !== undefined || sent.domain === id) return;
  const waiting = await findWaitingForCode(ctx.db.as(actor.resellerId), actor.resellerId, name);
  if (waiting.length < 2) return;
  const ids = waiting.map((each) => each.id);
  throw new Refusal(
    'conflict',
    `Transfers of ${name} wait for an auth code for several customers, as domains ${ids.join(', ')}. Send customer_id, or the domain id in the path.`,
    { facts: { domain_ids: ids } },
  );
}

/**
 * While the order waited for a code it did not block other orders for the domain. From here on it does, so it is refused if another
 * order has the domain by now.
 */
async function orderAgain(ctx: AppContext, tx: Tx, domainId: string): Promise<void> {
  const { transfer } = await readDomain(tx, domainId);
  const ordered = { from_registrar: null, requested_at: null, ...transfer, status: 'ordered', action_at: null };
  await noteTransfer(tx, domainId, ordered, ctx.clock.now()).catch(throwOrderConflict);
}

interface ReplacedCode {
  readonly operationId: string;
  readonly warnings: readonly string[];
}

/**
 * A second order of the same customer for a transfer that waits for another auth code: the code goes to the first order, which is paid
 * already. Undefined: there is no such transfer, and the order is an ordinary one.
 */
export async function replaceCodeByOrder(
  ctx: AppContext,
  actor: Actor,
  order: TransferOrder,
): Promise<ReplacedCode | undefined> {
  const { parties } = order;
  const domain = parties && (await ownByName(ctx, actor, order.domainName, parties.customerId));
  if (!parties || domain?.state !== 'pending') return undefined;
  const db = ctx.db.as(actor.resellerId);
  const operation = await findOpenOperation(db, domain.id);
  if (!operation || !isWaitingForCode(operation)) return undefined;
  const paid = await findTransaction(ctx, actor, actor.resellerId, operation.transaction_id!);
  requireMaxPrice(money(paid.amount, paid.currency), order.guard);
  const sent = { domain: domain.id, customerId: parties.customerId, authCode: parties.authCode ?? '' };
  const isOther =
    !isSame(rolesOf(domain), parties.contacts) || !isSameHosts(parties.nameservers, operation.request.nameservers);
  const warnings = isOther
    ? [
        `The transfer of ${domain.name} is ordered already: its auth code is replaced, its contacts and nameservers stay as first ordered.`,
      ]
    : [];
  return { operationId: await sendNewAuthCode(ctx, actor, sent), warnings };
}

async function ownByName(
  ctx: AppContext,
  { resellerId }: Actor,
  text: string,
  customerId: string,
): Promise<Domain | undefined> {
  try {
    return await findDomainByName(ctx.db.as(resellerId), resellerId, normaliseName(text), customerId);
  } catch (error) {
    if (error instanceof NameError) return undefined;
    throw error;
  }
}

const isSame = (a: object, b: object): boolean => {
  const sorted = (object: object) => JSON.stringify(Object.entries(object).sort());
  return sorted(a) === sorted(b);
};

/** If it is left out, the domain keeps its nameservers. */
const isSameHosts = (requested: readonly string[] | undefined, ordered: readonly string[] | null): boolean =>
  requested === undefined || [...requested].sort().join() === [...(ordered ?? requested)].sort().join();
