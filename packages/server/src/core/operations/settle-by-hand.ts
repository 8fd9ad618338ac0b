import { everyTenant } from '@namehold/base';
import { notFound, Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { decideOperation } from './decide.ts';
import { type AnyOperation, findAnyOperation } from './list-all.sql.ts';
import { type Choice, isFinal, type Operation } from './operation.ts';

export interface HandOrder {
  readonly decision: Choice;
  readonly reason: string;
  readonly isDryRun: boolean;
}

export interface HandSettled {
  readonly says: string;
  readonly operation: AnyOperation;
}

const meaning: Readonly<Record<Choice, string>> = {
  done: 'settle it as done: the registry is asked once more and must show it, or refuse to tell; money on hold is taken, with the operator as proof',
  refused: 'settle it as refused: money on hold goes back, and what the order made here is undone',
  ask_again: 'ask the registry again now, and settle it by what it says',
};

/** The one way in which a person ends an operation that does not end by itself. */
export async function settleByHand(house: House, actor: Actor, id: string, order: HandOrder): Promise<HandSettled> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  const db = house.db.as(everyTenant);
  const before = await findAnyOperation(db, id);
  if (!before) throw notFound('operation');
  if (isFinal(before.state))
    throw new Refusal('conflict', `operation ${id} is ${before.state} already`, { facts: { operationId: id } });
  if (before.approval_until)
    throw new Refusal('conflict', `operation ${id} waits for a second yes, which is its reseller's to say`, {
      facts: { operationId: id },
    });
  const says = `${meaning[order.decision]} (${before.kind} ${before.domain_name ?? ''}, ${before.state})`;
  if (order.isDryRun) return { says, operation: before };
  // Money must not go back for what the registry plainly shows: it is asked before a refusal counts.
  if (order.decision === 'refused') {
    await decideOperation(house, actor, id, { says: 'ask_again', reason: order.reason, onlyAsks: true });
    const asked = (await findAnyOperation(db, id))!;
    if (isFinal(asked.state))
      throw contrary(asked, `the registry was asked first, and by what it shows it is ${asked.state}`);
  }
  await decideOperation(house, actor, id, { says: order.decision, reason: order.reason });
  const after = (await findAnyOperation(db, id))!;
  if (order.decision === 'done' && !isFinal(after.state))
    throw contrary(
      after,
      `the registry does not show it: ${after.attention?.why ?? `it is ${after.state}`}. Ask again later, or refuse it and order it anew`,
    );
  return { says, operation: after };
}

function contrary(operation: Operation, why: string): Refusal {
  return new Refusal('conflict', `operation ${operation.id} was not settled so: ${why}`, {
    facts: { operation_id: operation.id, operation_state: operation.state },
  });
}
