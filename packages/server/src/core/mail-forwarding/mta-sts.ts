import { createHash } from 'node:crypto';
import { addDays, allTenants } from '@namehold/base';
import { buildRRset, type Name, type RRset } from '@namehold/dns';
import type { Config } from '../../config.ts';
import type { AppContext } from '../app-context.ts';
import type { Domain } from '../domains/domain.ts';
import { lifeEvent } from '../domains/life-event.ts';
import { appendEvent } from '../events/append.ts';
import { edgeRecords } from '../forwarding/records.ts';
import { edgeAddresses, servesTls } from '../forwarding/target.ts';
import type { ZoneDraft } from '../zones/change/draft.ts';
import { claimRecords, type Keeper, releaseRecords } from '../zones/change/managed-records.ts';
import { mailLimits } from './forward.ts';
import type { MailSettingsRow } from './mail-domain.sql.ts';
import { keepPolicy, keepSts, type Sts, type StsMode, stsGrounds } from './mta-sts.sql.ts';

export const stsKeeper: Keeper = { service: 'mta_sts', word: 'MTA-STS', field: 'email' };

export const stsLimits = {
  testingDays: 14,
  /**
   * So long a sender goes on by a policy that it cannot ask about any more. Senders try for days: whatever becomes of a name or its nameservers, mail is late
   * by a day at most, and not lost.
   */
  maxAgeSeconds: 86_400,
  /** A policy that was enforced is taken back for this long before it goes: longer than any sender remembers it. */
  takenBackDays: 2,
} as const;

/** An edge serves policies by HTTPS, and the mail hosts have names that they can be known by. */
export function offersSts(config: Config): boolean {
  return config.mailHosts.length > 0 && servesTls(config) && edgeAddresses(config).length > 0;
}

/** RFC 8461 3.2. */
export function policyText(mode: StsMode, hosts: readonly string[]): string {
  const mx = mode === 'none' ? [] : hosts.map((host) => `mx: ${host}`);
  return ['version: STSv1', `mode: ${mode}`, ...mx, `max_age: ${stsLimits.maxAgeSeconds}`, ''].join('\r\n');
}

const textName = (origin: Name): Name => `_mta-sts.${origin}`;
const hostName = (origin: Name): Name => `mta-sts.${origin}`;

/** RFC 8461 3.1: the same policy has the same id, and another one another. */
function stsRecords(config: Config, origin: Name, policy: string): RRset[] {
  const id = createHash('sha256').update(policy).digest('hex').slice(0, 20);
  const name = textName(origin);
  const records = [`"v=STSv1; id=${id};"`];
  const text = buildRRset({ name, type: 'TXT', ttl: mailLimits.recordTtlSeconds, records }, { origin: name }).rrset;
  return [text, ...edgeRecords(config, hostName(origin))];
}

export const stsOf = (row: MailSettingsRow): Sts | undefined =>
  row.sts_mode === null
    ? undefined
    : { mode: row.sts_mode, since: row.sts_since, enforcedUntil: row.sts_enforced_until };

/** What a decision about a policy rests on. */
interface Grounds {
  readonly now: Date;
  readonly isOn: boolean;
  readonly isOffered: boolean;
  /** Every mail host presents a certificate that senders believe, and the policy itself can be fetched. */
  readonly isSafe: boolean;
}

/** What shall be, from what is. Undefined: no policy. */
function stsAfter(present: Sts | undefined, { now, isOn, isOffered, isSafe }: Grounds): Sts | undefined {
  const enforcedUntil = present?.mode === 'enforce' ? now : present?.enforcedUntil;
  const isRemembered = enforcedUntil && now < addDays(enforcedUntil, stsLimits.takenBackDays);
  if (!isOn || !isOffered) {
    if (!isRemembered || present?.mode === 'off') return undefined;
    return present?.mode === 'none' ? present : { mode: 'none', since: now, enforcedUntil };
  }
  if (present?.mode === 'off') return present;
  const since = present && present.mode !== 'none' ? present.since! : now;
  if (isSafe && now >= addDays(since, stsLimits.testingDays)) return { mode: 'enforce', since };
  return { mode: 'testing', since, ...(isRemembered ? { enforcedUntil } : {}) };
}

/**
 * Brings records, policy and what is stored to what shall be, in the transaction of the zone. The owner's own records in their place give way only
 * where that is asked for.
 */
export async function moveSts(
  ctx: AppContext,
  draft: ZoneDraft,
  domain: Domain,
  present: Sts | undefined,
  change: { readonly isOn: boolean; readonly replacesRecords: boolean },
): Promise<Sts | undefined> {
  const { config } = ctx;
  const isOffered = offersSts(config);
  if (!present && !(change.isOn && isOffered)) return undefined;
  const isSafe = await stsGrounds(ctx.db.as(allTenants), domain, config.mailHosts);
  const after = stsAfter(present, { now: ctx.clock.now(), isOn: change.isOn, isOffered, isSafe });
  await applySts(ctx, draft, domain, present, after, change.replacesRecords);
  return after;
}

async function applySts(
  ctx: AppContext,
  draft: ZoneDraft,
  domain: Domain,
  present: Sts | undefined,
  after: Sts | undefined,
  replacesRecords: boolean,
): Promise<void> {
  const origin = draft.zone.name;
  const policy = after && after.mode !== 'off' ? policyText(after.mode, ctx.config.mailHosts) : undefined;
  if (policy !== undefined) {
    await draft.load([hostName(origin)]);
    // A web rule for that very host leads to the edge already.
    const isLed = (set: RRset) =>
      set.name === hostName(origin) && draft.rrset(set.name, set.type)?.managedBy === 'url_forwarding';
    const wanted = stsRecords(ctx.config, origin, policy).filter((set) => !isLed(set));
    await claimRecords(draft, ctx.config, stsKeeper, wanted, replacesRecords);
  } else if (present && present.mode !== 'off')
    await releaseRecords(draft, stsKeeper, [textName(origin), hostName(origin)]);
  await keepPolicy(draft.tx, domain, policy, ctx.wall.now());
  await keepSts(draft.tx, domain, after);
  // That there is one to be tried, or none any more, is told with the forwarding itself.
  const isPublished = [present?.mode, after?.mode].some((each) => each === 'enforce' || each === 'none');
  if (!isPublished || present?.mode === after?.mode) return;
  const mode = after?.mode ?? 'off';
  await appendEvent(ctx, draft.tx, lifeEvent(domain, 'mail_forwarding.mta_sts_changed', { mode }));
}

/** At once: its zone goes, or the owner has records of its own there. */
export function endSts(
  ctx: AppContext,
  draft: ZoneDraft,
  domain: Domain,
  present: Sts | undefined,
  after?: Sts,
): Promise<void> | undefined {
  return present && applySts(ctx, draft, domain, present, after, false);
}
