import type { Reader } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { type CertificateStatus, statusAt } from '../model/certificate.ts';
import type { Domain } from '../model/domain.ts';
import { type JournalRecords, zoneName } from '../model/zone.ts';
import { findCertificate } from '../tables/certificate.sql.ts';
import { displacedOf } from '../zones/change/displaced.sql.ts';
import { usesOurNameservers } from '../zones/life/at-registration.ts';
import { overallState, publicationOf } from '../zones/publish/publication.ts';
import { findZone } from '../zones/zone.sql.ts';
import { clicksSince } from './clicks.sql.ts';
import { type ForwardingRow, findForwarding } from './forwarding.sql.ts';
import { delegatedHosts, edgeRecords } from './records.ts';
import { activeHosts, hostName, type Rule } from './rule.ts';
import { whyBlocked } from './served.ts';
import { deniedBy, servesTls } from './target.ts';
import { type TargetFound, targetsOf } from './target-check.sql.ts';

const clicksShownMs = 30 * 86_400_000;

type RuleState = 'waiting_dns' | 'live' | 'blocked' | 'off';

export interface ForwardingStatus {
  readonly domain: Domain;
  readonly row: ForwardingRow;
  /** False: the delegation points to other nameservers. */
  readonly isElsewhere: boolean;
  /** Every nameserver has the current zone. */
  readonly isPublished: boolean;
  /** Undefined: no authority is set up. */
  readonly certificate: CertificateStatus | undefined;
  /** The rules that edges serve. */
  readonly schemes: readonly ('http' | 'https')[];
  /** Hosts that the zone delegates to other nameservers, with the delegated name. */
  readonly delegated: ReadonlyMap<string, string>;
  /** Hosts whose targets the operator forbids. */
  readonly deniedHosts: readonly string[];
  /** Its records in the zone; to be added manually if the zone is elsewhere. */
  readonly records: readonly JournalRecords[];
  /** Replaced records of the owner, which are restored at the end. */
  readonly displaced: readonly JournalRecords[];
  /** Results of the target checks. */
  readonly targets: readonly TargetFound[];
  /** Requests within 30 days, by rule. */
  readonly clicks: ReadonlyMap<string, number>;
}

/** The rules of a domain, its records, and its status. */
export async function readForwarding(ctx: AppContext, domain: Domain): Promise<ForwardingStatus> {
  const db = ctx.db.as(domain.reseller_id);
  return statusOf(ctx, db, domain, await findForwarding(db, domain));
}

export async function statusOf(
  ctx: AppContext,
  db: Reader,
  domain: Domain,
  row: ForwardingRow,
): Promise<ForwardingStatus> {
  const zone = await findZone(db, domain.reseller_id, domain.id);
  const nameservers = zone ? await publicationOf(db, zone, ctx.wall.now()) : [];
  const origin = zoneName(domain.name);
  const found = servesTls(ctx.config) ? await findCertificate(db, domain) : undefined;
  const certificate = found && statusAt(found, ctx.wall.now());
  const isSecure = certificate?.not_after != null && certificate.not_after > ctx.wall.now();
  return {
    domain,
    row,
    isElsewhere: !usesOurNameservers(ctx, domain.nameservers),
    isPublished: overallState(nameservers) === 'published',
    certificate,
    schemes: isSecure ? ['http', 'https'] : ['http'],
    delegated: zone ? await delegatedHosts(db, zone, activeHosts(row.rules)) : new Map(),
    deniedHosts: ctx.config.redirectDeny,
    records: activeHosts(row.rules)
      .flatMap((host) => edgeRecords(ctx.config, hostName(host, origin)))
      .map(({ records, ...set }) => ({ ...set, records: records.map((record) => record.text) })),
    displaced: zone ? await displacedOf(db, zone, 'url_forwarding') : [],
    targets: await targetsOf(db, domain),
    clicks: await clicksSince(db, domain, new Date(ctx.wall.now().getTime() - clicksShownMs)),
  };
}

export function stateOf(
  { domain, isElsewhere, isPublished, delegated, deniedHosts }: ForwardingStatus,
  rule: Rule,
): { readonly state: RuleState; readonly reason: string | null } {
  if (!rule.enabled) return { state: 'off', reason: null };
  const blocked = whyBlocked(domain);
  if (blocked !== undefined) return { state: 'blocked', reason: blocked };
  const denied = deniedBy(URL.parse(rule.target)?.hostname ?? '', deniedHosts);
  if (denied !== undefined) return { state: 'blocked', reason: `your provider does not allow forwarding to ${denied}` };
  if (isElsewhere) return { state: 'waiting_dns', reason: 'the domain uses other nameservers: set the records there' };
  const cut = delegated.get(rule.host);
  if (cut !== undefined)
    return { state: 'blocked', reason: `${cut} is delegated to other nameservers by its NS records` };
  return isPublished
    ? { state: 'live', reason: null }
    : { state: 'waiting_dns', reason: 'not every nameserver has the records yet' };
}
