import { splitName } from '@namehold/base';
import { findDomain, lockDomain } from '../domain/domain.sql.ts';
import { dueOf } from '../domain/record.ts';
import { acceptDocuments, approveCreate, refuseCreate, requireDocuments } from '../domain/review.ts';
import { rgpStatusesOf, statusesOf } from '../domain/view.ts';
import { noEffects, registryTenant } from '../registry/registry.ts';
import { settleDue } from '../scheduler/settle.ts';
import { latestTransfer } from '../transfer/transfer.sql.ts';
import { type Control, type ControlCall, ControlError } from './control.ts';
import { linesOfDomain } from './statement.ts';

/** All data of a domain in the registry, without secrets. */
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

const decisions = ['approve', 'refuse', 'want', 'received'] as const;

/**
 * `{"decision": "approve"}`, for a create that waits for its documents; `want` lists missing ones in `documents`, `received` reports
 * their arrival.
 */
export const reviewDomain: ControlCall = async (control, { parts, body }) => {
  const { registry } = control;
  const decision = decisions.find((each) => each === body.decision);
  if (decision === undefined) throw new ControlError(400, `decision must be one of ${decisions.join(', ')}`);
  const wanted = typeof body.documents === 'string' ? body.documents : 'further documents';
  await settleDue(registry);
  const name = (parts[0] ?? '').toLowerCase();
  const effects = noEffects();
  await registry.db.transaction(registryTenant, async (tx) => {
    const domain = await lockDomain(tx, name);
    if (domain === undefined) throw new ControlError(404, `${name} is not registered`);
    if (domain.phase !== 'pendingCreate') throw new ControlError(409, `${name} awaits no review`);
    const cause = { at: registry.clock.now(), effects, clTRID: null, svTRID: registry.ids.next('NH') };
    const wait = registry.tlds.get(domain.tld)!.pendingCreate!;
    if (decision === 'want') await requireDocuments(tx, cause, domain, wait, wanted);
    else if (decision === 'received') await acceptDocuments(tx, cause, domain, wait);
    else await (decision === 'approve' ? approveCreate : refuseCreate)(tx, cause, domain);
  });
  for (const clientId of effects.messagesFor) registry.messageCounts.changed(clientId);
  for (const dueAt of effects.dueAt) registry.horizon.note(dueAt);
  return { name, decision };
};
