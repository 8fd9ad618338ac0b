import { parseRecord, type RRset } from '@namehold/dns';
import { type Actor, type AppContext, write } from '../../app-context.ts';
import { badField, notFound } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import type { JournalRecords, Zone } from '../../model/zone.ts';
import type { RollbackOrder, ZoneChanged } from '../../model/zone-task.ts';
import { isLargeHistory } from '../large.ts';
import { claimName } from '../life/open.ts';
import { requireOwnDomain, requireOwnDomainNow } from '../life/own-domain.ts';
import { soaFieldsOf } from '../soa.ts';
import { findZone, lockZone, setZoneState } from '../zone.sql.ts';
import { type Change, changesAfter } from './change.sql.ts';
import { requireExpected } from './change-zone.ts';
import { commitDraft } from './commit.ts';
import { ZoneDraft } from './draft.ts';
import { keptReason } from './guard-managed.ts';

/** Restores the content of an earlier serial, under a new serial. It also restores a deleted zone. */
export async function rollbackZone(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  order: RollbackOrder,
): Promise<ZoneChanged> {
  requireOwnDomain(domain);
  if (ctx.workers && (await isLargeHistory(ctx, domain, order.serial)))
    return ctx.workers.change(actor, { kind: 'rollback', domain, order });
  if (!(await findZone(ctx.db.as(domain.reseller_id), domain.reseller_id, domain.id))) throw notFound('zone');
  const rolled = async (tx: ZoneDraft['tx']) => {
    const zone = await lockZone(tx, domain.reseller_id, domain.id);
    if (!zone) throw notFound('zone');
    if (order.expected !== undefined) requireExpected(order.expected, zone, []);
    const changes = await changesAfter(tx, zone.id, order.serial);
    if (!changes || changes[0]?.serial_from === null)
      throw badField('serial', `The history of the zone does not go back to ${order.serial}.`, 'not_found');
    const revives = zone.state !== 'active';
    if (revives) {
      await requireOwnDomainNow(tx, domain);
      await claimName(ctx, tx, domain);
      if (!order.isDryRun) await setZoneState(tx, zone, 'active', ctx.clock.now());
    }
    const draft = await draftBefore(tx, zone, changes, (set) => set.managed_by === undefined);
    warnOfKept(draft, changes);
    const comment = order.comment ?? `roll back to ${order.serial}`;
    return commitDraft(ctx, actor, draft, { kind: 'rollback', comment, isDryRun: order.isDryRun, always: revives });
  };
  return order.isDryRun ? ctx.db.transaction(actor.resellerId, rolled) : write(ctx, actor, rolled);
}

/** Undoes the changes from the newest back to the requested serial. Only RRsets that changed since are read. */
export async function draftBefore(
  tx: ZoneDraft['tx'],
  zone: Zone,
  changes: readonly Change[],
  isUndone: (set: JournalRecords) => boolean,
): Promise<ZoneDraft> {
  const draft = new ZoneDraft(tx, { ...zone, state: 'active', withdrawn_at: null, deleted_at: null });
  await draft.load(changes.flatMap((change) => [...change.added, ...change.deleted].map((set) => set.name)));
  for (const change of changes.toReversed()) {
    for (const set of change.added.filter(isUndone))
      draft.put(withoutRecords(draft.rrset(set.name, set.type) ?? emptySet(set), set), 'serial');
    for (const set of change.deleted.filter(isUndone))
      draft.put(withRecords(draft.rrset(set.name, set.type) ?? emptySet(set), set), 'serial');
  }
  const soa = changes[0]?.soa_from;
  if (soa) draft.soa = soaFieldsOf(soaOf(zone, soa));
  return draft;
}

/** Records of a service stay unchanged; the owner's earlier records in their place are reported as warnings. */
function warnOfKept(draft: ZoneDraft, changes: readonly Change[]): void {
  const seen = new Set<string>();
  for (const { deleted, added } of changes)
    for (const set of [...deleted, ...added]) {
      const key = `${set.name} ${set.type}`;
      if (seen.has(key) || set.managed_by === undefined || set.managed_by === 'acme') continue;
      seen.add(key);
      const present = draft.rrset(set.name, set.type);
      const isKept = deleted.includes(set) && present?.managedBy !== undefined;
      if (isKept && present.records.map(({ text }) => text).join('\n') !== set.records.join('\n'))
        draft.warnings.push({ name: set.name, type: set.type, reason: keptReason(present.managedBy!) });
    }
}

const emptySet = ({ name, type, ttl }: JournalRecords): RRset => ({ name, type, ttl, records: [] });

function withoutRecords(set: RRset, gone: JournalRecords): RRset {
  const texts = new Set(gone.records);
  return { ...set, records: set.records.filter((record) => !texts.has(record.text)) };
}

function withRecords(set: RRset, back: JournalRecords): RRset {
  const records = back.records.map((text) => ({ text, wire: parseRecord(back.type, text).wire }));
  return { ...set, ttl: back.ttl, records: [...set.records, ...records] };
}

function soaOf(zone: Pick<Zone, 'name'>, text: string): RRset {
  const { wire } = parseRecord('SOA', text);
  return { name: zone.name, type: 'SOA', ttl: 0, records: [{ text, wire }] };
}
