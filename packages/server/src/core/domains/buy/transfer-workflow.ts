import { addDays } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { addYears } from '../../model/domain.ts';
import type { EncryptedSecrets } from '../../model/domain-change.ts';
import { describe } from '../../model/evidence.ts';
import type { Kinds, TransferPlan } from '../../model/operation-kinds.ts';
import { notifyRegistrant } from '../../notices/notify-recipients.ts';
import type { Found, Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { CommandContext, Evidence, Reply } from '../../ports/registry.ts';
import { readDomain, readDomainWithRules } from '../../tables/domain.sql.ts';
import { bringBack } from '../compare/missing.sql.ts';
import { readNewDomain } from '../domain.sql.ts';
import { asOurRecords } from '../registry/as-our-records.ts';
import { domainEvent, failed, needsReview } from '../registry/outcome.ts';
import { readRegistryDomain } from '../registry/read-registry-domain.ts';
import { TransferOutcomeQuery, type TransferStatus } from '../registry/transfer-outcome-query.ts';
import { complete } from '../transfer-in/complete.ts';
import { endTransfer, type TransferEnd, transferEnds } from '../transfer-in/end.ts';
import { transferParties } from '../transfer-in/parties.ts';
import { transferPolicy, waitMs } from '../transfer-in/policy.ts';
import { settleTransferIn } from '../transfer-in/settle-transfer-in.ts';
import { noteTransfer, stateOfOther } from '../transfer-in/transfer.sql.ts';
import { isWrongCode } from '../transfer-in/validity.ts';
import { refuseOwnPrice } from './premium-fee.ts';
import { protectNew } from './protect-new.ts';

type Outcome = Kinds['transfer']['outcome'];

/**
 * RFC 5731 3.2.4: after the request the current registrar or a timeout decides. The transfer is done when the registry shows us as the
 * sponsor.
 */
export const transferWorkflow: Workflow<'transfer'> = {
  kind: 'transfer',
  async run(run) {
    const attempt = new Transfer(run);
    const { plan } = attempt;
    if (plan.is_cancelled) return attempt.cancel('cancelled');
    if (plan.code_until !== undefined) return attempt.waitForCode(plan.code_until);
    const reply = await attempt.request();
    if (attempt.outcomeQuery.ambiguousOutcome)
      return needsReview(run, attempt.outcomeQuery.ambiguousOutcome, evidenceOf(reply));
    if (reply.kind === 'refused' && isWrongCode(reply.evidence)) return attempt.codeRefused(reply.evidence);
    if (reply.kind !== 'done') return attempt.stopped(reply);
    if (!reply.pending) return attempt.arrived(reply.data, reply.evidence);
    const due = reply.data.transfer?.actionAt;
    const isOverdue = due && transferPolicy.isOverdue(due, run.ctx.clock.now());
    // The current registrar does not answer and the registry does not decide: the transfer is cancelled, so that the money is released.
    return isOverdue ? attempt.cancel('timed_out') : attempt.pending(reply.data, reply.evidence);
  },
  async cancel(ctx, tx, operation) {
    await endTransfer(ctx, tx, operation, {
      reason: 'cancelled',
      transfer: undefined,
      why: transferEnds.cancelled.registrant,
    });
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.transfer_in_cancelled', {}));
  },
  async reopen(ctx, tx, operation) {
    if (!(await bringBack(tx, operation.domain_id, 'pending', ctx.clock.now())))
      throw new Refusal('conflict', `${operation.request.name} was taken by another order in the meantime.`);
  },
  asDone(ctx, { domain_id, request }) {
    const before = request.from ? new Date(request.from) : null;
    const expiresAt = before && addYears(before, request.years);
    return asOurRecords(ctx, domain_id, { statuses: [], expiresAt, transferredAt: ctx.clock.now() });
  },
};

const evidenceOf = (reply: Reply<unknown>): Evidence | undefined => ('evidence' in reply ? reply.evidence : undefined);

/** One attempt at one transfer. */
class Transfer {
  readonly #run: Run<'transfer'>;
  readonly outcomeQuery: TransferOutcomeQuery;
  plan: TransferPlan;

  constructor(run: Run<'transfer'>) {
    this.#run = run;
    this.outcomeQuery = new TransferOutcomeQuery(run);
    this.plan = run.operation.outcome?.plan ?? { before: null };
  }

  #findOutcome = (): Promise<Found<TransferStatus>> => this.outcomeQuery.findOutcome(this.plan.before);

  request(): Promise<Reply<TransferStatus>> {
    return this.#run.command('transfer', (context) => this.#send(context), this.#findOutcome);
  }

  async #send(context: CommandContext): Promise<Reply<TransferStatus>> {
    const run = this.#run;
    const { name, years, fee } = run.operation.request;
    const before = await this.outcomeQuery.query();
    if (before.kind === 'unknown') return { kind: 'unsent', why: before.why };
    if (before.kind !== 'done') return before;
    const parties = await transferParties(run);
    // A contact with a lost answer is not an order with a lost answer.
    if (parties.kind === 'stopped')
      return parties.reply.kind === 'unknown' ? { kind: 'unsent', why: parties.reply.why } : parties.reply;
    await this.#keepPlan({
      ...this.plan,
      before: before.data?.isToUs ? (before.data.requestedAt?.toISOString() ?? null) : null,
    });
    const dearer = await refuseOwnPrice(run, 'transfer');
    if (dearer) return dearer;
    const paid = { years: years === 0 ? null : years, ...(fee ? { fee } : {}) };
    const order = { name, authCode: this.#code(), ...paid, ...parties.value };
    const reply = await run.registry.requestTransfer(order, context);
    return reply.kind === 'done' ? { ...reply, data: { transfer: reply.data, view: null } } : reply;
  }

  async #keepPlan(plan: TransferPlan): Promise<void> {
    this.plan = plan;
    await this.#run.keepPlan(plan);
  }

  #code(): string {
    const { ctx, operation } = this.#run;
    const opened = ctx.vault.open(operation.secrets_sealed!, `operation:${operation.id}`);
    return (JSON.parse(opened) as EncryptedSecrets).auth_code;
  }

  /** Not retried automatically: some registries count wrong codes and block registrars that send too many. */
  async codeRefused(evidence: Evidence): Promise<WorkflowResult<never>> {
    const { ctx, operation } = this.#run;
    const until = addDays(ctx.clock.now(), transferPolicy.codeDays).toISOString();
    await this.#keepPlan({ ...this.plan, code_until: until });
    return {
      ...this.#codeWanted(until),
      evidence,
      settle: async (tx) => {
        await this.#noteCodeRefused(tx);
        const facts = { registry_code: evidence.code, reason: describe(evidence), until };
        await appendEvent(ctx, tx, domainEvent(operation, 'domain.transfer_code_refused', facts));
      },
    };
  }

  /** Nothing is pending at the registry, so from now on this operation does not prevent other orders for the domain. */
  async #noteCodeRefused(tx: Tx): Promise<void> {
    const { ctx, operation } = this.#run;
    const { transfer } = await readDomain(tx, operation.domain_id);
    if (transfer?.status === 'code_refused') return;
    const noted = { requested_at: null, action_at: null, from_registrar: transfer?.from_registrar ?? null };
    await noteTransfer(tx, operation.domain_id, { ...noted, status: 'code_refused' }, ctx.clock.now());
  }

  async waitForCode(until: string): Promise<WorkflowResult<Outcome>> {
    const { ctx, operation } = this.#run;
    const own = { domainId: operation.domain_id, name: operation.request.name };
    const other = await stateOfOther(ctx.db.as(allTenants), own);
    // No other code can complete this transfer. Availability checks and orders of the domain get the same answer.
    if (other !== undefined && other !== 'pending') return this.#given(transferEnds.alreadyHere, 'refused');
    if (new Date(until) > ctx.clock.now())
      return { ...this.#codeWanted(until), settle: (tx) => this.#noteCodeRefused(tx) };
    return this.#given(transferEnds.noNewCode(new Date(until)), 'refused');
  }

  #codeWanted(until: string): Extract<WorkflowResult<never>, { kind: 'waiting' }> {
    const why = `the registry refused the auth code; send another until ${until.slice(0, 10)}, or cancel the transfer`;
    return {
      kind: 'waiting',
      why,
      attention: { why, facts: { until }, choices: ['new_auth_code', 'cancel'] },
    };
  }

  pending({ transfer }: TransferStatus, evidence: Evidence): WorkflowResult<never> {
    const { ctx, operation } = this.#run;
    const now = ctx.clock.now();
    return {
      kind: 'waiting',
      evidence,
      why: 'the current registrar has not decided yet',
      retryMs: waitMs(ctx.wall.now().getTime() - operation.created_at.getTime(), transfer?.actionAt ?? null, now),
      async settle(tx) {
        if (!transfer) return;
        const { domain } = await readDomainWithRules(tx, operation.domain_id);
        const shown = {
          status: transfer.status,
          from_registrar: transfer.losing,
          requested_at: transfer.requestedAt?.toISOString() ?? null,
          action_at: transfer.actionAt?.toISOString() ?? null,
        };
        // The event is appended once, and again only when the status or its date changes.
        if (domain.transfer?.status === shown.status && domain.transfer.action_at === shown.action_at) return;
        await noteTransfer(tx, operation.domain_id, shown, now);
        if (domain.transfer?.status !== shown.status)
          await notifyRegistrant(ctx, tx, domain, { kind: 'transfer_started', facts: {} });
        const { from_registrar, requested_at, action_at } = shown;
        const facts = { from_registrar, requested_at, action_at };
        await appendEvent(ctx, tx, domainEvent(operation, 'domain.transfer_in_pending', facts));
      },
    };
  }

  async arrived({ view, transfer }: TransferStatus, evidence: Evidence): Promise<WorkflowResult<Outcome>> {
    const run = this.#run;
    const { ctx, operation } = run;
    const { rules, theftProtection } = await readNewDomain(ctx.db.as(allTenants), operation.domain_id);
    const queryReply = view ? undefined : await readRegistryDomain(run, operation.request.name);
    const shown = view ?? (queryReply?.kind === 'done' ? queryReply.data : undefined);
    if (!shown)
      return { kind: 'unknown', why: 'the transfer is done; the status of the domain is not known yet', evidence };
    const completed = await complete(run, shown, rules);
    if (completed.kind === 'later')
      return { kind: 'unknown', why: `the domain is transferred; still to be set: ${completed.why}`, evidence };
    const protection = await protectNew(run, rules, theftProtection);
    return settleTransferIn(run, { ...completed, transfer, protection, rules }, evidence);
  }

  /** The registry's state is read first: a completed transfer is kept, a pending one is cancelled there. */
  async cancel(why: 'cancelled' | 'timed_out'): Promise<WorkflowResult<Outcome>> {
    const run = this.#run;
    const unsent = { text: 'cancelled before it was sent to the registry' };
    const status = await run.command<TransferStatus>(
      'transfer',
      async () => ({ kind: 'refused', evidence: unsent }),
      this.#findOutcome,
    );
    if (this.outcomeQuery.ambiguousOutcome)
      return needsReview(run, this.outcomeQuery.ambiguousOutcome, evidenceOf(status));
    if (status.kind === 'refused')
      return this.#given({ ...transferEnds.cancelled, text: status.evidence.text ?? unsent.text }, 'cancelled');
    if (status.kind !== 'done') return failed(run, status, async () => undefined);
    if (!status.pending) return this.arrived(status.data, status.evidence);
    const reply = await run.command(
      'transfer-cancel',
      (context) => run.registry.cancelTransfer(run.operation.request.name, context),
      () => this.#queryCancelled(),
    );
    if (reply.kind === 'unknown' || reply.kind === 'unsent') return failed(run, reply, async () => undefined);
    if (reply.kind === 'done' && !reply.pending)
      return why === 'cancelled'
        ? this.#given(transferEnds.cancelled, 'cancelled')
        : this.#given(transferEnds.notDecided, 'refused');
    // RFC 5730 3: 2301, not pending any more. The next attempt queries the result.
    return {
      kind: 'unknown',
      why: 'the registry did not cancel the transfer; its status is queried again',
      evidence: reply.evidence,
    };
  }

  async #queryCancelled(): Promise<Found<null>> {
    const found = await this.#findOutcome();
    if (found.kind === 'refused') return { kind: 'done', data: null };
    if (found.kind === 'done') {
      if (found.pending) return { kind: 'never' };
      return { kind: 'refused', evidence: { text: 'the transfer was completed before it could be cancelled' } };
    }
    return found;
  }

  /** The transfer ended without success, by cancellation or timeout: nothing of it is pending at the registry. */
  #given({ text, registrant }: TransferEnd, as: 'cancelled' | 'refused'): WorkflowResult<never> {
    const { ctx, operation } = this.#run;
    const transfer = this.outcomeQuery.ended;
    const evidence = { text };
    const settle = async (tx: Tx) => {
      await endTransfer(ctx, tx, operation, { reason: as, transfer, why: registrant });
      const event =
        as === 'cancelled'
          ? domainEvent(operation, 'domain.transfer_in_cancelled', {})
          : domainEvent(operation, 'domain.transfer_in_refused', { reason: text });
      await appendEvent(ctx, tx, event);
    };
    if (as === 'cancelled') return { kind: 'cancelled', evidence, settle };
    return {
      kind: 'refused',
      evidence,
      error: { code: 'conflict', sentence: `${operation.request.name}: ${text}` },
      settle,
    };
  }

  stopped(reply: Exclude<Reply<unknown>, { kind: 'done' }>): WorkflowResult<never> {
    const run = this.#run;
    const { ctx, operation } = run;
    const undo = async (tx: Tx, evidence: Evidence) => {
      await endTransfer(ctx, tx, operation, {
        reason: 'refused',
        transfer: this.outcomeQuery.ended,
        why: describe(evidence),
      });
      const facts = { registry_code: evidence.code, reason: describe(evidence) };
      await appendEvent(ctx, tx, domainEvent(operation, 'domain.transfer_in_refused', facts));
    };
    return failed(run, reply, undo);
  }
}
