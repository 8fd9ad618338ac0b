import { allTenants, type Tx } from '@namehold/postgres';
import { clearAlarm, openAlarms } from '../alarms/alarm.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { restoreToAccount } from '../domains/compare/find-missing.ts';
import { importDomains } from '../domains/compare/import.ts';
import { reconcileNames } from '../domains/compare/reconcile.ts';
import { notFound, Refusal } from '../errors.ts';
import { capture } from '../ledger/capture.ts';
import { refund } from '../ledger/refund.ts';
import { release } from '../ledger/release.ts';
import { isFinal } from '../model/operation.ts';
import { type AnyOperation, findAnyOperation } from '../operations/list-all.sql.ts';
import { reopen } from '../operations/reopen.ts';
import { settleManually } from '../operations/settle-manually.ts';
import { bookStatement } from './book-statement.ts';
import { type Difference, differenceIn, type RepairAction } from './difference.ts';
import { acceptIncoming } from './incoming.ts';
import { recheckDifference } from './recheck-difference.ts';
import { recheckOrder } from './recheck-orders.ts';
import { givenUpRegistration, lastOwner, lockPurchase, takeForPaid } from './repair.sql.ts';
import { undelete } from './undelete.ts';

interface Wanted {
  /** The key of the difference, as in `verify` and the alarms. */
  readonly key: string;
  readonly reason: string;
  readonly isDryRun: boolean;
}

export interface RepairResult {
  readonly key: string;
  readonly action: RepairAction;
  readonly isDone: boolean;
  readonly result: string;
}

/** Every open difference, oldest first. */
export async function openDifferences(ctx: AppContext): Promise<{ key: string; difference: Difference }[]> {
  const alarms = await openAlarms(ctx);
  return alarms.flatMap(({ key, facts }) => {
    const difference = key.startsWith('books:') ? differenceIn(facts) : undefined;
    return difference ? [{ key, difference }] : [];
  });
}

/**
 * Carries out the repair that `verify` suggests for one difference. It checks again under a lock: what is correct by now stays
 * unchanged.
 */
export async function repairDifference(ctx: AppContext, actor: Actor, wanted: Wanted): Promise<RepairResult> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  const found = (await openDifferences(ctx)).find(({ key }) => key === wanted.key);
  if (!found) throw notFound(`open difference ${wanted.key}`);
  const { difference } = found;
  const { action, message } = difference.repair;
  const answer = (isDone: boolean, result: string): RepairResult => ({ key: wanted.key, action, isDone, result });
  if (action === 'manual') {
    if (wanted.isDryRun) return answer(false, `manual: ${message}`);
    throw new Refusal('conflict', `This needs a manual decision: ${message}`);
  }
  const { result, isDone = true } = await repairs[action](ctx, actor, difference, wanted);
  if (wanted.isDryRun) return answer(false, `would ${result}`);
  if (isDone) await clearAlarm(ctx, wanted.key);
  return answer(isDone, result);
}

interface Repaired {
  readonly result: string;
  /** False if it was tried and the difference remains. */
  readonly isDone?: boolean;
}
type RepairStep = (ctx: AppContext, actor: Actor, difference: Difference, wanted: Wanted) => Promise<Repaired>;

