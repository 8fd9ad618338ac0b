import { allTenants, type Tx } from '@namehold/postgres';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { capture } from '../../ledger/capture.ts';
import { release } from '../../ledger/release.ts';
import { addYears, type Domain } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import type { Kinds, RestorePlan, RestoreRequest } from '../../model/operation-kinds.ts';
import { actorOf } from '../../operations/actor.ts';
import { mayHaveActedBefore, wasDone } from '../../operations/journal.sql.ts';
import { findStatementCharge } from '../../operations/registry-statement.ts';
import type { Found, Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { Evidence, RegistryDomain, Reply } from '../../ports/registry.ts';
import { lockDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { applyView } from '../compare/sync.ts';
import { extendExpiry } from '../domain.sql.ts';
import { liftUnpaidHold, settleLifted } from '../end/lift-unpaid-hold.ts';
import { setEndDate } from '../life.sql.ts';
import { phaseOf } from '../lifecycle.ts';
import { asOurRecords } from '../registry/as-our-records.ts';
import { findElsewhereOutcome, isElsewhere } from '../registry/find-elsewhere-outcome.ts';
import { domainEvent, failed, needsReview } from '../registry/outcome.ts';
import { notYetSent, readRegistryDomain, refusedWith } from '../registry/read-registry-domain.ts';
import { paidUntil } from './renewal-years.ts';
import { sendReport } from './restore-report.ts';

type Outcome = Kinds['restore']['outcome'];

/** RFC 5730 3: object status prohibits operation. */
const wrongState = 2304;

/**
 * RFC 3915 4.2.5: a request, then a report if the registry requires one. The restore is done when the registry shows the domain as
 * active.
 */
export const restoreWorkflow: Workflow<'restore'> = {
  kind: 'restore',
  async run(run) {
    const { request } = run.operation;
    const attempt = new Restore(run, request);
    const reply = await run.command(
      'restore',
      (context) => attempt.send(context),
      () => attempt.findOutcome(),
    );
    if (attempt.ambiguousOutcome !== undefined) return needsReview(run, attempt.ambiguousOutcome, evidenceOf(reply));
    if (reply.kind !== 'done') return attempt.stopped(reply);
    const after = await readRegistryDomain(run, request.name);
    if (isElsewhere(after) && attempt.isSettledElsewhere(after.evidence)) return restoredElsewhere(run, reply.evidence);
    if (after.kind === 'refused') return needsReview(run, `it was restored and paid, but ${describe(after.evidence)}`);
    if (after.kind !== 'done')
      return { kind: 'unknown', why: 'the request was accepted; the status of the domain is not known yet' };
    return attempt.goOn(after.data, reply.evidence);
  },
  async cancel(ctx, tx, operation) {
    await release(ctx, tx, { operationId: operation.id });
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.restore_cancelled', {}));
  },
  asDone(ctx, { domain_id, request }) {
    const before = request.from ? new Date(request.from) : undefined;
    const expiresAt = before && { expiresAt: request.with_renewal ? addYears(before, 1) : before };
    return asOurRecords(ctx, domain_id, { statuses: [], ...expiresAt });
  },
};

const evidenceOf = (reply: Reply<unknown>): Evidence | undefined => ('evidence' in reply ? reply.evidence : undefined);

/** One attempt: the view before the request was sent, and a result that cannot be explained. */
class Restore {
  readonly #run: Run<'restore'>;
  readonly #request: RestoreRequest;
  #plan: RestorePlan | undefined;
  #error: ReturnType<typeof refusedWith>;
  #isRefusedAsWrongState = false;
  /** Set if the registry shows something that neither a restore nor its absence explains. */
  ambiguousOutcome: string | undefined;

  constructor(run: Run<'restore'>, request: RestoreRequest) {
    this.#run = run;
    this.#request = request;
    this.#plan = run.operation.outcome?.plan;
  }

  async send(context: Parameters<Run['registry']['restore']>[2]): Promise<Reply<null>> {
    const run = this.#run;
    const { name, fee } = this.#request;
    const view = await readRegistryDomain(run, name);
    if (view.kind !== 'done') return notYetSent(view);
    const phase = phaseOf(view.data);
    if (phase !== 'redemption') return this.#refuse(`${name} cannot be restored: it is ${phaseText[phase]}`);
    const { expiresAt } = view.data;
    if (!this.#request.with_renewal && expiresAt && expiresAt <= run.ctx.clock.now()) {
      // The registry would charge more than was agreed.
      return this.#refuse(
        'The domain expired after the restore was priced, so the restore would now include a renewal: order it again.',
      );
    }
    this.#plan = {
      updated_at: view.data.updatedAt?.toISOString() ?? null,
      at: this.#plan?.at ?? run.ctx.clock.now().toISOString(),
    };
    await run.keepPlan(this.#plan);
    const reply = await run.registry.restore(name, fee ?? undefined, context);
    this.#isRefusedAsWrongState = reply.kind === 'refused' && reply.evidence.code === wrongState;
    return reply;
  }

  #refuse(sentence: string): Reply<null> {
    this.#error = { code: 'conflict', sentence };
    return { kind: 'refused', evidence: { text: sentence } };
  }

  /** A request may have been sent. If the domain is active or waits for its report, it was executed; anything else must be explained. */
  async findOutcome(): Promise<Found<null>> {
    const { name } = this.#request;
    const view = await readRegistryDomain(this.#run, name);
    if (isElsewhere(view)) return this.#findElsewhereOutcome(view.evidence);
    if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
    const phase = phaseOf(view.data);
    if (phase === 'live' || phase === 'pending_restore' || phase === 'pending_transfer')
      return { kind: 'done', data: null };
    // A user has checked the case and decided that the registry executed it.
    if (this.#run.isDecidedDone) return { kind: 'done', data: null };
    const isUntouched = this.#isUntouched(view.data) || !(await this.#mayHaveLeft());
    if (await wasDone(this.#run.ctx.db.as(allTenants), this.#run.operation.id, 'restore')) {
      // RFC 3915 3: without a report in time the domain returns to redemption. A second request would be charged again.
      if (isUntouched) return { kind: 'unknown', why: 'the registry accepted the restore and does not show it yet' };
      return this.#ambiguous(
        'the restore was accepted and paid at the registry, but the domain returned to redemption because its report was missing',
      );
    }
    const hasNoDates = phase !== 'redemption' && view.data.updatedAt === null;
    if (!isUntouched || hasNoDates) {
      // The present status does not show what changed it; the registry's statement does.
      const finding = await findStatementCharge(this.#run.ctx, this.#run.registry, this.#run.operation);
      if (finding.kind === 'later') return { kind: 'unknown', why: finding.why };
      if (finding.kind === 'charged')
        return this.#ambiguous('the registry charged the restore, and the domain is not restored');
      if (finding.kind === 'no_statement')
        return this.#ambiguous(
          isUntouched
            ? 'the registry shows no dates of changes, and the domain is about to be deleted'
            : 'the registry changed the domain after the request was sent, and it is not restored',
        );
    }
    if (phase === 'redemption') {
      // Refused as not in redemption, although the registry shows redemption: an earlier request may be the reason, and the view stale.
      if (this.#isRefusedAsWrongState)
        return { kind: 'unknown', why: 'the registry contradicts itself about its redemption' };
      return { kind: 'never' };
    }
    const sentence = `${name} was not restored in time: it is ${phaseText[phase]}`;
    this.#error = { code: 'conflict', sentence };
    return { kind: 'refused', evidence: { text: sentence } };
  }

  /** Only a restored domain can be transferred away. If it was deleted after a restore was paid, the operator decides. */
  isSettledElsewhere({ code }: Evidence): boolean {
    return this.#run.isDecidedDone || code === 2201;
  }

  async #findElsewhereOutcome(gone: Evidence): Promise<Found<null>> {
    const { found, ambiguousOutcome } = await findElsewhereOutcome(this.#run, gone);
    if (ambiguousOutcome !== undefined) return this.#ambiguous(ambiguousOutcome);
    if (found.kind !== 'done') return found;
    if (this.isSettledElsewhere(gone)) return { kind: 'done', data: null };
    return this.#ambiguous(`the registry charged the restore, but ${describe(gone)}`);
  }

  #ambiguous(why: string): Found<null> {
    this.ambiguousOutcome = why;
    return { kind: 'unknown', why };
  }

  #mayHaveLeft(): Promise<boolean> {
    const { ctx, operation } = this.#run;
    return mayHaveActedBefore(ctx.db.as(allTenants), operation.id, 'restore', undefined);
  }

  /** The registry's date of the last change is still the one from before the request: the request was not executed. */
  #isUntouched(view: RegistryDomain): boolean {
    return this.#plan !== undefined && this.#plan.updated_at === (view.updatedAt?.toISOString() ?? null);
  }

  /** The request was executed: the remaining steps depend on the status that the registry shows. */
  async goOn(view: RegistryDomain, evidence: Evidence): Promise<WorkflowResult<Outcome>> {
    const run = this.#run;
    switch (phaseOf(view)) {
      case 'live':
      case 'pending_transfer':
        return this.#restored(view, evidence);
      case 'pending_restore':
        break;
      case 'redemption':
      case 'pending_delete':
        if (run.isDecidedDone) return this.#restored(view, evidence);
        if (this.#isUntouched(view)) return { kind: 'unknown', why: 'restored; the registry does not show it yet' };
        return needsReview(
          run,
          'the restore was accepted and paid, but the domain returned to redemption because its report was missing',
          evidence,
        );
    }
    const reported = await sendReport(run, this.#request, view);
    if (reported.kind !== 'reported') return reported.result;
    const after = await readRegistryDomain(run, this.#request.name);
    if (after.kind !== 'done') return { kind: 'unknown', why: 'restored; the status of the domain is not known yet' };
    const phase = phaseOf(after.data);
    if (phase === 'live' || phase === 'pending_transfer') return this.#restored(after.data, evidence);
    if (phase !== 'pending_restore')
      return needsReview(run, `it is ${phaseText[phase]} although its report was accepted`, evidence);
    return { kind: 'waiting', why: 'the registry reviews the restore report', evidence };
  }

  async #restored(view: RegistryDomain, evidence: Evidence): Promise<WorkflowResult<Outcome>> {
    const lifted = await liftUnpaidHold(this.#run, view);
    return restored(this.#run, { view: lifted ?? view, isLifted: lifted !== undefined }, evidence);
  }

  stopped(reply: Exclude<Reply<unknown>, { kind: 'done' }>): WorkflowResult<never> {
    const run = this.#run;
    const undo = async (tx: Tx, evidence: Evidence) => {
      await release(run.ctx, tx, { operationId: run.operation.id });
      const facts = { registry_code: evidence.code, reason: describe(evidence) };
      await appendEvent(run.ctx, tx, domainEvent(run.operation, 'domain.restore_refused', facts));
    };
    return failed(run, reply, undo, this.#error ?? refusedWith(reply));
  }
}

const phaseText: Record<ReturnType<typeof phaseOf>, string> = {
  live: 'not deleted',
  redemption: 'in redemption',
  pending_restore: 'being restored already',
  pending_delete: 'past its redemption period and about to be deleted',
  pending_transfer: 'being transferred',
};

/**
 * Counted from the registry's date of the deleted domain, so that a year bought with the restore is in the future. Years that the
 * registry auto-renews afterwards, before the result is read, are not paid.
 */
function endOf(before: Pick<Domain, 'end_date'>, request: RestoreRequest, shown: Date | null): Date | null {
  const from = request.from ?? before.end_date?.toISOString();
  if (from === undefined) return shown;
  return paidUntil({ from, years: request.with_renewal ? 1 : 0 }, shown ?? new Date(from));
}

function restored(
  run: Run<'restore'>,
  { view, isLifted }: { readonly view: RegistryDomain; readonly isLifted: boolean },
  evidence: Evidence,
): WorkflowResult<Outcome> {
  const { ctx, operation } = run;
  const { request } = operation;
  return {
    kind: 'done',
    evidence,
    outcome: { expires_at: view.expiresAt?.toISOString() ?? null },
    async settle(tx) {
      const before = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
      const endDate = endOf(before, request, view.expiresAt);
      const now = ctx.clock.now();
      if (request.with_renewal) await extendExpiry(tx, before.id, { endDate, registryExpiresAt: view.expiresAt, now });
      else await setEndDate(tx, before.id, endDate, now);
      const domain = { ...before, end_date: endDate, redemption_ends_at: null, deleted_at: null };
      await applyView(ctx, tx, domain, view, await rulesOf(tx, domain));
      await settlePaid(run, tx, before.state, endDate);
      if (isLifted) await settleLifted(run, tx);
    },
  };
}

/** The restore was paid at the registry, but the domain is no longer sponsored by us, so there is nothing left to restore. */
function restoredElsewhere(run: Run<'restore'>, evidence: Evidence): WorkflowResult<Outcome> {
  const { operation } = run;
  return {
    kind: 'done',
    evidence,
    outcome: { expires_at: null },
    async settle(tx) {
      const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
      await settlePaid(run, tx, domain.state, domain.end_date);
    },
  };
}

async function settlePaid(
  { ctx, operation }: Run<'restore'>,
  tx: Tx,
  before: Domain['state'],
  endDate: Date | null,
): Promise<void> {
  await capture(ctx, tx, { operationId: operation.id });
  await audit(ctx, tx, actorOf(operation), {
    action: 'domain.restored',
    objectType: 'domain',
    objectId: operation.domain_id,
    before: { state: before },
    after: { expires_at: endDate },
  });
  const expires_at = endDate?.toISOString() ?? null;
  await appendEvent(ctx, tx, domainEvent(operation, 'domain.restored', { expires_at }));
}
