import { everyTenant, type Tx } from '@namehold/base';
import { raiseAlarm } from '../alarms/alarm.ts';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import { capture } from '../ledger/capture.ts';
import { release } from '../ledger/release.ts';
import { actorOf } from '../operations/actor.ts';
import { wasDone } from '../operations/journal.sql.ts';
import type { Found, Run, Verdict, Workflow } from '../operations/run.ts';
import { askName, refusedWith } from './ask-name.ts';
import { extendExpiry, lockDomain } from './domain.sql.ts';
import { describe } from './ensure-contacts.ts';
import { setEndDate } from './life.sql.ts';
import type { Evidence, RegistryDomain, Reply } from './registry.ts';
import type { RestoreRequest } from './restore.ts';
import { applyView, rulesOf } from './sync.ts';
import { domainEvent, failed } from './verdict.ts';

const reportRetryMs = 600_000;

/** RFC 3915 4.2.5: a request, then a report; the name is back when the registry has the report. */
export const restoreWorkflow: Workflow = {
  kind: 'restore',
  async run(run) {
    const { house } = run;
    const request = run.operation.request as unknown as RestoreRequest;
    const first = await askName(run, request.name);
    if (first.kind !== 'done') return stopped(run, first);
    const { expiresAt } = first.data;
    // Priced without a renewal, and it ran out since: the registry would take more than was agreed.
    const isDearer =
      isIn(first.data, 'redemptionPeriod') && !request.with_renewal && expiresAt && expiresAt <= house.clock.now();
    if (isDearer) return priceChanged(run);
    const reply = await run.command(
      'restore',
      (context) => run.registry.restore(request.name, request.fee ?? undefined, context),
      () => askRestored(run, request.name),
    );
    if (reply.kind !== 'done') return stopped(run, reply);
    const reported = await sendReport(run, request, first.data);
    if (reported) return reported;
    const after = await askName(run, request.name);
    if (after.kind !== 'done') return { kind: 'unknown', why: 'restored; how it stands is not known yet' };
    return restored(run, after.data, reply.evidence);
  },
  async cancel(house, tx, operation) {
    await release(house, tx, { operationId: operation.id });
    await appendEvent(house, tx, domainEvent(operation, 'domain.restore_cancelled'));
  },
};

const isIn = (view: RegistryDomain, rgp: string): boolean => view.rgpStatuses.includes(rgp);

/** pendingRestore, or out of all of it: the request was carried out. */
async function askRestored(run: Run, name: string): Promise<Found<null>> {
  const view = await askName(run, name);
  if (view.kind === 'refused') return { kind: 'refused', evidence: view.evidence };
  if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
  if (!isIn(view.data, 'redemptionPeriod')) return { kind: 'done', data: null };
  // RFC 3915 3: no report in time, and the name fell back. Asking again would be paid again; that is for a person to decide.
  if (!(await wasDone(run.house.db.as(everyTenant), run.operation.id, 'restore'))) return { kind: 'never' };
  await raiseAlarm(run.house, {
    key: `restore:${run.operation.id}`,
    severity: 'critical',
    sentence: `the restore of ${name} was accepted and paid at the registry, but its report did not arrive in time`,
    facts: { operation_id: run.operation.id },
  });
  return { kind: 'refused', evidence: { text: 'the registry took the name back for want of a report' } };
}

async function sendReport(run: Run, request: RestoreRequest, before: RegistryDomain): Promise<Verdict | undefined> {
  const { house, operation } = run;
  const now = house.clock.now();
  const summary = (view: RegistryDomain) =>
    `${view.name} registrant ${view.registrant ?? 'none'} nameservers ${view.nameservers.join(' ') || 'none'}`;
  const reply = await run.command(
    'restore-report',
    (context) =>
      run.registry.restoreReport(
        request.name,
        {
          dataBefore: summary(before),
          dataAfter: summary(before),
          deletedAt: new Date(request.deleted_at),
          restoredAt: now,
          reason: 'The holder asked for the name back.',
        },
        context,
      ),
    () => askReported(run, request.name),
  );
  if (reply.kind === 'done') return undefined;
  if (reply.kind === 'unknown') return { kind: 'unknown', why: reply.why, evidence: reply.evidence };
  if (reply.kind === 'unsent') return { kind: 'unsent', why: reply.why };
  // Some registries want no report; then the name is already back.
  const view = await askName(run, request.name);
  if (view.kind === 'done' && !isIn(view.data, 'pendingRestore') && !isIn(view.data, 'redemptionPeriod'))
    return undefined;
  await raiseAlarm(house, {
    key: `restore:${operation.id}`,
    severity: 'critical',
    sentence: `the registry refuses the restore report of ${request.name}: ${describe(reply.evidence)}; without it the name falls back into redemption`,
    facts: { operation_id: operation.id },
  });
  return { kind: 'waiting', why: 'the restore report was refused', evidence: reply.evidence, retryMs: reportRetryMs };
}

async function askReported(run: Run, name: string): Promise<Found<null>> {
  const view = await askName(run, name);
  if (view.kind === 'refused') return { kind: 'refused', evidence: view.evidence };
  if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
  return isIn(view.data, 'pendingRestore') ? { kind: 'never' } : { kind: 'done', data: null };
}

function priceChanged(run: Run): Verdict {
  const sentence = 'The name ran out since the restore was priced, and would now be renewed with it: order again.';
  return refusal(run, { kind: 'refused', evidence: { text: sentence } }, { code: 'conflict', sentence });
}

function stopped(run: Run, reply: Exclude<Reply<unknown>, { kind: 'done' }>): Verdict {
  return refusal(run, reply, refusedWith(reply));
}

function refusal(
  run: Run,
  reply: Exclude<Reply<unknown>, { kind: 'done' }>,
  error: ReturnType<typeof refusedWith>,
): Verdict {
  const undo = async (tx: Tx, evidence: Evidence) => {
    await release(run.house, tx, { operationId: run.operation.id });
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    await appendEvent(run.house, tx, domainEvent(run.operation, 'domain.restore_refused', facts));
  };
  return failed(run, reply, undo, error);
}

function restored(run: Run, view: RegistryDomain, evidence: Evidence): Verdict {
  const { house, operation } = run;
  const request = operation.request as unknown as RestoreRequest;
  return {
    kind: 'done',
    evidence,
    outcome: { expires_at: view.expiresAt?.toISOString() ?? null },
    async settle(tx) {
      const before = (await lockDomain(tx, operation.reseller_id, operation.domain_id!))!;
      // Whatever the registry has it for now was paid: with the restore, or before it.
      const endDate = view.expiresAt ?? before.end_date;
      const now = house.clock.now();
      if (request.with_renewal) await extendExpiry(tx, before.id, { endDate, registryExpiresAt: view.expiresAt, now });
      else await setEndDate(tx, before.id, endDate, now);
      const domain = { ...before, end_date: endDate, redemption_ends_at: null };
      await applyView(house, tx, domain, view, await rulesOf(tx, domain.tld));
      await capture(house, tx, { operationId: operation.id });
      await audit(house, tx, actorOf(operation), {
        action: 'domain.restored',
        objectType: 'domain',
        objectId: domain.id,
        before: { state: before.state },
        after: { expires_at: endDate },
      });
      const expires_at = endDate?.toISOString() ?? null;
      await appendEvent(house, tx, domainEvent(operation, 'domain.restored', { expires_at }));
    },
  };
}
