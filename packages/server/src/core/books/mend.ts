import { everyTenant, type Tx } from '@namehold/base';
import { clearAlarm, openAlarms } from '../alarms/alarm.ts';
import { audit } from '../audit/audit.ts';
import { bringHomeNow } from '../domains/compare/find-lost.ts';
import { importDomains } from '../domains/compare/import.ts';
import { reconcileNames } from '../domains/compare/reconcile.ts';
import { notFound, Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { capture } from '../ledger/capture.ts';
import { refund } from '../ledger/refund.ts';
import { release } from '../ledger/release.ts';
import { type AnyOperation, findAnyOperation } from '../operations/list-all.sql.ts';
import { isFinal } from '../operations/operation.ts';
import { reopen } from '../operations/reopen.ts';
import { settleByHand } from '../operations/settle-by-hand.ts';
import { bookStatement } from './book-statement.ts';
import type { Difference, MendAct } from './difference.ts';
import { acceptIncoming } from './incoming.ts';
import { lookAgain } from './look-again.ts';
import { givenUpRegistration, lastHolder, lockPurchase, takeForPaid } from './mend.sql.ts';
import { lookAtOrder } from './second-look.ts';
import { undelete } from './undelete.ts';

export interface Wanted {
  /** Of the difference, as `verify` and the alarms name it. */
  readonly key: string;
  readonly reason: string;
  readonly isDryRun: boolean;
}

export interface Mended {
  readonly key: string;
  readonly act: MendAct;
  readonly isDone: boolean;
  readonly says: string;
}

/** Every open difference, oldest first. */
export async function openDifferences(house: House): Promise<{ key: string; difference: Difference }[]> {
  const alarms = await openAlarms(house);
  return alarms.flatMap(({ key, facts }) =>
    key.startsWith('books:') && 'mend' in facts ? [{ key, difference: facts as unknown as Difference }] : [],
  );
}

/** Carries out what `verify` suggests for one difference. It looks again under a lock: what is right by now is left alone. */
export async function mend(house: House, actor: Actor, wanted: Wanted): Promise<Mended> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  const found = (await openDifferences(house)).find(({ key }) => key === wanted.key);
  if (!found) throw notFound(`open difference ${wanted.key}`);
  const { difference } = found;
  const { act, words } = difference.mend;
  const answer = (isDone: boolean, says: string): Mended => ({ key: wanted.key, act, isDone, says });
  if (act === 'by_hand') {
    if (wanted.isDryRun) return answer(false, `by hand: ${words}`);
    throw new Refusal('conflict', `This needs a manual decision: ${words}`);
  }
  const { says, isDone = true } = await acts[act](house, actor, difference, wanted);
  if (wanted.isDryRun) return answer(false, `would ${says}`);
  if (isDone) await clearAlarm(house, wanted.key);
  return answer(isDone, says);
}

interface Acted {
  readonly says: string;
  /** False where it was tried and the difference is still there. */
  readonly isDone?: boolean;
}
type Act = (house: House, actor: Actor, difference: Difference, wanted: Wanted) => Promise<Acted>;

const acts: Readonly<Record<Exclude<MendAct, 'by_hand'>, Act>> = {
  capture: (house, actor, difference, wanted) =>
    moveMoney(house, actor, difference, wanted, ['done'], 'pending', (tx, transactionId) =>
      capture(house, tx, { transactionId }),
    ),
  release: (house, actor, difference, wanted) =>
    moveMoney(house, actor, difference, wanted, ['refused', 'cancelled'], 'pending', (tx, transactionId) =>
      release(house, tx, { transactionId }),
    ),
  refund: (house, actor, difference, wanted) =>
    moveMoney(house, actor, difference, wanted, ['refused', 'cancelled'], 'completed', (tx, transactionId) =>
      refund(house, tx, { transactionId }),
    ),
  async ask_again(house, actor, difference, { reason, isDryRun }) {
    const order = { decision: 'ask_again' as const, reason, isDryRun };
    const { says, operation } = await settleByHand(house, actor, difference.operation_id!, order);
    return isFinal(operation.state) ? { says } : { says: `${says}: it is ${operation.state} still`, isDone: false };
  },
  reopen: (house, actor, difference, wanted) => takeUp(house, actor, difference.operation_id!, wanted),
  async reconcile(house, actor, difference, wanted) {
    const says = `compare ${difference.name} with its registry and take over what it says`;
    if (wanted.isDryRun) return { says };
    await note(house, actor, difference, wanted);
    const [report] = await reconcileNames(house, [difference.name!]);
    const still = await lookAgain(house, difference);
    if (still === undefined) return { says: `${report?.name}: ${report?.outcome}` };
    const then = `the difference is still there (${still}). For a person: ${difference.mend.words}`;
    return { says: `${report?.name}: ${report?.outcome}; ${then}`, isDone: false };
  },
  async adopt(house, actor, difference, wanted) {
    const { name, registry_id } = difference;
    const db = house.db.as(everyTenant);
    // Whose order made it, or whose tombstone it is, is not guessed: then it is that one again, with what was paid for it.
    const givenUp = await givenUpRegistration(db, name!);
    if (givenUp) return takeUp(house, actor, givenUp, wanted);
    const holder = await lastHolder(db, name!);
    if (!holder) {
      const command = `namehold domain import ${name} --registry ${registry_id} --reseller ID --customer ID`;
      throw new Refusal('conflict', `No account here ever held ${name}. Name the new owner: ${command}`);
    }
    if (wanted.isDryRun) return { says: `adopt ${name} for reseller ${holder.reseller_id}` };
    await note(house, actor, difference, wanted);
    const back = await bringHomeNow(house, holder.id);
    if (back) return { says: `brought ${name} back for reseller ${holder.reseller_id}, ${back}` };
    const order = {
      registryId: registry_id!,
      names: [name!],
      resellerId: holder.reseller_id,
      customerId: holder.customer_id,
      isOurDoing: true,
    };
    const [report] = await importDomains(house, order);
    if (report?.outcome !== 'imported') throw new Refusal('conflict', `${name}: ${report?.outcome}, ${report?.detail}`);
    return { says: `adopted ${name} for reseller ${holder.reseller_id}, ${report.detail}` };
  },
  async book(house, actor, difference, wanted) {
    const note = (tx: Tx) => noteIn(house, tx, actor, difference, wanted);
    return { says: await bookStatement(house, difference, note, wanted.isDryRun) };
  },
  async accept(house, actor, difference, wanted) {
    const accepted = acceptIncoming[difference.rule];
    if (accepted) return acceptRow(house, actor, difference, wanted, accepted);
    const says = `take the term of ${difference.name} for paid, because: ${wanted.reason}`;
    if (wanted.isDryRun) return { says };
    await house.db.transaction(everyTenant, async (tx) => {
      if (!(await takeForPaid(tx, difference.domain_id!)))
        throw new Refusal('conflict', `${difference.name} has changed since it was reported. Run namehold verify.`);
      await noteIn(house, tx, actor, difference, wanted);
    });
    return { says };
  },
  async undelete(house, actor, difference, wanted) {
    let back: string[] = [];
    await house.db
      .transaction(everyTenant, async (tx) => {
        back = await undelete(house, tx, actor, difference.subject);
        await noteIn(house, tx, actor, difference, wanted);
        if (wanted.isDryRun) throw new DryRun();
      })
      .catch(unlessDryRun);
    return { says: back.length === 0 ? 'do nothing: nothing is deleted any more' : `bring back ${back.join(', ')}` };
  },
};

