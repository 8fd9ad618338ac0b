import type { Tx } from '@namehold/postgres';
import { raiseAlarm } from '../../alarms/alarm.ts';
import type { NewEvent } from '../../events/append.ts';
import type { OperationEvent, PayloadOf } from '../../events/catalogue.ts';
import type { OperationOf, Refused } from '../../model/operation.ts';
import type { DomainKind } from '../../model/operation-kinds.ts';
import type { Run, WorkflowResult } from '../../operations/run.ts';
import type { Evidence, Reply } from '../../ports/registry.ts';

const lowBalanceRetryMs = 30_000;

/** Handles any result but success. A definite refusal is undone; a missing answer or an unreachable registry keeps everything as it is. */
export function failed(
  run: Run,
  reply: Exclude<Reply<unknown>, { kind: 'done' }>,
  undo: (tx: Tx, evidence: Evidence) => Promise<void>,
  error?: Refused['error'],
): WorkflowResult<never> {
  if (reply.kind === 'unknown') return { kind: 'unknown', why: reply.why, evidence: reply.evidence };
  if (reply.kind === 'unsent') return { kind: 'unsent', why: reply.why };
  const { evidence } = reply;
  if (evidence.code === 2104) return lowBalance(run, evidence);
  const { own, text = '' } = evidence;
  const stated = error ?? (own && { code: own.code, sentence: text, field: own.field });
  return { kind: 'refused', evidence, ...(stated ? { error: stated } : {}), settle: (tx) => undo(tx, evidence) };
}

/**
 * RFC 5730 2104: our own account at the registry is empty. The order waits and the operator gets an alarm; the buyer's order does not
 * fail.
 */
function lowBalance(run: Run, evidence: Evidence): WorkflowResult<never> {
  void raiseAlarm(run.ctx, {
    key: `registry:${run.registry.id}:balance`,
    severity: 'critical',
    sentence: `registry ${run.registry.id} refuses orders for lack of money (2104); they wait until the account is funded`,
  }).catch((raised: unknown) => run.ctx.log.error({ err: raised }, 'failed to store an alarm'));
  return { kind: 'waiting', evidence, why: 'the registry account lacks money', retryMs: lowBalanceRetryMs };
}

/** The outcome cannot be determined, and a guess would lose money. Everything stays as it is until the operator decides. */
export function needsReview(run: Run<DomainKind>, why: string, evidence?: Evidence): WorkflowResult<never> {
  return {
    kind: 'action_required',
    why: `${run.operation.request.name}: ${why}`,
    facts: {
      domain_id: run.operation.domain_id,
      transaction_id: run.operation.transaction_id,
      evidence: evidence ?? {},
    },
    choices: ['done', 'refused', 'ask_again'],
    ...(evidence ? { evidence } : {}),
  };
}

/** An event about the domain of an operation, with the fields that every such event has. */
export function domainEvent<T extends OperationEvent>(
  operation: OperationOf<DomainKind>,
  type: T,
  more: Omit<PayloadOf<T>, 'domain_id' | 'domain_name' | 'operation_id' | 'transaction_id'>,
): NewEvent {
  return {
    resellerId: operation.reseller_id,
    type,
    objectId: operation.domain_id,
    requestId: operation.request_id,
    payload: {
      domain_id: operation.domain_id,
      domain_name: operation.request.name,
      operation_id: operation.id,
      transaction_id: operation.transaction_id,
      ...more,
    },
  } as NewEvent;
}
