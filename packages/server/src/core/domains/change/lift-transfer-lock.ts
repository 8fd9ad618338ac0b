import { allTenants } from '@namehold/postgres';
import { findOpenCommand, wasDone } from '../../operations/journal.sql.ts';
import type { Found, Run } from '../../operations/run.ts';
import type { RegistryDomain, Reply } from '../../ports/registry.ts';
import { readRegistryDomain } from '../registry/read-registry-domain.ts';

/** The only status that theft protection sets. No other status is ever removed implicitly. */
const transferLock = 'clientTransferProhibited';

/** RFC 5730 2304 from a registry that refuses every change while the transfer lock is set, although RFC 5731 2.3 allows it. */
export function isBlockedByTransferLock(reply: Reply<unknown>, view: RegistryDomain): boolean {
  const refused = reply.kind === 'refused' && reply.evidence.code === 2304;
  const others = view.statuses.some((status) => /UpdateProhibited$|^pending/.test(status));
  return refused && !others && view.statuses.includes(transferLock);
}

/** Whether an attempt of this operation has removed the lock and may not have set it again. */
export async function wasLifted(run: Run): Promise<boolean> {
  const db = run.ctx.db.as(allTenants);
  return (
    (await wasDone(db, run.operation.id, 'lift')) || (await findOpenCommand(db, run.operation.id, 'lift')) !== undefined
  );
}

export function liftTransferLock(run: Run, name: string): Promise<Reply<null>> {
  return run.command(
    'lift',
    (context) => run.registry.update(name, { removeStatuses: [transferLock] }, context),
    () => queryStatus(run, name, false),
  );
}

/**
 * The command is free, idempotent and answered by a query if its outcome is unknown, so it may be lost. The removal of the lock may not.
 */
export function setTransferLock(run: Run, step: string, name: string): Promise<Reply<null>> {
  return run.command(
    step,
    (context) => run.registry.update(name, { addStatuses: [transferLock] }, context),
    () => queryStatus(run, name, true),
    'non_durable',
  );
}

async function queryStatus(run: Run, name: string, wanted: boolean): Promise<Found<null>> {
  const view = await readRegistryDomain(run, name);
  if (view.kind === 'refused') return { kind: 'refused', evidence: view.evidence };
  if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
  return view.data.statuses.includes(transferLock) === wanted ? { kind: 'done', data: null } : { kind: 'never' };
}
