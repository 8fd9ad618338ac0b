import { splitName } from '@namehold/base';
import { settleDue } from '../clockwork/settle.ts';
import { findDomain, lockDomain } from '../domain/domain.sql.ts';
import { dueOf } from '../domain/record.ts';
import { approveCreate, refuseCreate } from '../domain/review.ts';
import { rgpStatusesOf, statusesOf } from '../domain/view.ts';
import { noRipples, registryTenant } from '../registry/registry.ts';
import { latestTransfer } from '../transfer/transfer.sql.ts';
import { type Control, type ControlCall, ControlError } from './control.ts';
import { linesOfDomain } from './statement.ts';

/** All that the registry knows about a domain, secrets left out. */
export const showDomain: ControlCall = async (control, { parts }) => {
  await settleDue(control.registry);
  return domainDump(control, (parts[0] ?? '').toLowerCase());
};

export async function domainDump({ registry }: Control, name: string) {
  const db = registry.db.as(registryTenant);
  const domain = await findDomain(db, name);
  const statement = await linesOfDomain(db, name);
  if (domain === undefined) {
    const served = splitName(name, registry.tlds) !== undefined;
    throw new ControlError(404, served ? `${name} is not registered` : `${name} is in no zone of this registry`);
  }
  const { authHash, registrantId: _, ...shown } = domain;
  return {
    ...shown,
    statuses: statusesOf(domain),
    rgp_statuses: rgpStatusesOf(domain, registry.clock.now()),
    auth_info_set: authHash !== null,
    due_at: dueOf(domain),
    transfer: (await latestTransfer(db, 'domain', domain.id)) ?? null,
    statement,
  };
}

/** `{"decision": "approve"}` or `{"decision": "refuse"}`, for a create that waits for its documents. */
export const reviewDomain: ControlCall = async (control, { parts, body }) => {
  const { registry } = control;
  const decision = body.decision;
  if (decision !== 'approve' && decision !== 'refuse')
    throw new ControlError(400, 'decision must be approve or refuse');
  await settleDue(registry);
  const name = (parts[0] ?? '').toLowerCase();
  const ripples = noRipples();
  await registry.db.transaction(registryTenant, async (tx) => {
    const domain = await lockDomain(tx, name);
    if (domain === undefined) throw new ControlError(404, `${name} is not registered`);
    if (domain.phase !== 'pendingCreate') throw new ControlError(409, `${name} awaits no review`);
    const cause = { at: registry.clock.now(), ripples, clTRID: null, svTRID: registry.ids.next('NH') };
    await (decision === 'approve' ? approveCreate : refuseCreate)(tx, cause, domain);
  });
  for (const clientId of ripples.mailFor) registry.mailCounts.changed(clientId);
  for (const dueAt of ripples.dueAt) registry.horizon.note(dueAt);
  return { name, decision };
};
