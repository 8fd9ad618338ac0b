import { setTimeout as sleep } from 'node:timers/promises';
import { nudge, readRegistered } from './facts.ts';
import { bookAgain } from './fund.ts';
import { wishMode } from './modes.ts';
import { endOffers } from './moves.ts';
import { Disagreement } from './oracle/disagreement.ts';
import { DueWait, overdue } from './oracle/due.ts';
import { verificationRequests } from './oracle/verification.ts';
import { type Order, place } from './order.ts';
import { type Play, review } from './player.ts';
import { confirmAll } from './registrants.ts';
import { decideTransfer } from './transfers.ts';

const finalStates = new Set(['done', 'refused', 'cancelled']);
/**
 * Attempts and time without progress since the end of the faults. A stuck operation is a finding, a slow machine is not,
 * and for its first minute an operation may wait for a registry that returns an older state of the domain.
 */
const attemptsInVain = 15;
const vainMs = 90_000;
/** For operations without attempts. */
const settleLimitMs = 600_000;
const parkedLimitMs = 30_000;
const lookEveryMs = 250;
const openAtMost = 100;

/** As the operator sees it. */
interface OpenOperation {
  readonly operation_id: string;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly domain_name: string | null;
  readonly steps: unknown;
}

/** Ends all faults; every call gets its answer and every operation ends. Each order then knows its time after the faults. */
export async function settle(play: Play): Promise<void> {
  const { installation, ledger, pending } = play;
  await Promise.all(pending.splice(0));
  await installation.heal();
  const [started, healedAt] = [performance.now(), Date.now()];
  const dueWait = new DueWait();
  const firstSeen = new Map<string, { attempts: number; at: number }>();
  for (;;) {
    const waited = performance.now() - started;
    await bookAgain(installation, ledger.deposits);
    for (const order of ledger.orders) if (order.answer === 'none') await place(installation, order);
    for (const wish of ledger.wishes) if (wish.answer === 'none') await wishMode(installation, wish);
    const log = await ledger.events.read(installation, ledger);
    const isConfirmed = await confirmAll(play, (name) => verificationRequests(log, name).length > 0);
    const isQuiet = (await endOffers(play)) && isConfirmed;
    const open = await lookAround(play, healedAt);
    const left = open.length === 0 && isQuiet ? await overdue(play) : [];
    if (open.length === 0 && isQuiet && left.length === 0) return;
    if (left.length > 0) await dueWait.wait(play, left);
    for (const each of open) await helpAlong(play, each, waited);
    for (const { operation_id, attempts } of open)
      if (!firstSeen.has(operation_id)) firstSeen.set(operation_id, { attempts, at: waited });
    const vain = open.find(({ operation_id, attempts }) => {
      const first = firstSeen.get(operation_id)!;
      return attempts - first.attempts > attemptsInVain && waited - first.at > vainMs;
    });
    if (vain !== undefined) throw new Disagreement('stuck', `attempts without progress: ${JSON.stringify(vain)}`);
    if (waited > settleLimitMs)
      throw new Disagreement('stuck', `not settled after ${settleLimitMs} ms: ${JSON.stringify(open)}`);
    await sleep(lookEveryMs);
  }
}

async function lookAround({ installation, ledger }: Play, healedAt: number): Promise<OpenOperation[]> {
  const unanswered = [...ledger.deposits, ...ledger.orders, ...ledger.wishes].filter(({ answer }) => answer === 'none');
  const open = unanswered.map((): OpenOperation => nameless('no answer to the order'));
  const path = `/v1/operator/operations?state=open&limit=${openAtMost}`;
  const listed = await installation.call('GET', path, { as: 'operator' });
  if (listed.status !== 200) return [...open, nameless('operations cannot be listed')];
  open.push(...(listed.body as OpenOperation[]));
  const running = new Set(open.map(({ operation_id }) => operation_id));
  // A truncated list proves nothing about the rest.
  const isWhole = (listed.body as unknown[]).length < openAtMost;
  const ended = ledger.orders.filter(
    ({ finalAt, operationId }) =>
      finalAt === undefined && operationId !== undefined && isWhole && !running.has(operationId),
  );
  await Promise.all(ended.map((order) => readEnd(installation, order, healedAt)));
  const stillOpen = ended.filter(({ finalAt }) => finalAt === undefined);
  return [...open, ...stillOpen.map(({ operationId }) => nameless(operationId ?? ''))];
}

const nameless = (operation_id: string): OpenOperation => ({
  operation_id,
  kind: '',
  state: '',
  attempts: 0,
  domain_name: null,
  steps: [],
});

/** By its own record: the time of this check proves nothing. */
async function readEnd(installation: Play['installation'], order: Order, healedAt: number): Promise<void> {
  const { status, body } = await installation.call('GET', `/v1/operations/${order.operationId}`, {
    as: order.buyer.caller,
  });
  if (status !== 200 || !finalStates.has(body.state)) return;
  order.state = body.state as string;
  // A process whose clock was ahead may have written a later time.
  const endedAt = Math.min(Date.parse(body.updated_at), Date.now());
  order.settledMs = Math.max(0, endedAt - healedAt);
  order.finalAt = await installation.now();
}

/** External decisions: a registry's review, an operator's manual review. */
async function helpAlong(play: Play, open: OpenOperation, waited: number): Promise<void> {
  const { installation } = play;
  if (open.kind === 'register' && open.state === 'waiting_registry' && open.domain_name !== null) {
    await review(play, open.domain_name, 'approve');
    await nudge(installation);
  }
  if (open.kind === 'transfer' && open.state === 'waiting_registry') await decideTransfer(play, open.operation_id);
  // An offer waits only for the new reseller.
  if (open.state !== 'action_required' || open.kind === 'move') return;
  if (open.kind === 'restore' && (await decideRestore(play, open))) return;
  // docs/guide/operations.md: only unproven outcomes wait for manual review, and here everything can be queried.
  if (waited > parkedLimitMs)
    throw new Disagreement(
      'stuck',
      `waits for manual review though the registry can be queried: ${JSON.stringify(open)}`,
    );
}

/**
 * docs/operate/reconciliation.md: an unproven outcome waits for the operator, who checks the registry's statement. This includes a
 * restore if the domain has been dropped since, or returned to redemption because no report came in time.
 */
async function decideRestore({ installation, ledger }: Play, open: OpenOperation): Promise<boolean> {
  const { operation_id, domain_name } = open;
  const order = ledger.orders.find(({ operationId }) => operationId === operation_id);
  if (order === undefined || domain_name === null) return false;
  const lines = (await ledger.statement.read(installation)).get(domain_name) ?? [];
  const isPaid = lines.some(({ command, at }) => command === 'restore' && at >= order.placedAt);
  const there = await readRegistered(installation, domain_name);
  const isGone = there === undefined;
  const fellBack = isPaid && (there?.phase === 'redemption' || there?.phase === 'pendingDelete');
  if (!isGone && !fellBack) return false;
  // Done is accepted only for what the registry can still show.
  order.decided = fellBack ? 'done' : 'refused';
  const json = { decision: order.decided, reason: 'by the statement of the registry' };
  await installation.call('POST', `/v1/operator/operations/${operation_id}/settle`, { json, as: 'operator' });
  return true;
}