const repairs: Readonly<Record<Exclude<RepairAction, 'manual'>, RepairStep>> = {
  capture: (ctx, actor, difference, wanted) =>
    moveMoney(ctx, actor, difference, wanted, ['done'], 'pending', (tx, transactionId) =>
      capture(ctx, tx, { transactionId }),
    ),
  release: (ctx, actor, difference, wanted) =>
    moveMoney(ctx, actor, difference, wanted, ['refused', 'cancelled'], 'pending', (tx, transactionId) =>
      release(ctx, tx, { transactionId }),
    ),
  refund: (ctx, actor, difference, wanted) =>
    moveMoney(ctx, actor, difference, wanted, ['refused', 'cancelled'], 'completed', (tx, transactionId) =>
      refund(ctx, tx, { transactionId }),
    ),
  async ask_again(ctx, actor, difference, { reason, isDryRun }) {
    const order = { decision: 'ask_again' as const, reason, isDryRun };
    const { result, operation } = await settleManually(ctx, actor, difference.operation_id!, order);
    return isFinal(operation.state)
      ? { result }
      : { result: `${result}: it is ${operation.state} still`, isDone: false };
  },
  reopen: (ctx, actor, difference, wanted) => takeUp(ctx, actor, difference.operation_id!, wanted),
  async reconcile(ctx, actor, difference, wanted) {
    const result = `compare ${difference.name} with its registry and take over its state`;
    if (wanted.isDryRun) return { result };
    await note(ctx, actor, difference, wanted);
    const [report] = await reconcileNames(ctx, [difference.name!]);
    const still = await recheckDifference(ctx, difference);
    if (still === undefined) return { result: `${report?.name}: ${report?.outcome}` };
    if (report?.againAt)
      return {
        result: `${report.name}: ${report.outcome}; this answer counts if the registry repeats it. Repeat this repair after ${report.againAt.toISOString()}`,
        isDone: false,
      };
    const then = `the difference remains (${still}). Manual step: ${difference.repair.message}`;
    return { result: `${report?.name}: ${report?.outcome}; ${then}`, isDone: false };
  },
  async adopt(ctx, actor, difference, wanted) {
    const { name, registry_id } = difference;
    const db = ctx.db.as(allTenants);
    // If an abandoned order may have created it, that order is reopened. If it matches a tombstone, the tombstone becomes live again with
    // everything paid for it.
    const givenUp = await givenUpRegistration(db, name!);
    if (givenUp) return takeUp(ctx, actor, givenUp, wanted);
    const owner = await lastOwner(db, name!);
    if (!owner) {
      const command = `namehold domain import ${name} --registry ${registry_id} --reseller ID --customer ID`;
      throw new Refusal('conflict', `No account here ever had ${name}. Name the new owner: ${command}`);
    }
    if (wanted.isDryRun) return { result: `adopt ${name} for reseller ${owner.reseller_id}` };
    await note(ctx, actor, difference, wanted);
    const back = await restoreToAccount(ctx, owner.id);
    if (back) return { result: `restored ${name} for reseller ${owner.reseller_id}, ${back}` };
    const order = {
      registryId: registry_id!,
      names: [name!],
      resellerId: owner.reseller_id,
      customerId: owner.customer_id,
      isOurDoing: true,
    };
    const [report] = await importDomains(ctx, order);
    if (report?.outcome !== 'imported') throw new Refusal('conflict', `${name}: ${report?.outcome}, ${report?.detail}`);
    return { result: `adopted ${name} for reseller ${owner.reseller_id}, ${report.detail}` };
  },
  async book(ctx, actor, difference, wanted) {
    const note = (tx: Tx) => noteIn(ctx, tx, actor, difference, wanted);
    return { result: await bookStatement(ctx, difference, note, wanted.isDryRun) };
  },
  async accept(ctx, actor, difference, wanted) {
    const accepted = acceptIncoming[difference.rule];
    if (accepted) return acceptRow(ctx, actor, difference, wanted, accepted);
    const result = `count the term of ${difference.name} as paid, because: ${wanted.reason}`;
    if (wanted.isDryRun) return { result };
    await ctx.db.transaction(allTenants, async (tx) => {
      if (!(await takeForPaid(tx, difference.domain_id!)))
        throw new Refusal('conflict', `${difference.name} has changed since it was reported. Run namehold verify.`);
      await noteIn(ctx, tx, actor, difference, wanted);
    });
    return { result };
  },
  async undelete(ctx, actor, difference, wanted) {
    let back: string[] = [];
    await ctx.db
      .transaction(allTenants, async (tx) => {
        back = await undelete(ctx, tx, actor, difference.subject);
        await noteIn(ctx, tx, actor, difference, wanted);
        if (wanted.isDryRun) throw new DryRun();
      })
      .catch(unlessDryRun);
    return { result: back.length === 0 ? 'do nothing: it is no longer deleted' : `restore ${back.join(', ')}` };
  },
};

