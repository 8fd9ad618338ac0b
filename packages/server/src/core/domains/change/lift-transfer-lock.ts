import { allTenants } from '@namehold/base';
import { findOpenCommand, wasDone } from '../../operations/journal.sql.ts';
import type { Found, Run } from '../../operations/run.ts';
import { readRegistryDomain } from '../registry/read-registry-domain.ts';
import type { RegistryDomain, Reply } from '../registry/registry.ts';

/** The one status that theft protection owns; nothing else is ever lifted on the caller's behalf. */
const transferLock = 'clientTransferProhibited';

/** RFC 5730 2304 from a registry that takes no change while the transfer lock is on, though RFC 5731 2.3 would let it. */
export function isBlockedByTransferLock(reply: Reply<unknown>, view: RegistryDomain): boolean {
  const refused = reply.kind === 'refused' && reply.evidence.code === 2304;
  const others = view.statuses.some((status) => /UpdateProhibited$|^pending/.test(status));
  return refused && !others && view.statuses.includes(transferLock);
}

/** Whether an attempt of this operation has lifted it and may not have set it again. */
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

/** Free, the same however often it is sent, and asked about where nobody remembers it: it may be forgotten. To lift the lock may not. */
export function setTransferLock(run: Run, step: string, name: string): Promise<Reply<null>> {
  return run.command(
    step,
    (context) => run.registry.update(name, { addStatuses: [transferLock] }, context),
    () => queryStatus(run, name, true),
    'forgettable',
  );
}

async function queryStatus(run: Run, name: string, wanted: boolean): Promise<Found<null>> {
  const view = await readRegistryDomain(run, name);
  if (view.kind === 'refused') return { kind: 'refused', evidence: view.evidence };
  if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
  return view.data.statuses.includes(transferLock) === wanted ? { kind: 'done', data: null } : { kind: 'never' };
}