async function acceptRow(
  house: House,
  actor: Actor,
  difference: Difference,
  wanted: Wanted,
  accepted: (typeof acceptIncoming)[string],
): Promise<Acted> {
  const { subject } = difference;
  const says = `take ${subject} for dealt with, because: ${wanted.reason}`;
  if (wanted.isDryRun) return { says };
  await house.db.transaction(everyTenant, async (tx) => {
    if (!(await accepted(tx, subject.split(' ').at(-1)!, house.clock.now())))
      throw new Refusal('conflict', `${subject} has changed since it was reported. Run namehold verify.`);
    await noteIn(house, tx, actor, difference, wanted);
  });
  return { says };
}

async function takeUp(house: House, actor: Actor, id: string, wanted: Wanted): Promise<Acted> {
  const operation = await requireLate(house, id);
  const says = `take ${operation.kind} ${operation.domain_name} up again as operation ${id}`;
  await reopen(house, actor, operation, wanted);
  if (wanted.isDryRun) return { says };
  const after = (await findAnyOperation(house.db.as(everyTenant), id))!;
  return after.state === 'done' ? { says } : { says: `${says}: it is ${after.state} now`, isDone: false };
}

/** What the registry shows may have been undone, or paid for by another order, since it was found. */
async function requireLate(house: House, id: string): Promise<AnyOperation> {
  const operation = await findAnyOperation(house.db.as(everyTenant), id);
  if (!operation) throw notFound('operation');
  const found = await lookAtOrder(house, operation);
  if (found === 'arrived') return operation;
  const why = found === 'silent' ? 'the registry does not tell' : 'the registry no longer shows it as carried out';
  throw new Refusal('conflict', `Operation ${id} was not changed: ${why}.`);
}

class DryRun extends Error {}

function unlessDryRun(error: unknown): void {
  if (!(error instanceof DryRun)) throw error;
}

/** Only where the purchase and its operation stand as the difference says; a dry run does it all and takes it back. */
async function moveMoney(
  house: House,
  actor: Actor,
  difference: Difference,
  wanted: Wanted,
  states: readonly string[],
  status: string,
  move: (tx: Tx, transactionId: string) => Promise<unknown>,
): Promise<Acted> {
  const {
    transaction_id,
    mend: { act },
  } = difference;
  const says = `${act} transaction ${transaction_id} of ${difference.amount} ${difference.currency} (${difference.name})`;
  await house.db
    .transaction(everyTenant, async (tx) => {
      const present = await lockPurchase(tx, transaction_id!);
      if (!present || present.status !== status || !states.includes(present.state ?? ''))
        throw new Refusal(
          'conflict',
          `Transaction ${transaction_id} is ${present?.status} and its operation is ${present?.state}. Run namehold verify.`,
        );
      if (act !== 'capture' && present.was_bought)
        throw new Refusal(
          'conflict',
          `The registry's answer or the domain shows that ${difference.name} was bought. Nothing is refunded.`,
        );
      await move(tx, transaction_id!);
      await noteIn(house, tx, actor, difference, wanted);
      if (wanted.isDryRun) throw new DryRun();
      await actor.idempotency?.complete(tx, { key: wanted.key, act, isDone: true, says } satisfies Mended);
    })
    .catch(unlessDryRun);
  return { says };
}

function note(house: House, actor: Actor, difference: Difference, wanted: Wanted): Promise<void> {
  return house.db.transaction(everyTenant, (tx) => noteIn(house, tx, actor, difference, wanted));
}

function noteIn(house: House, tx: Tx, actor: Actor, difference: Difference, { key, reason }: Wanted): Promise<void> {
  return audit(house, tx, actor, {
    action: 'books.mend',
    objectType: 'difference',
    objectId: key,
    before: difference,
    after: { act: difference.mend.act, reason },
  });
}
