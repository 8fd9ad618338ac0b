import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { appendEvent } from '../../events/append.ts';
import { describe } from '../../model/evidence.ts';
import type { OperationOf, Refused } from '../../model/operation.ts';
import type { Found, Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { Evidence, RegistryTransfer, Reply } from '../../ports/registry.ts';
import { lockDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { applyView } from '../compare/sync.ts';
import { refuseUnpaidRenewal } from '../end/overdue.ts';
import { domainEvent, failed } from '../registry/outcome.ts';
import { refusedWith } from '../registry/read-registry-domain.ts';
import { mayBeStaleRead } from '../registry/stale-read.ts';

type Answering = 'approve_transfer' | 'reject_transfer';

/** An approval counts whether it was ours or automatic by the registry: the domain is gone either way. */
const wantedEnd: Record<Answering, RegExp> = { approve_transfer: /Approved$/, reject_transfer: /^clientRejected$/ };

export const approveTransferWorkflow: Workflow<'approve_transfer'> = {
  kind: 'approve_transfer',
  run: (run) => answer(run, (name, context) => run.registry.approveTransfer(name, context)),
  async recheck(_ctx, tx, operation) {
    const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
    requireAllowed(domain, 'answer_transfer');
    refuseUnpaidRenewal(domain);
  },
  cancel: recordCancelled,
};

export const rejectTransferWorkflow: Workflow<'reject_transfer'> = {
  kind: 'reject_transfer',
  run: (run) => answer(run, (name, context) => run.registry.rejectTransfer(name, context)),
  cancel: recordCancelled,
};

async function recordCancelled(ctx: AppContext, tx: Tx, operation: OperationOf<Answering>): Promise<void> {
  await appendEvent(ctx, tx, domainEvent(operation, 'domain.transfer_answer_cancelled', {}));
}

type Send = (
  name: string,
  context: Parameters<Run['registry']['approveTransfer']>[1],
) => Promise<Reply<RegistryTransfer | null>>;

/**
 * A lost answer is determined by the status of the transfer (RFC 5730 2.9.2.4): only a transfer that is still pending is answered again.
 */
async function answer(run: Run<Answering>, send: Send): Promise<WorkflowResult<{ readonly status: string }>> {
  const { kind, request } = run.operation;
  const reply = await run.command(
    kind,
    (context) => send(request.name, context),
    () => findOutcome(run),
  );
  if (reply.kind !== 'done') return notTaken(run, reply);
  const transfer = reply.data;
  const after = await run.registry.info(request.name);
  if (after.kind !== 'done')
    return { kind: 'unknown', why: 'the transfer is answered; the status of the domain is not known yet' };
  // A stale view still shows the pending transfer. After a while the view is accepted, because there may be a new transfer request.
  const isPending = after.data?.isOurs && after.data.statuses.includes('pendingTransfer');
  if (isPending && (kind === 'approve_transfer' || mayBeStaleRead(run)))
    return { kind: 'unknown', why: 'the registry does not show the answer yet' };
  return {
    kind: 'done',
    evidence: reply.evidence,
    outcome: { status: transfer?.status ?? (kind === 'approve_transfer' ? 'clientApproved' : 'clientRejected') },
    async settle(tx) {
      const { ctx, operation } = run;
      const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
      await appendEvent(ctx, tx, answered(operation));
      await applyView(ctx, tx, domain, after.data, await rulesOf(tx, domain), ctx.clock.now(), { transfer });
    },
  };
}

function answered(operation: OperationOf<Answering>) {
  if (operation.kind === 'approve_transfer')
    return domainEvent(operation, 'domain.transfer_approved', { registrar: operation.request.registrar });
  const { registrar, reason } = operation.request;
  return domainEvent(operation, 'domain.transfer_rejected', { registrar, reason });
}

async function findOutcome(run: Run<Answering>): Promise<Found<RegistryTransfer | null>> {
  const { kind, request } = run.operation;
  const queryReply = await run.registry.queryTransfer(request.name);
  if (queryReply.kind === 'unknown' || queryReply.kind === 'unsent') return { kind: 'unknown', why: queryReply.why };
  // If the domain is no longer ours, the registry may refuse the transfer query. Its sponsor is evidence enough.
  if (queryReply.kind === 'refused') return byRegistrant(run);
  const transfer = queryReply.data;
  if (transfer === null || transfer.isToUs)
    return { kind: 'refused', evidence: { code: 2301, text: 'no transfer is pending' } };
  if (transfer.status === 'pending') return { kind: 'never' };
  if (wantedEnd[kind].test(transfer.status)) return { kind: 'done', data: transfer };
  return { kind: 'refused', evidence: { code: 2301, text: `the transfer is over: ${transfer.status}` } };
}

async function byRegistrant(run: Run<Answering>): Promise<Found<RegistryTransfer | null>> {
  const { kind, request } = run.operation;
  const shown = await run.registry.info(request.name);
  if (shown.kind === 'refused') return run.noAnswer(describe(shown.evidence));
  if (shown.kind !== 'done') return { kind: 'unknown', why: shown.why };
  const isGone = shown.data === null || !shown.data.isOurs;
  if (isGone && kind === 'approve_transfer') return { kind: 'done', data: null };
  if (isGone) return { kind: 'refused', evidence: { code: 2301, text: 'the domain is at another registrar already' } };
  return shown.data!.statuses.includes('pendingTransfer')
    ? { kind: 'never' }
    : { kind: 'refused', evidence: { code: 2301, text: 'no transfer is pending' } };
}

/** Usually refused because it came too late, so the transfer is queried again at once. */
function notTaken(run: Run<Answering>, reply: Exclude<Reply<unknown>, { kind: 'done' }>): WorkflowResult<never> {
  const { ctx, operation } = run;
  const undo = async (tx: Tx, evidence: Evidence) => {
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.transfer_answer_refused', facts));
  };
  return failed(run, reply, undo, tooLate(run, reply) ?? refusedWith(reply));
}

function tooLate(run: Run<Answering>, reply: Reply<unknown>): Refused['error'] {
  if (reply.kind !== 'refused' || reply.evidence.code !== 2301) return undefined;
  return {
    code: 'conflict',
    sentence: `${run.operation.request.name}: ${reply.evidence.text ?? 'no transfer is pending'}`,
  };
}
