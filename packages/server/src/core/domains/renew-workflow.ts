import type { Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import { capture } from '../ledger/capture.ts';
import { release } from '../ledger/release.ts';
import { actorOf } from '../operations/actor.ts';
import type { Found, Run, Verdict, Workflow } from '../operations/run.ts';
import { askName, refusedWith } from './ask-name.ts';
import { extendExpiry, lockDomain } from './domain.sql.ts';
import { utcDate } from './domain.ts';
import { describe } from './ensure-contacts.ts';
import { extendPrivacy } from './life.sql.ts';
import { keepPlan } from './plan.sql.ts';
import type { Evidence, RegistryDomain, Reply } from './registry.ts';
import { feeFor, paidUntil, type RenewRequest, yearsToSend } from './renew.ts';
import { applyView, rulesOf } from './sync.ts';
import { domainEvent, failed } from './verdict.ts';

/**
 * Brings the registry's date to where the paid term will end. Only the years that are missing are sent, always from the date that
 * a fresh read shows, so that no repetition can add a year twice (RFC 5731 3.2.3).
 */
export const renewWorkflow: Workflow = {
  kind: 'renew',
  async run(run) {
    const ordered = run.operation.request as unknown as RenewRequest;
    const first = await askName(run, ordered.name);
    if (first.kind !== 'done') return stopped(run, first);
    const { basis, added } = await planOf(run, ordered, first.data);
    const request = { ...ordered, from: basis };
    const reply = await run.command(
      'renew',
      async (context): Promise<Reply<{ expiresAt: Date | null }>> => {
        const view = await askName(run, request.name);
        if (view.kind !== 'done') return view;
        const years = yearsToSend(request, view.data.expiresAt);
        // The registry has added them all by itself: nothing is to be sent.
        if (years === 0) return view;
        if (!view.data.expiresAt)
          return { kind: 'refused', evidence: { text: 'the registry shows no expiry to renew from' } };
        return run.registry.renew(request.name, utcDate(view.data.expiresAt), years, feeFor(request, years), context);
      },
      () => askRenewed(run, request),
    );
    const after = await askName(run, request.name);
    // A refusal right after a lost answer: the lost one may have been carried out in the meantime.
    const isThere = after.kind === 'done' && yearsToSend(request, after.data.expiresAt) === 0;
    if (reply.kind !== 'done' && !isThere) return stopped(run, reply);
    const evidence = 'evidence' in reply ? reply.evidence : {};
    const expiresAt = reply.kind === 'done' ? reply.data.expiresAt : null;
    const view = after.kind === 'done' ? after.data : { ...first.data, expiresAt: expiresAt ?? first.data.expiresAt };
    return renewed(run, view, request.years - added, evidence);
  },
  async cancel(house, tx, operation) {
    await release(house, tx, { operationId: operation.id });
    await appendEvent(house, tx, domainEvent(operation, 'domain.renewal_cancelled'));
  },
};

interface Plan {
  readonly basis: string;
  /** Years that the registry had added by itself. */
  readonly added: number;
}

/**
 * The date from which the years count, fixed before anything is sent. The registry's own where it lies earlier than ours:
 * measured from ours, a renewal would never seem done.
 */
async function planOf(run: Run, request: RenewRequest, view: RegistryDomain): Promise<Plan> {
  const kept = run.operation.outcome?.plan as Plan | undefined;
  if (kept) return kept;
  const isEarlier = view.expiresAt !== null && view.expiresAt < new Date(request.from);
  const basis = isEarlier ? view.expiresAt.toISOString() : request.from;
  const plan = { basis, added: request.years - yearsToSend({ ...request, from: basis }, view.expiresAt) };
  await keepPlan(run.house, run.operation, plan);
  return plan;
}

async function askRenewed(run: Run, request: RenewRequest): Promise<Found<{ expiresAt: Date | null }>> {
  const view = await askName(run, request.name);
  if (view.kind === 'refused') return { kind: 'refused', evidence: view.evidence };
  if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
  if (yearsToSend(request, view.data.expiresAt) > 0) return { kind: 'never' };
  return { kind: 'done', data: { expiresAt: view.data.expiresAt } };
}

function stopped(run: Run, reply: Exclude<Reply<unknown>, { kind: 'done' }>): Verdict {
  const { house, operation } = run;
  const undo = async (tx: Tx, evidence: Evidence) => {
    await release(house, tx, { operationId: operation.id });
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    await appendEvent(house, tx, domainEvent(operation, 'domain.renewal_refused', facts));
  };
  return failed(run, reply, undo, refusedWith(reply));
}

function renewed(run: Run, view: RegistryDomain, sentYears: number, evidence: Evidence): Verdict {
  const { house, operation } = run;
  const request = operation.request as unknown as RenewRequest;
  const endDate = paidUntil(request, view.expiresAt);
  const facts = { expires_at: endDate.toISOString(), years: request.years };
  return {
    kind: 'done',
    evidence,
    // Which years the registry had added by itself decides later what a delete gives back.
    outcome: { ...facts, sent_years: sentYears, auto_renewed_years: request.years - sentYears },
    async settle(tx) {
      const rules = await rulesOf(tx, (await lockDomain(tx, operation.reseller_id, operation.domain_id!))!.tld);
      await extendExpiry(tx, operation.domain_id!, {
        endDate,
        registryExpiresAt: view.expiresAt,
        now: house.clock.now(),
      });
      if (request.privacy) await extendPrivacy(tx, operation.domain_id!, endDate);
      const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id!))!;
      await applyView(house, tx, domain, view, rules);
      await capture(house, tx, { operationId: operation.id });
      await audit(house, tx, actorOf(operation), {
        action: 'domain.renewed',
        objectType: 'domain',
        objectId: operation.domain_id!,
        before: { expires_at: request.from },
        after: facts,
      });
      await appendEvent(house, tx, domainEvent(operation, 'domain.renewed', facts));
    },
  };
}