async function acceptRow(
  ctx: AppContext,
  actor: Actor,
  difference: Difference,
  wanted: Wanted,
  accepted: (typeof acceptIncoming)[string],
): Promise<Repaired> {
  const { subject } = difference;
  const result = `count ${subject} as settled, because: ${wanted.reason}`;
  if (wanted.isDryRun) return { result };
  await ctx.db.transaction(allTenants, async (tx) => {
    if (!(await accepted(tx, subject.split(' ').at(-1)!, ctx.clock.now())))
      throw new Refusal('conflict', `${subject} has changed since it was reported. Run namehold verify.`);
    await noteIn(ctx, tx, actor, difference, wanted);
  });
  return { result };
}

async function takeUp(ctx: AppContext, actor: Actor, id: string, wanted: Wanted): Promise<Repaired> {
  const operation = await requireLate(ctx, id);
  const result = `reopen ${operation.kind} ${operation.domain_name} as operation ${id}`;
  await reopen(ctx, actor, operation, wanted);
  if (wanted.isDryRun) return { result };
  const after = (await findAnyOperation(ctx.db.as(allTenants), id))!;
  return after.state === 'done' ? { result } : { result: `${result}: it is ${after.state} now`, isDone: false };
}

/** The state at the registry may have been undone, or paid for by another order, since it was found. */
async function requireLate(ctx: AppContext, id: string): Promise<AnyOperation> {
  const operation = await findAnyOperation(ctx.db.as(allTenants), id);
  if (!operation) throw notFound('operation');
  const found = await recheckOrder(ctx, operation);
  if (found === 'arrived') return operation;
  const why = found === 'silent' ? 'the registry does not report' : 'the registry no longer shows it as carried out';
  throw new Refusal('conflict', `Operation ${id} was not changed: ${why}.`);
}

class DryRun extends Error {}

function unlessDryRun(error: unknown): void {
  if (!(error instanceof DryRun)) throw error;
}

/** Only if the states of the purchase and its operation match the difference; a dry run does everything and rolls it back. */
async function moveMoney(
  ctx: AppContext,
  actor: Actor,
  difference: Difference,
  wanted: Wanted,
  states: readonly string[],
  status: string,
  move: (tx: Tx, transactionId: string) => Promise<unknown>,
): Promise<Repaired> {
  const {
    transaction_id,
    repair: { action },
  } = difference;
  const result = `${action} transaction ${transaction_id} of ${difference.amount} ${difference.currency} (${difference.name})`;
  await ctx.db
    .transaction(allTenants, async (tx) => {
      const present = await lockPurchase(tx, transaction_id!);
      if (!present || present.status !== status || !states.includes(present.state ?? ''))
        throw new Refusal(
          'conflict',
          `Transaction ${transaction_id} is ${present?.status} and its operation is ${present?.state}. Run namehold verify.`,
        );
      if (action !== 'capture' && present.was_bought)
        throw new Refusal(
          'conflict',
          `The registry's answer or the domain shows that ${difference.name} was bought. Nothing is refunded.`,
        );
      await move(tx, transaction_id!);
      await noteIn(ctx, tx, actor, difference, wanted);
      if (wanted.isDryRun) throw new DryRun();
      await actor.idempotency?.complete(tx, { key: wanted.key, action, isDone: true, result } satisfies RepairResult);
    })
    .catch(unlessDryRun);
  return { result };
}

function note(ctx: AppContext, actor: Actor, difference: Difference, wanted: Wanted): Promise<void> {
  return ctx.db.transaction(allTenants, (tx) => noteIn(ctx, tx, actor, difference, wanted));
}

function noteIn(ctx: AppContext, tx: Tx, actor: Actor, difference: Difference, { key, reason }: Wanted): Promise<void> {
  return audit(ctx, tx, actor, {
    action: 'books.mend',
    objectType: 'difference',
    objectId: key,
    before: difference,
    after: { action: difference.repair.action, reason },
  });
}
