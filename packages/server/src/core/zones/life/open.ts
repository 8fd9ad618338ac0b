import { nextSerial } from '@namehold/dns';
import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { countRecords, type Zone, zoneName } from '../../model/zone.ts';
import { commitDraft, recordChange } from '../change/commit.ts';
import { ZoneDraft } from '../change/draft.ts';
import { hostmasterOf, soaDefaults, soaRRset } from '../soa.ts';
import { lockZone, setZoneState } from '../zone.sql.ts';
import { beginWithDefault } from './begin.ts';
import { type Claimed, claimBranch, makeZone } from './make.sql.ts';
import { requireOwnDomainNow } from './own-domain.ts';
import { ownNameservers, templateRRsets } from './template.ts';

type ZoneDomain = Pick<Domain, 'id' | 'reseller_id' | 'name'>;

/** A zone that is opened to write records starts without the account's default template. */
type Opening = 'bare' | 'with default';

/** The locked zone of a domain, created on first use. A deleted zone starts again with the template. */
export async function openZone(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  domain: ZoneDomain,
  opening: Opening = 'bare',
): Promise<Zone> {
  const found = await lockZone(tx, domain.reseller_id, domain.id);
  if (found?.state === 'active') return found;
  await requireOwnDomainNow(tx, domain);
  const claimed = await claimName(ctx, tx, domain);
  if (!found) return createZone(ctx, tx, actor, domain, claimed, opening);
  return begun(ctx, tx, actor, await reviveZone(ctx, tx, actor, found), claimed, opening);
}

/**
 * The same for a domain that this transaction has assigned to the account: no other transaction can change the row, and usually it has
 * no zone yet.
 */
export async function openNewZone(ctx: AppContext, tx: Tx, actor: Actor, domain: ZoneDomain): Promise<Zone> {
  return createZone(ctx, tx, actor, domain, await claimName(ctx, tx, domain), 'with default');
}

/** Applies the default template for new zones, unless the caller writes records. */
const begun = (
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  zone: Zone,
  { chosen }: Claimed,
  opening: Opening,
): Promise<Zone> =>
  opening === 'bare' || !chosen ? Promise.resolve(zone) : beginWithDefault(ctx, tx, actor, zone, chosen);

/**
 * Refuses a zone above or below one of another account, and withdraws a zone that a former reseller of the domain left. Returns that
 * zone's serial and the default template.
 */
export async function claimName(ctx: AppContext, tx: Tx, domain: ZoneDomain): Promise<Claimed> {
  const zone = { name: zoneName(domain.name), resellerId: domain.reseller_id, domainId: domain.id };
  const { isTaken, ...claimed } = await claimBranch(tx, zone, ctx.clock.now());
  if (isTaken) throw new Refusal('conflict', `A zone above or below ${domain.name} belongs to another account.`);
  return claimed;
}

async function createZone(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  domain: ZoneDomain,
  claimed: Claimed,
  opening: Opening,
): Promise<Zone> {
  const { lastSerial } = claimed;
  const name = zoneName(domain.name);
  const now = ctx.wall.now();
  const unixSeconds = Math.floor(now.getTime() / 1_000);
  const serial = lastSerial === undefined ? unixSeconds : nextSerial(lastSerial, unixSeconds);
  const head = {
    name,
    mname: ownNameservers(ctx.config)[0] ?? `ns.${name}`,
    rname: hostmasterOf(name),
    ...soaDefaults,
  };
  const rrsets = await templateRRsets(tx, ctx.config, { name, domainId: domain.id });
  const added = rrsets.map((set) => ({ ...set, records: set.records.map((record) => record.text) }));
  const { keyId, user, requestId } = actor;
  const zone = await makeZone(tx, {
    ...head,
    resellerId: domain.reseller_id,
    domainId: domain.id,
    serial,
    now,
    rrsets,
    recordCount: countRecords(rrsets),
    added,
    soa: soaRRset({ ...head, serial }).records[0]!.text,
    by: { keyId, userId: user?.id ?? null, userName: user?.name ?? null },
    requestId,
  });
  // Another request of the same account created it first.
  if (!zone) return openZone(ctx, tx, actor, domain, opening);
  tx.afterCommit(() => ctx.zoneNotifier.notify(zone.id));
  await recordChange(ctx, actor, tx, { zone, previousSerial: null, diff: { deleted: [], added }, kind: 'create' });
  return begun(ctx, tx, actor, zone, claimed, opening);
}

async function reviveZone(ctx: AppContext, tx: Tx, actor: Actor, zone: Zone): Promise<Zone> {
  await setZoneState(tx, zone, 'active', ctx.clock.now());
  const draft = new ZoneDraft(tx, { ...zone, state: 'active', deleted_at: null, withdrawn_at: null });
  await draft.loadAll();
  const rrsets = await templateRRsets(tx, ctx.config, { name: zone.name, domainId: zone.domain_id });
  draft.removeAllBut(() => false, 'zone');
  for (const set of rrsets) draft.put(set, 'zone');
  draft.soa = { rname: hostmasterOf(zone.name), ...soaDefaults };
  return (await commitDraft(ctx, actor, draft, { kind: 'template', isOurs: true, always: true })).zone;
}
