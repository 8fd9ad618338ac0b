import type { Tx } from '@namehold/postgres';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { capture } from '../../ledger/capture.ts';
import { release } from '../../ledger/release.ts';
import { addYears, utcDate } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import type { RenewOutcome, RenewPlan, RenewRequest, Sending, Shares } from '../../model/operation-kinds.ts';
import { actorOf } from '../../operations/actor.ts';
import type { Found, Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { Evidence, RegistryDomain, Reply } from '../../ports/registry.ts';
import { lockDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { applyView } from '../compare/sync.ts';
import { extendExpiry } from '../domain.sql.ts';
import { liftUnpaidHold, settleLifted } from '../end/lift-unpaid-hold.ts';
import { extendPrivacy } from '../life.sql.ts';
import { asOurRecords } from '../registry/as-our-records.ts';
import { findElsewhereOutcome, isElsewhere } from '../registry/find-elsewhere-outcome.ts';
import { hideRegistrant } from '../registry/hide-registrant.ts';
import { domainEvent, failed, needsReview } from '../registry/outcome.ts';
import { notYetSent, readRegistryDomain, refusedWith } from '../registry/read-registry-domain.ts';
import { takeOverCharges } from '../renewal/registry-auto-renewals.ts';
import { beginTerm } from '../renewal/renewal.sql.ts';
import { refuseOwnPrice } from './premium-fee.ts';
import { sendingOf, sharesOf } from './renewal-shares.ts';
import { feeFor, paidUntil, yearsToSend } from './renewal-years.ts';

/**
 * Brings the registry's expiry date to the end of the paid term. Only the missing years are sent, always from the date of a fresh read,
 * so that no repetition can add a year twice (RFC 5731 3.2.3).
 */
export const renewWorkflow: Workflow<'renew'> = {
  kind: 'renew',
  async run(run) {
    const ordered = run.operation.request;
    const first = await readRegistryDomain(run, ordered.name);
    if (isElsewhere(first)) return settleElsewhere(run, first);
    if (first.kind !== 'done') return stopped(run, first);
    // Before the renewal, so that privacy protection that cannot be set is not charged.
    const hidden = ordered.privacy ? await hideRegistrant(run, 'renew-privacy', async () => first) : undefined;
    if (hidden?.kind === 'stopped') return stopped(run, hidden.reply);
    const plan = planOf(run, ordered, first.data);
    const request = { ...ordered, from: plan.basis };
    let sending = plan.sending;
    let sends = sending ? 1 : 0;
    let isAnswered = false;
    let ambiguousOutcome: string | undefined;
    const reply = await run.command(
      'renew',
      async (context): Promise<Reply<{ expiresAt: Date | null }>> => {
        const view = await readRegistryDomain(run, request.name);
        if (view.kind !== 'done') return notYetSent(view);
        const years = yearsToSend(request, view.data.expiresAt);
        // The registry has auto-renewed all of them: nothing is sent.
        if (years === 0) return view;
        const { expiresAt } = view.data;
        if (!expiresAt) return { kind: 'refused', evidence: { text: 'the registry shows no expiry to renew from' } };
        const dearer = await refuseOwnPrice(run, 'renew');
        if (dearer) return dearer;
        sending = sendingOf(view.data, expiresAt, years, sending?.at ?? run.ctx.clock.now().toISOString());
        await run.keepPlan({ basis: plan.basis, sending });
        sends += 1;
        const sent = await run.registry.renew(request.name, utcDate(expiresAt), years, feeFor(request, years), context);
        isAnswered = sent.kind === 'done';
        return sent;
      },
      async () => {
        const findings = await queryRenewed(run, request);
        ambiguousOutcome = findings.ambiguousOutcome;
        return findings.found;
      },
    );
    if (ambiguousOutcome !== undefined)
      return needsReview(run, ambiguousOutcome, 'evidence' in reply ? reply.evidence : undefined);
    const after = await readRegistryDomain(run, request.name);
    // A refusal right after a lost answer: the earlier command may have been executed in the meantime.
    const isThere = after.kind === 'done' && yearsToSend(request, after.data.expiresAt) === 0;
    if (reply.kind === 'done' && isElsewhere(after)) return settleElsewhere(run, after);
    if (reply.kind !== 'done' && !isThere) {
      return sends > 1 && isContradicted(reply, sending, after)
        ? { kind: 'unknown', why: 'the registry contradicts itself about the expiry date', evidence: reply.evidence }
        : stopped(run, reply);
    }
    const evidence = 'evidence' in reply ? reply.evidence : {};
    const view = latestView(after.kind === 'done' ? after.data : first.data, reply);
    const lifted = await liftUnpaidHold(run, view);
    const shares = sharesOf(request, sending, view, isAnswered, run.ctx.clock.now());
    return renewed(run, { view: lifted ?? view, isLifted: lifted !== undefined }, shares, evidence);
  },
  async cancel(ctx, tx, operation) {
    await release(ctx, tx, { operationId: operation.id });
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.renewal_cancelled', {}));
  },
  asDone(ctx, { domain_id, request, outcome }) {
    const expiresAt = addYears(new Date(outcome?.plan?.basis ?? request.from), request.years);
    return asOurRecords(ctx, domain_id, { expiresAt });
  },
};

/** RFC 5731 3.2.3: 2306 although the registry shows exactly the date that was sent. An earlier renew may be the reason. */
function isContradicted(
  reply: Reply<unknown>,
  sending: Sending | undefined,
  after: Reply<RegistryDomain>,
): reply is Extract<Reply<unknown>, { kind: 'refused' }> {
  const shown = after.kind === 'done' ? after.data.expiresAt?.toISOString() : undefined;
  return reply.kind === 'refused' && reply.evidence.code === 2306 && shown !== undefined && shown === sending?.from;
}

/** The answer is newer than a read from a replica that lags behind it. */
function latestView(read: RegistryDomain, reply: Reply<{ expiresAt: Date | null }>): RegistryDomain {
  const reported = reply.kind === 'done' ? reply.data.expiresAt : null;
  return reported && (!read.expiresAt || read.expiresAt < reported) ? { ...read, expiresAt: reported } : read;
}

/**
 * The basis is fixed before anything is sent. It is the registry's date if that is earlier than ours: measured from ours, the renewal
 * would never seem done.
 */
function planOf(run: Run<'renew'>, request: RenewRequest, view: RegistryDomain): RenewPlan {
  const kept = run.operation.outcome?.plan;
  if (kept) return kept;
  const isEarlier = view.expiresAt !== null && view.expiresAt < new Date(request.from);
  return { basis: isEarlier ? view.expiresAt.toISOString() : request.from };
}

interface RenewalFindings {
  readonly found: Found<{ expiresAt: Date | null }>;
  readonly ambiguousOutcome?: string;
}

async function queryRenewed(run: Run<'renew'>, request: RenewRequest): Promise<RenewalFindings> {
  const view = await readRegistryDomain(run, request.name);
  if (isElsewhere(view)) {
    const { found, ...more } = await findElsewhereOutcome(run, view.evidence);
    return { found: found.kind === 'done' ? { kind: 'done', data: { expiresAt: null } } : found, ...more };
  }
  if (view.kind !== 'done') return { found: { kind: 'unknown', why: view.why } };
  if (yearsToSend(request, view.data.expiresAt) > 0) return { found: { kind: 'never' } };
  return { found: { kind: 'done', data: { expiresAt: view.data.expiresAt } } };
}

/** The domain left before the outcome was known. Nothing is sent; the remaining evidence decides. */
async function settleElsewhere(
  run: Run<'renew'>,
  gone: Extract<Reply<never>, { kind: 'refused' }>,
): Promise<WorkflowResult<RenewOutcome>> {
  let ambiguousOutcome: string | undefined;
  const reply = await run.command<Date | null>(
    'renew',
    async () => gone,
    async () => {
      const findings = await findElsewhereOutcome(run, gone.evidence);
      ambiguousOutcome = findings.ambiguousOutcome;
      return findings.found;
    },
  );
  if (ambiguousOutcome !== undefined) return needsReview(run, ambiguousOutcome, gone.evidence);
  if (reply.kind !== 'done') return stopped(run, reply);
  return renewedElsewhere(run, reply.data, reply.evidence);
}

/** The years were bought and are charged, although they are used up by now or left with the domain. */
function renewedElsewhere(run: Run<'renew'>, actedAt: Date | null, evidence: Evidence): WorkflowResult<RenewOutcome> {
  const { ctx, operation } = run;
  const { request, outcome } = operation;
  const plan = outcome?.plan;
  const endDate = addYears(new Date(plan?.basis ?? request.from), request.years);
  const sent = Math.min(plan?.sending?.years ?? request.years, request.years);
  const shares: Shares = {
    sent_years: sent,
    auto_renewed_years: request.years - sent,
    acted_at: (actedAt ?? ctx.clock.now()).toISOString(),
  };
  const facts = { expires_at: endDate.toISOString(), years: request.years };
  return {
    kind: 'done',
    evidence,
    outcome: { ...facts, ...shares },
    proof: 'shown',
    async settle(tx) {
      const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
      await extendExpiry(tx, domain.id, { endDate, registryExpiresAt: endDate, now: ctx.clock.now() });
      if (request.privacy) await extendPrivacy(tx, domain.id, endDate);
      await takeOverCharges(ctx, tx, domain, { from: new Date(request.from), until: endDate });
      await settlePaid(run, tx, facts);
    },
  };
}

function stopped(run: Run<'renew'>, reply: Exclude<Reply<unknown>, { kind: 'done' }>): WorkflowResult<never> {
  const { ctx, operation } = run;
  const undo = async (tx: Tx, evidence: Evidence) => {
    await release(ctx, tx, { operationId: operation.id });
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.renewal_refused', facts));
  };
  return failed(run, reply, undo, refusedWith(reply));
}

function renewed(
  run: Run<'renew'>,
  { view, isLifted }: { readonly view: RegistryDomain; readonly isLifted: boolean },
  shares: Shares,
  evidence: Evidence,
): WorkflowResult<RenewOutcome> {
  const { ctx, operation } = run;
  const { request } = operation;
  const endDate = paidUntil(request, view.expiresAt);
  const facts = { expires_at: endDate.toISOString(), years: request.years };
  return {
    kind: 'done',
    evidence,
    // Which years the registry auto-renewed, and when, decides later what a delete refunds.
    outcome: { ...facts, ...shares },
    proof: shares.sent_years === 0 ? 'auto_renewal' : 'shown',
    async settle(tx) {
      const rules = await rulesOf(tx, (await lockDomain(tx, operation.reseller_id, operation.domain_id))!);
      await extendExpiry(tx, operation.domain_id, {
        endDate,
        registryExpiresAt: view.expiresAt,
        now: ctx.clock.now(),
      });
      if (request.privacy) await extendPrivacy(tx, operation.domain_id, endDate);
      await beginTerm(tx, operation.domain_id, request.automatic ?? false);
      const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
      if (shares.auto_renewed_years > 0)
        await takeOverCharges(ctx, tx, domain, { from: new Date(request.from), until: endDate });
      await applyView(ctx, tx, domain, view, rules);
      await settlePaid(run, tx, facts);
      if (isLifted) await settleLifted(run, tx);
    },
  };
}

async function settlePaid(
  { ctx, operation }: Run<'renew'>,
  tx: Tx,
  facts: { readonly expires_at: string; readonly years: number },
): Promise<void> {
  const { request } = operation;
  await capture(ctx, tx, { operationId: operation.id });
  await audit(ctx, tx, actorOf(operation), {
    action: 'domain.renewed',
    objectType: 'domain',
    objectId: operation.domain_id,
    before: { expires_at: request.from },
    after: facts,
  });
  const reported = { ...facts, automatic: request.automatic ?? false };
  await appendEvent(ctx, tx, domainEvent(operation, 'domain.renewed', reported));
}
