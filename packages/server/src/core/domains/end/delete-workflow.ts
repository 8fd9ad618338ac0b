import { money } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { endRegistryCharge, unpaidRenewalCharges } from '../../ledger/ledger.sql.ts';
import { refund } from '../../ledger/refund.ts';
import { describe } from '../../model/evidence.ts';
import type { DeleteOutcome, DeletePlan, RefundLine } from '../../model/operation-kinds.ts';
import { actorOf } from '../../operations/actor.ts';
import { firstDoneAt } from '../../operations/journal.sql.ts';
import { linesOf } from '../../operations/registry-statement.ts';
import type { Found, Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { CommandContext, Evidence, RegistryDomain, Reply } from '../../ports/registry.ts';
import { lockDomain, readDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { applyView } from '../compare/sync.ts';
import { markRemoved } from '../domain.sql.ts';
import { shortenTerm, usersOfChildHosts } from '../life.sql.ts';
import { phaseOf } from '../lifecycle.ts';
import { domainEvent, failed } from '../registry/outcome.ts';
import { notYetSent, refusedWith } from '../registry/read-registry-domain.ts';
import { isStale, mayBeStaleRead, staleRead } from '../registry/stale-read.ts';
import { settleRegistryAutoRenewals } from '../renewal/departure.ts';
import { alarmUnrefunded } from './alarm-unrefunded.ts';
import { clearHosts } from './clear-hosts.ts';
import { type GraceRefund, graceRefunds, type Refunds, shown, shownRefund } from './grace-refunds.ts';
import { notifyFormerOwner } from './notify-former-owner.ts';
import { asPurchase, completedPurchases, noteRefunds, refundedCost } from './refunds.sql.ts';
import { reportedRefunds } from './reported-refunds.ts';
import { byStatement } from './statement-refunds.ts';

export const deleteWorkflow: Workflow<'delete'> = {
  kind: 'delete',
  async run(run) {
    const { name } = run.operation.request;
    const attempt = new Attempt(run, name);
    const reply = await run.command(
      'delete',
      (context) => attempt.send(context),
      () => attempt.findOutcome(),
    );
    const isGone = reply.kind === 'refused' && reply.evidence.code === 2303;
    if (reply.kind !== 'done' && !isGone) return stopped(run, reply);
    const after = await run.registry.info(name);
    // The delete was accepted. The view after it is needed for the state, so it is read until it is known.
    if (after.kind !== 'done') return { kind: 'unknown', why: 'the domain is deleted; its status is not known yet' };
    if (attempt.isAlive(after.data)) return notShown(run, await doneAt(run));
    const refunds = await attempt.refunds(after.data);
    if ('kind' in refunds) return refunds;
    return deleted(run, attempt.hosts, refunds, after.data, reply.evidence);
  },
  async recheck(_ctx, tx, operation) {
    const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
    requireAllowed(domain, 'delete', { hostUsers: await usersOfChildHosts(tx, domain.id) });
  },
  async cancel(ctx, tx, operation) {
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.deletion_cancelled', {}));
  },
  // The state is "deleted permanently", because a redemption period cannot be proved.
  asDone: async () => null,
};

class Attempt {
  readonly #run: Run<'delete'>;
  readonly #name: string;
  #plan: DeletePlan | undefined;
  /** The registry answered a delete of this attempt. */
  #isAnswered = false;
  #isRefusedAsWrongState = false;

  constructor(run: Run<'delete'>, name: string) {
    this.#run = run;
    this.#name = name;
    this.#plan = run.operation.outcome?.plan;
  }

  get hosts(): readonly string[] {
    return this.#plan?.hosts ?? [];
  }

  async send(context: CommandContext): Promise<Reply<null>> {
    const run = this.#run;
    const queryReply = await run.registry.info(this.#name);
    if (queryReply.kind === 'refused') return { kind: 'unsent', why: run.noAnswer(describe(queryReply.evidence)).why };
    if (queryReply.kind !== 'done') return notYetSent(queryReply);
    const view = queryReply.data;
    if (view && !view.isOurs) return anothers(view);
    const isOld = await isStale(run, view);
    if (isOld && mayBeStaleRead(run)) return staleRead;
    if (view && this.isAlive(view)) {
      this.#plan = {
        graces: isOld ? null : view.rgpStatuses,
        hosts: view.hosts,
        created_at: view.createdAt?.toISOString() ?? null,
        updated_at: view.updatedAt?.toISOString() ?? null,
      };
      await run.keepPlan(this.#plan);
      const held = view.hosts.length > 0 ? await clearHosts(run, this.#name) : undefined;
      if (held) return held;
    }
    const reply = await run.registry.remove(this.#name, context);
    this.#isAnswered = reply.kind === 'done';
    // RFC 5730 3, 2304: the status of the domain prohibits it, but none of the visible statuses does.
    this.#isRefusedAsWrongState = reply.kind === 'refused' && reply.evidence.code === 2304 && !isProhibited(view);
    return reply;
  }

  /**
   * RFC 5731 3.2.2: deleted, or in the process of it. If another registrar sponsors it since the same creation date, it was transferred,
   * not deleted.
   */
  async findOutcome(): Promise<Found<null>> {
    const reply = await this.#run.registry.info(this.#name);
    if (reply.kind === 'refused') return this.#run.noAnswer(describe(reply.evidence));
    if (reply.kind !== 'done') return { kind: 'unknown', why: reply.why };
    const view = reply.data;
    if (view && !view.isOurs && this.#isSameObject(view)) return anothers(view);
    // The domain was missing before anything was sent: either it was not our delete, or the read is stale.
    if (!view && !this.#plan && mayBeStaleRead(this.#run)) return { kind: 'unknown', why: staleRead.why };
    if (!this.isAlive(view)) return { kind: 'done', data: null };
    const doneSince = await doneAt(this.#run);
    // An earlier delete may be the reason for the refusal, or was answered already. In both cases the view is stale.
    if (this.#isRefusedAsWrongState || doneSince !== null) return notShown(this.#run, doneSince);
    return { kind: 'never' };
  }

  isAlive(view: RegistryDomain | null): boolean {
    if (!view?.isOurs) return false;
    const phase = phaseOf(view);
    return phase === 'live' || phase === 'pending_transfer';
  }

  #isSameObject(view: RegistryDomain): boolean {
    const before = this.#plan?.created_at ?? null;
    return before === null || view.createdAt === null || view.createdAt.toISOString() === before;
  }

  /** If the registry reports its refunds, they decide; otherwise the grace periods that were open when the registry acted. */
  async refunds(after: RegistryDomain | null): Promise<Refunds | WorkflowResult<never>> {
    const { registry, ctx, operation } = this.#run;
    if (!registry.reportedRefunds) return this.#byGraces(after);
    const reported = await registry.reportedRefunds(this.#name);
    if (reported.kind === 'refused') return this.#run.noAnswer(describe(reported.evidence));
    if (reported.kind !== 'done')
      return {
        kind: 'unknown',
        why: `the domain is deleted; its refund at the registry is not known yet: ${reported.why}`,
      };
    const db = ctx.db.as(allTenants);
    const domain = await readDomain(db, operation.domain_id);
    return reportedRefunds(db, domain, reported.data, { isGone: !after?.isOurs, knownAt: ctx.clock.now() });
  }

  /**
   * No refund if the domain was neither seen active nor deleted by an answer to us: then it was gone before, and no grace period was
   * used.
   */
  async #byGraces(after: RegistryDomain | null): Promise<Refunds> {
    const { ctx, operation } = this.#run;
    const plan = this.#plan ?? (this.#isAnswered ? neverShown : undefined);
    if (!plan) return { due: [], doubtful: [] };
    const db = ctx.db.as(allTenants);
    const domain = await readDomain(db, operation.domain_id);
    const present = after?.isOurs ? after : null;
    const shown = present?.updatedAt ?? null;
    const purchases = [
      ...(await completedPurchases(db, domain.id)),
      ...(await unpaidRenewalCharges(db, domain)).map(asPurchase),
    ];
    const createdAt = plan.created_at === null ? null : new Date(plan.created_at);
    const refunds = graceRefunds(
      purchases,
      {
        graces: plan.graces,
        createdAt,
        isGone: present === null,
        // Null if the date did not change: then it is not the date of the delete.
        actedAt: shown && shown.toISOString() !== plan.updated_at ? shown : null,
        knownAt: ctx.clock.now(),
        isFresh: this.#isAnswered && this.#plan !== undefined,
      },
      await rulesOf(db, domain),
    );
    const reconciliationSources = { purchases, createdAt, refundedCost: await refundedCost(db, domain.id) };
    return byStatement(this.#run.registry, this.#name, refunds, reconciliationSources);
  }
}

const doneAt = (run: Run<'delete'>): Promise<Date | null> =>
  firstDoneAt(run.ctx.db.as(allTenants), run.operation.id, 'delete');

/** A view can be this old. After that, the registry has not carried out what it accepted, and says no more about it. */
const shownWithinMs = 180_000;

function notShown(run: Run<'delete'>, doneSince: Date | null): { readonly kind: 'unknown'; readonly why: string } {
  if (doneSince !== null && run.ctx.wall.now().getTime() - doneSince.getTime() > shownWithinMs)
    return run.noAnswer('it accepted the delete, and still shows the domain as not deleted');
  return { kind: 'unknown', why: 'the registry does not show the delete yet' };
}

/** The delete was accepted but the domain was never shown: the view was stale throughout, and our own records decide. */
const neverShown: DeletePlan = { graces: null, hosts: [], created_at: null, updated_at: null };

const isProhibited = (view: RegistryDomain | null): boolean =>
  view?.statuses.some((status) => /DeleteProhibited$|^pending/.test(status)) ?? false;

function anothers(view: RegistryDomain): Extract<Reply<never>, { kind: 'refused' }> {
  const text = `${view.name} is sponsored by another registrar${view.sponsor === null ? '' : ` (${view.sponsor})`}`;
  return { kind: 'refused', evidence: { code: 2201, text } };
}

function stopped(run: Run<'delete'>, reply: Exclude<Reply<unknown>, { kind: 'done' }>): WorkflowResult<never> {
  const undo = (tx: Tx, evidence: Evidence) => {
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    return appendEvent(run.ctx, tx, domainEvent(run.operation, 'domain.deletion_refused', facts));
  };
  return failed(run, reply, undo, refusedWith(reply));
}

async function deleted(
  run: Run<'delete'>,
  hosts: readonly string[],
  refunds: Refunds,
  view: RegistryDomain | null,
  evidence: Evidence,
): Promise<WorkflowResult<DeleteOutcome>> {
  const { ctx, operation } = run;
  const { because } = operation.request;
  const isGone = view === null || !view.isOurs;
  await alarmUnrefunded(ctx, operation, { isGone, knownAt: ctx.clock.now() }, refunds);
  const bought = refunds.due.filter(({ is_own_renewal: isOwnRenewal }) => !isOwnRenewal);
  // The delete was found out late: auto-renewals before it may never have been recorded.
  const { end_date: endDate } = await readDomain(ctx.db.as(allTenants), operation.domain_id);
  const mayBeRenewed = isGone && endDate !== null && endDate <= ctx.clock.now();
  const lines = mayBeRenewed ? await linesOf(run.registry, operation.request.name) : undefined;
  const isPayer = (each: GraceRefund) => each.reseller_id === operation.reseller_id;
  const due = bought.filter(isPayer).map((each) => ({ transaction_id: each.transaction_id, ...shown(each) }));
  let given: Pick<DeleteOutcome, 'refunded' | 'refunded_before'> | undefined;
  return {
    kind: 'done',
    evidence,
    outcome: { deleted: true, restorable: !isGone, refunded: due },
    async settle(tx) {
      const refunded: RefundLine[] = [];
      const before: RefundLine[] = [];
      const now = ctx.clock.now();
      const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
      for (const { transaction_id: id, is_own_renewal: isOwn } of refunds.due)
        if (isOwn) await endRegistryCharge(tx, now, id, 'refunded');
      for (const each of bought) {
        const { transaction_id } = each;
        const total = money(BigInt(each.total), each.currency);
        const back = await refund(ctx, tx, { transactionId: transaction_id, total });
        const line = shownRefund(back);
        if (line && !isPayer(each)) await notifyFormerOwner(ctx, tx, transaction_id, line);
        if (!isPayer(each)) continue;
        const part = back.refunded - back.refundedBefore;
        const lineOf = (amount: bigint) => ({ transaction_id, ...shown({ ...each, total: amount.toString() }) });
        if (part > 0n) refunded.push(lineOf(part));
        if (part < total.amount) before.push(lineOf(total.amount - part));
      }
      given = { refunded, ...(before.length > 0 ? { refunded_before: before } : {}) };
      if (JSON.stringify(refunded) !== JSON.stringify(due)) await noteRefunds(tx, operation.id, given);
      await shortenTerm(tx, domain.id, view?.expiresAt ?? null, hosts);
      const life = isGone ? undefined : await applyView(ctx, tx, domain, view, await rulesOf(tx, domain));
      if (isGone && lines)
        await settleRegistryAutoRenewals(ctx, tx, domain, await rulesOf(tx, domain), {
          lines,
          leftAt: undefined,
          now,
        });
      if (isGone) await markRemoved(tx, domain.id, 'deleted', now);
      const facts = { because, refunded, redemption_ends_at: life?.redemptionEndsAt?.toISOString() ?? null };
      await audit(ctx, tx, actorOf(operation), {
        action: 'domain.deleted',
        objectType: 'domain',
        objectId: domain.id,
        before: { state: domain.state },
        after: facts,
      });
      await appendEvent(ctx, tx, domainEvent(operation, 'domain.deleted', facts));
    },
    found: () => given,
  };
}
