import { everyTenant, formatMoney, money, type Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import { refund } from '../ledger/refund.ts';
import { actorOf } from '../operations/actor.ts';
import type { Found, Run, Verdict, Workflow } from '../operations/run.ts';
import { refusedWith } from './ask-name.ts';
import { clearHosts } from './clear-hosts.ts';
import type { DeleteRequest } from './delete.ts';
import { lockDomain, markRemoved, readDomain } from './domain.sql.ts';
import { describe } from './ensure-contacts.ts';
import { type GraceRefund, graceRefunds } from './grace-refunds.ts';
import { shortenTerm } from './life.sql.ts';
import { keepPlan } from './plan.sql.ts';
import { completedPurchases } from './refunds.sql.ts';
import type { Evidence, RegistryDomain, Reply } from './registry.ts';
import { applyView, rulesOf } from './sync.ts';
import { domainEvent, failed } from './verdict.ts';

/** Fixed before the delete leaves: afterwards the registry no longer shows which graces were open. */
interface Plan {
  readonly refunds: readonly GraceRefund[];
  readonly hosts: readonly string[];
}

export const deleteWorkflow: Workflow = {
  kind: 'delete',
  async run(run) {
    const { name } = run.operation.request as unknown as DeleteRequest;
    const plan = await planOf(run, name);
    if ('reply' in plan) return stopped(run, plan.reply);
    const held = plan.hosts.length > 0 ? await clearHosts(run, name) : undefined;
    if (held) return stopped(run, held);
    const reply = await run.command(
      'delete',
      (context) => run.registry.remove(name, context),
      () => askDeleted(run, name),
    );
    const isGone = reply.kind === 'refused' && reply.evidence.code === 2303;
    if (reply.kind !== 'done' && !isGone) return stopped(run, reply);
    const after = await run.registry.info(name);
    // Deleted it is; what it looks like now is needed for its state, and asked until it is known.
    if (after.kind !== 'done') return { kind: 'unknown', why: 'the name is deleted; how it stands is not known yet' };
    return deleted(run, plan, after.data, reply.evidence);
  },
  async cancel(house, tx, operation) {
    await appendEvent(house, tx, domainEvent(operation, 'domain.deletion_cancelled'));
  },
};

const isDeleted = (view: RegistryDomain): boolean =>
  view.statuses.includes('pendingDelete') || view.rgpStatuses.includes('redemptionPeriod');

async function planOf(run: Run, name: string): Promise<Plan | { reply: Exclude<Reply<never>, { kind: 'done' }> }> {
  const { house, operation } = run;
  const kept = operation.outcome?.plan as Plan | undefined;
  if (kept) return kept;
  const asked = await run.registry.info(name);
  if (asked.kind === 'refused') return { reply: { kind: 'unsent', why: describe(asked.evidence) } };
  if (asked.kind !== 'done') return { reply: asked };
  const view = asked.data;
  if (view && !view.isOurs) {
    const text = `${name} is sponsored by another registrar (${view.sponsor})`;
    return { reply: { kind: 'refused', evidence: { code: 2201, text } } };
  }
  const db = house.db.as(everyTenant);
  const domain = await readDomain(db, operation.domain_id!);
  // Gone or deleted without us: then no grace of ours was used by this delete.
  const isOpen = view !== null && !isDeleted(view);
  const purchases = isOpen ? await completedPurchases(db, domain.reseller_id, domain.id) : [];
  const rules = await rulesOf(db, domain.tld);
  const plan: Plan = {
    refunds: isOpen ? graceRefunds(purchases, view, rules, house.clock.now()) : [],
    hosts: isOpen ? view.hosts : [],
  };
  await keepPlan(house, operation, plan);
  return plan;
}

/** RFC 5731 3.2.2: gone, or on its way out. */
async function askDeleted(run: Run, name: string): Promise<Found<null>> {
  const reply = await run.registry.info(name);
  if (reply.kind === 'refused') return { kind: 'unknown', why: describe(reply.evidence) };
  if (reply.kind !== 'done') return { kind: 'unknown', why: reply.why };
  if (reply.data?.isOurs && !isDeleted(reply.data)) return { kind: 'never' };
  return { kind: 'done', data: null };
}

function stopped(run: Run, reply: Exclude<Reply<unknown>, { kind: 'done' }>): Verdict {
  const undo = (tx: Tx, evidence: Evidence) => {
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    return appendEvent(run.house, tx, domainEvent(run.operation, 'domain.deletion_refused', facts));
  };
  return failed(run, reply, undo, refusedWith(reply));
}

function deleted(run: Run, plan: Plan, view: RegistryDomain | null, evidence: Evidence): Verdict {
  const { house, operation } = run;
  const { because } = operation.request as unknown as DeleteRequest;
  const isGone = view === null || !view.isOurs;
  const refunded = plan.refunds.map((each) => ({
    transaction_id: each.transaction_id,
    amount: formatMoney(money(BigInt(each.total), each.currency)),
    currency: each.currency,
  }));
  return {
    kind: 'done',
    evidence,
    outcome: { deleted: true, restorable: !isGone, refunded },
    async settle(tx) {
      const now = house.clock.now();
      const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id!))!;
      for (const each of plan.refunds) {
        await refund(house, tx, {
          transactionId: each.transaction_id,
          total: money(BigInt(each.total), each.currency),
        });
      }
      await shortenTerm(tx, domain.id, view?.expiresAt ?? null, plan.hosts);
      const life = isGone ? undefined : await applyView(house, tx, domain, view, await rulesOf(tx, domain.tld));
      if (isGone) await markRemoved(tx, domain.id, 'deleted', now);
      const facts = { because, refunded, redemption_ends_at: life?.redemptionEndsAt?.toISOString() ?? null };
      await audit(house, tx, actorOf(operation), {
        action: 'domain.deleted',
        objectType: 'domain',
        objectId: domain.id,
        before: { state: domain.state },
        after: facts,
      });
      await appendEvent(house, tx, domainEvent(operation, 'domain.deleted', facts));
    },
  };
}
