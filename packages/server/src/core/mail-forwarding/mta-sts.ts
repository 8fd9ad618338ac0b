import { createHash } from 'node:crypto';
import { addDays } from '@namehold/base';
import { buildRRset, type Name, type RRset } from '@namehold/dns';
import { allTenants } from '@namehold/postgres';
import type { Config } from '../../config.ts';
import type { AppContext } from '../app-context.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import { edgeRecords } from '../forwarding/records.ts';
import { edgeAddresses, servesTls } from '../forwarding/target.ts';
import type { Domain } from '../model/domain.ts';
import type { ZoneDraft } from '../zones/change/draft.ts';
import { claimRecords, type Keeper, releaseRecords } from '../zones/change/managed-records.ts';
import { mailLimits } from './forward.ts';
import type { MailSettingsRow } from './mail-domain.sql.ts';
import { keepPolicy, keepSts, type Sts, type StsMode, stsGrounds } from './mta-sts.sql.ts';

export const stsKeeper: Keeper = { service: 'mta_sts', label: 'MTA-STS', field: 'email' };

export const stsLimits = {
  testingDays: 14,
  /**
   * How long senders cache a policy. Senders retry for days, so after a failure of the domain or its nameservers mail is a day late at
   * most, and not lost.
   */
  maxAgeSeconds: 86_400,
  /** An enforced policy is withdrawn for this long before its removal, which is longer than senders cache it. */
  takenBackDays: 2,
} as const;

/** Requires edges with HTTPS, which serve the policies, and configured mail hosts. */
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

/** RFC 8461 3.1: the id changes with the policy, so it is a hash of it. */
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

/** Inputs of a decision about a policy. */
interface Grounds {
  readonly now: Date;
  readonly isOn: boolean;
  readonly isOffered: boolean;
  /** Every mail host presents a certificate that senders trust, and the policy can be fetched. */
  readonly isSafe: boolean;
}

/** The policy that follows from the present one. Undefined: no policy. */
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

/** Updates records, policy and state in the transaction of the zone. Records of the owner are replaced only if requested. */
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
    // A forwarding rule for that host already points to the edge.
    const isLed = (set: RRset) =>
      set.name === hostName(origin) && draft.rrset(set.name, set.type)?.managedBy === 'url_forwarding';
    const wanted = stsRecords(ctx.config, origin, policy).filter((set) => !isLed(set));
    await claimRecords(draft, ctx.config, stsKeeper, wanted, replacesRecords);
  } else if (present && present.mode !== 'off')
    await releaseRecords(draft, stsKeeper, [textName(origin), hostName(origin)]);
  await keepPolicy(draft.tx, domain, policy, ctx.wall.now());
  await keepSts(draft.tx, domain, after);
  // The event of the forwarding itself covers the start and end of a policy.
  const isPublished = [present?.mode, after?.mode].some((each) => each === 'enforce' || each === 'none');
  if (!isPublished || present?.mode === after?.mode) return;
  const mode = after?.mode ?? 'off';
  await appendEvent(ctx, draft.tx, lifeEvent(domain, 'mail_forwarding.mta_sts_changed', { mode }));
}

/** Ends the policy at once, because the zone ends or the owner has own records. */
export function endSts(
  ctx: AppContext,
  draft: ZoneDraft,
  domain: Domain,
  present: Sts | undefined,
  after?: Sts,
): Promise<void> | undefined {
  return present && applySts(ctx, draft, domain, present, after, false);
}
