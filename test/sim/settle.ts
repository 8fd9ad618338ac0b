import { setTimeout as sleep } from 'node:timers/promises';
import { bookAgain } from './fund.ts';
import { Disagreement } from './judge.ts';
import { type Order, place } from './order.ts';
import type { Play } from './player.ts';

const finalStates = new Set(['done', 'refused', 'cancelled']);
/** Longer than any back-off that the documents know. A stuck operation is a finding, not a slow machine. */
const settleLimitMs = 240_000;
const parkedLimitMs = 30_000;

export interface Settled {
  /** From the end of the faults to the last operation's end. */
  readonly slowestMs: number;
}

/** All faults end, every call gets its answer, every operation comes to its end. */
export async function settle(play: Play): Promise<Settled> {
  const { world, ledger, pending } = play;
  await Promise.all(pending.splice(0));
  await world.heal();
  const started = performance.now();
  let openSince = false;
  for (;;) {
    const waited = performance.now() - started;
    await bookAgain(world, ledger.deposits);
    for (const order of ledger.orders) if (order.answer === 'none') await place(world, order);
    const open = await openOperations(play);
    if (open.length === 0) return { slowestMs: openSince ? waited : 0 };
    openSince = true;
    const parked = open.find((each) => (each as { state?: string }).state === 'action_required');
    // docs/guide/operations.md: only what can be proven neither way waits for a person, and here everything can be asked.
    if (parked !== undefined && waited > parkedLimitMs) {
      throw new Disagreement(`waits for a person though the registry can be asked: ${JSON.stringify(parked)}`);
    }
    if (waited > settleLimitMs)
      throw new Disagreement(`not settled after ${settleLimitMs} ms: ${JSON.stringify(open)}`);
    await sleep(200);
  }
}

async function openOperations(play: Play): Promise<unknown[]> {
  const { world, ledger } = play;
  const open: unknown[] = ledger.deposits.filter(({ answer }) => answer === 'none');
  for (const order of ledger.orders) {
    if (order.answer === 'none') open.push(order.request);
    if (order.operationId === undefined || order.finalAt !== undefined) continue;
    const { status, body } = await world.call('GET', `/v1/operations/${order.operationId}`);
    if (status !== 200) {
      open.push(order.operationId);
      continue;
    }
    order.state = body.state as string;
    if (finalStates.has(order.state)) order.finalAt = await world.now();
    else {
      open.push({ operation: order.operationId, kind: body.kind, state: order.state, steps: body.steps });
      await decideReview(play, order);
    }
  }
  const listed = await world.call('GET', '/v1/operations?limit=20');
  if (listed.status !== 200) open.push('operations cannot be listed');
  else
    for (const each of listed.body)
      if (!each.is_final) open.push({ operation: each.operation_id, state: each.state, kind: each.kind });
  return open;
}

/** A registry that looks at documents has looked at them by now. */
async function decideReview({ world }: Play, order: Order): Promise<void> {
  if (order.verb !== 'register' || order.state !== 'waiting_registry') return;
  await world.control('POST', `/domains/${order.name}/review`, { decision: 'approve' });
}
