import { allTenants } from '@namehold/postgres';
import { raiseAlarm } from '../../alarms/alarm.ts';
import { describe } from '../../model/evidence.ts';
import type { RestoreRequest } from '../../model/operation-kinds.ts';
import { wasDone } from '../../operations/journal.sql.ts';
import type { Found, Run, WorkflowResult } from '../../operations/run.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { phaseOf } from '../lifecycle.ts';
import { needsReview } from '../registry/outcome.ts';
import { readRegistryDomain } from '../registry/read-registry-domain.ts';

const againMs = 600_000;

type Reported = { readonly kind: 'reported' } | { readonly kind: 'stopped'; readonly result: WorkflowResult<never> };

/** RFC 3915 4.2.5: the report is a binding statement, so both dates are those at which the deletion and the restore happened. */
export async function sendReport(
  run: Run<'restore'>,
  request: RestoreRequest,
  before: RegistryDomain,
): Promise<Reported> {
  const { name } = request;
  const summary = `${name} registrant ${before.registrant ?? 'none'} nameservers ${before.nameservers.join(' ') || 'none'}`;
  const report = {
    dataBefore: summary,
    dataAfter: summary,
    deletedAt: new Date(request.deleted_at),
    restoredAt: before.updatedAt ?? run.ctx.clock.now(),
    reason: 'The registrant requested the restore of the domain.',
  };
  const reply = await run.command(
    'restore-report',
    (context) => run.registry.restoreReport(name, report, context),
    () => queryReported(run, name),
  );
  if (reply.kind === 'done') return { kind: 'reported' };
  if (reply.kind === 'unknown') return stopped({ kind: 'unknown', why: reply.why, evidence: reply.evidence });
  if (reply.kind === 'unsent') return stopped({ kind: 'unsent', why: reply.why });
  // A refusal of the report does not say what happened to the domain; the registry's view of it does.
  const view = await readRegistryDomain(run, name);
  if (view.kind === 'unknown' || view.kind === 'unsent') return stopped({ kind: 'unknown', why: view.why });
  if (view.kind === 'refused') {
    return stopped(needsReview(run, `restored and paid, but ${describe(view.evidence)}`, reply.evidence));
  }
  const phase = phaseOf(view.data);
  if (phase === 'live' || phase === 'pending_transfer') return { kind: 'reported' };
  if (phase !== 'pending_restore') {
    const why = `the restore was accepted and paid, its report was refused (${describe(reply.evidence)}), and the domain returned to redemption`;
    return stopped(needsReview(run, why, reply.evidence));
  }
  await raiseAlarm(run.ctx, {
    key: `restore:${run.operation.id}`,
    severity: 'critical',
    sentence: `the registry refuses the restore report of ${name}: ${describe(reply.evidence)}; without it the domain returns to redemption`,
    facts: { operation_id: run.operation.id },
  });
  const why = 'the restore report was refused';
  return stopped({ kind: 'waiting', why, evidence: reply.evidence, retryMs: againMs });
}

const stopped = (result: WorkflowResult<never>): Reported => ({ kind: 'stopped', result });

async function queryReported(run: Run<'restore'>, name: string): Promise<Found<null>> {
  const view = await readRegistryDomain(run, name);
  if (view.kind === 'refused') return { kind: 'refused', evidence: view.evidence };
  if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
  const phase = phaseOf(view.data);
  if (phase === 'pending_restore') {
    // A report that was accepted is not sent again only because a read does not show it yet.
    const isTaken = await wasDone(run.ctx.db.as(allTenants), run.operation.id, 'restore-report');
    return isTaken ? { kind: 'done', data: null } : { kind: 'never' };
  }
  if (phase === 'live' || phase === 'pending_transfer') return { kind: 'done', data: null };
  return { kind: 'refused', evidence: { text: 'the domain returned to redemption before the report arrived' } };
}
