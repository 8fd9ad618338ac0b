import { allTenants } from '@namehold/postgres';
import ipaddr from 'ipaddr.js';
import type { AppContext } from '../app-context.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import { delegatedHosts } from '../forwarding/records.ts';
import { activeHosts, type Rule } from '../forwarding/rule.ts';
import { whyBlocked } from '../forwarding/served.ts';
import { edgeAddresses } from '../forwarding/target.ts';
import type { CertificateState } from '../model/certificate.ts';
import type { Domain } from '../model/domain.ts';
import { namesAbove, type Zone, zoneName } from '../model/zone.ts';
import type { CaaRecord, CertificateAuthority, ProofMethod } from '../ports/certificate-authority.ts';
import { readDomain } from '../tables/domain.sql.ts';
import { usesOurNameservers } from '../zones/life/at-registration.ts';
import { overallState, publicationOf } from '../zones/publish/publication.ts';
import { rrsetsAt } from '../zones/rrsets/rrset.sql.ts';
import { findZone } from '../zones/zone.sql.ts';
import { caaForbids } from './caa.ts';
import { type CertificateToCheck, recordRecheck } from './certificate.sql.ts';
import { covers, certificateLimits as limits, timeWithin, wantedNames } from './certificate.ts';
import { nameAbove } from './mail-host.ts';
import { insertOrder, usedBudget } from './order.sql.ts';

interface Note {
  readonly state: CertificateState;
  readonly reason: string | null;
  readonly againMs: number | null;
  readonly renewAt?: Date;
}

const minute = 60_000;
const hour = 60 * minute;

/** Domains that are checked in one round. */
export interface Round {
  /** Authorities that are reachable, the preferred one first. */
  readonly authorities: readonly [CertificateAuthority, ...CertificateAuthority[]];
  /** An authority returned no renewal information; it is not queried again in this round. */
  isUnreachable: boolean;
}

/** Checks one domain or mail host. It has a certificate, must wait, cannot have one, or gets a new order. */
export async function checkCertificate(ctx: AppContext, round: Round, row: CertificateToCheck): Promise<void> {
  const { domain_id, host } = row;
  const domain = domain_id === null ? undefined : await readDomain(ctx.db.as(allTenants), domain_id);
  const [{ issuesWithoutValidation }] = round.authorities;
  const needed = domain
    ? await domainNeeds(ctx, domain, row, issuesWithoutValidation)
    : await hostNeeds(ctx, host!, issuesWithoutValidation);
  const found = needed ? await whatIsNeeded(ctx, round, needed, row) : restOf(row);
  await ctx.db.transaction(allTenants, async (tx) => {
    if ('names' in found) {
      const { method, names, authority } = found;
      const order = { id: ctx.ids.next('crt'), domain_id, host, reseller_id: domain?.reseller_id ?? null };
      if (await insertOrder(tx, { ...order, authority: authority.name, method, names }))
        await recordRecheck(tx, row, { state: 'ordering', reason: null, againMs: limits.checkAgainMs });
      return;
    }
    await recordRecheck(tx, row, found);
    if (!domain || found.state !== 'blocked' || found.reason === row.reason) return;
    const facts = { reason: found.reason ?? '', is_blocked: true };
    await appendEvent(ctx, tx, lifeEvent(domain, 'forwarding.certificate_failed', facts));
  });
  if ('names' in found) ctx.failpoint('certificate:written');
}

type Needed =
  | Note
  | { readonly method: ProofMethod; readonly names: readonly string[]; readonly authority: CertificateAuthority };

/** The hosts that a certificate must cover, and its proof. */
interface CertificateNeeds {
  /** Domain whose zone gets the proof. Undefined: proof by a page at the edge, or none. */
  readonly shownIn: Domain | undefined;
  /** Whose name it is; undefined: a mail host. */
  readonly resellerId: string | undefined;
  readonly method: ProofMethod;
  readonly wanted: readonly string[];
  /** Reason for a failure if no host points to an edge. */
  readonly missing: string;
}

const presentOf = (row: CertificateToCheck): CertificateState => (row.chain === null ? 'waiting' : 'live');
const restOf = (row: CertificateToCheck): Note => ({ state: presentOf(row), reason: null, againMs: null });

/** Undefined: the domain is out of service or needs no certificate. */
async function domainNeeds(
  ctx: AppContext,
  domain: Domain,
  { rules, has_policy }: CertificateToCheck,
  isTrusting: boolean,
): Promise<CertificateNeeds | undefined> {
  if (whyBlocked(domain) !== undefined) return undefined;
  const isOurs = isTrusting || usesOurNameservers(ctx, domain.nameservers);
  const method = isOurs ? 'dns-01' : 'http-01';
  const wanted = wantedNames(domain, isOurs ? await withinZone(ctx, domain, rules) : rules, method, has_policy);
  const missing = 'the domain uses other nameservers: set the records there';
  const { reseller_id: resellerId } = domain;
  return wanted.length === 0
    ? undefined
    : { shownIn: isOurs ? domain : undefined, resellerId, method, wanted, missing };
}

async function hostNeeds(ctx: AppContext, host: string, isTrusting: boolean): Promise<CertificateNeeds> {
  const shownIn = await nameAbove(ctx, host);
  const method = isTrusting || shownIn ? 'dns-01' : 'http-01';
  const missing = 'its zone is not served here, and it does not point to an edge: give Postfix your own certificate';
  return { shownIn, resellerId: undefined, method, wanted: [host], missing };
}

async function whatIsNeeded(
  ctx: AppContext,
  round: Round,
  needs: CertificateNeeds,
  row: CertificateToCheck,
): Promise<Needed> {
  const [{ issuesWithoutValidation }] = round.authorities;
  const { method, wanted, missing } = needs;
  const isOurs = method === 'dns-01';
  const present = presentOf(row);
  const rest = restOf(row);
  const names = isOurs ? wanted : await pointingHere(ctx, wanted);
  const maker = ctx.authorities.find(({ name }) => name === row.authority);
  if (maker && row.chain !== null && !row.is_due && covers(row.names, names)) {
    const enough = await withRenewal(ctx, round, maker, row, isOurs ? rest : { ...rest, againMs: limits.checkAgainMs });
    if (enough) return enough;
  }
  if (names.length === 0) return { state: present, reason: missing, againMs: 10 * minute };
  if (issuesWithoutValidation) return { method, names, authority: round.authorities[0] };
  const { subject, domain_id } = row;
  const isAddition = domain_id !== null && row.chain !== null && !row.is_due && !covers(row.names, names);
  const { resellerId } = needs;
  return decideOrder(ctx, round, { subject, shownIn: needs.shownIn, resellerId, method, names, present, isAddition });
}

/** Without hosts that the zone delegates: their proofs would belong in another party's zone. */
async function withinZone(ctx: AppContext, domain: Domain, rules: readonly Rule[]): Promise<readonly Rule[]> {
  const db = ctx.db.as(allTenants);
  const zone = await findZone(db, domain.reseller_id, domain.id);
  if (!zone) return rules;
  const delegated = await delegatedHosts(db, zone, activeHosts(rules));
  return rules.filter((rule) => !delegated.has(rule.host));
}

/** The same with the renewal date of its authority (RFC 9773). Undefined: now. */
async function withRenewal(
  ctx: AppContext,
  round: Round,
  maker: CertificateAuthority,
  row: CertificateToCheck,
  enough: Note,
): Promise<Note | undefined> {
  const needed = { ...enough, againMs: enough.againMs ?? (maker.issuesWithoutValidation ? null : limits.checkAgainMs) };
  if (round.isUnreachable) return needed;
  const window = await maker.renewal(row.chain!).catch(() => {
    round.isUnreachable = true;
    return undefined;
  });
  if (!window) return needed;
  const renewAt = timeWithin(window, row.id!);
  if (renewAt <= ctx.wall.now()) return undefined;
  const untilMs = renewAt.getTime() - ctx.wall.now().getTime();
  const pauseMs = Math.max(window.retryAfterMs ?? limits.checkAgainMs, limits.soonestQueryMs);
  return { ...enough, renewAt, againMs: Math.min(pauseMs, limits.longestQueryMs, untilMs) };
}

/** Hosts whose public addresses are all addresses of our edges. */
async function pointingHere(ctx: AppContext, names: readonly string[]): Promise<string[]> {
  const plain = (address: string) => ipaddr.process(address).toString();
  const edges = new Set(edgeAddresses(ctx.config).map(plain));
  const here = await Promise.all(
    names.map(async (name) => {
      const addresses = await ctx.lookup.addresses(name).catch(() => []);
      return addresses.length > 0 && addresses.every((address) => edges.has(plain(address)));
    }),
  );
  return names.filter((_, at) => here[at]);
}

interface WantedCertificate {
  readonly subject: string;
  readonly shownIn: Domain | undefined;
  readonly method: ProofMethod;
  readonly names: readonly string[];
  readonly present: CertificateState;
  readonly resellerId: string | undefined;
  /** It has a valid certificate that lacks names. */
  readonly isAddition: boolean;
}

/** The authority to order from, or why none can be used: unpublished records, CAA, or an exhausted budget. */
async function decideOrder(ctx: AppContext, round: Round, request: WantedCertificate): Promise<Needed> {
  const db = ctx.db.as(allTenants);
  const { method, names, shownIn, present: state } = request;
  const zone = shownIn ? await findZone(db, shownIn.reseller_id, shownIn.id) : undefined;
  if (method === 'dns-01') {
    const reason = 'not every nameserver has the records yet';
    if (!zone) return { state, reason, againMs: minute };
    const now = ctx.wall.now();
    if (overallState(await publicationOf(db, zone, now)) !== 'published')
      return { state, reason, againMs: waitMs(now.getTime() - zone.changed_at.getTime()) };
  }
  const authority = await allowed(ctx, round, request, zone);
  if ('state' in authority) return authority;
  const resellerId = request.resellerId ?? null;
  const used = await usedBudget(db, authority.name, { subject: request.subject, resellerId });
  if (used.pausedMs > 0)
    return { state, reason: 'the certificate authority is rate-limiting orders', againMs: used.pausedMs };
  const total = limits.ordersInThreeHours + (resellerId === null ? limits.ordersOfHostsInThreeHours : 0);
  if (used.inThreeHours >= total)
    return { state, reason: reached('all accounts together', total), againMs: 15 * minute };
  const limit = reachedLimit(used.ofAccounts);
  if (limit !== undefined) return { state, reason: limit, againMs: 15 * minute };
  if (request.isAddition && used.sinceIssuedMs !== null && used.sinceIssuedMs < limits.combineMs)
    return {
      state,
      reason: 'a certificate was ordered minutes ago: changes since then are ordered together',
      againMs: limits.combineMs - used.sinceIssuedMs,
    };
  if (used.ofName >= limits.ordersOfNameAWeek)
    return {
      state: 'blocked',
      reason: `${limits.ordersOfNameAWeek} certificates were ordered for ${names[0]} within a week`,
      againMs: 12 * hour,
    };
  return { method, names, authority };
}

/** The limit of the account or of one above it, if one is reached. */
function reachedLimit(ofAccounts: readonly number[]): string | undefined {
  for (const [steps, orders] of ofAccounts.entries()) {
    const depth = ofAccounts.length - 1 - steps;
    const most = Math.ceil(limits.ordersOfTopInThreeHours * limits.partOfParent ** depth);
    const whose =
      steps === 0 ? 'this account and the accounts below it' : 'the accounts below a parent of this account';
    if (orders >= most) return reached(whose, most);
  }
  return undefined;
}

const reached = (whose: string, orders: number) =>
  `${whose} have made ${orders} certificate orders in three hours, which is their limit: this one waits its turn`;

/** The first authority that CAA allows. If it is unreachable, the order waits for it. */
async function allowed(
  ctx: AppContext,
  { authorities }: Round,
  wish: WantedCertificate,
  zone: Zone | undefined,
): Promise<CertificateAuthority | Note> {
  const reasons: string[] = [];
  for (const authority of authorities) {
    const why = await findProhibition(ctx, authority, wish, zone);
    if (why === undefined) return authority;
    reasons.push(why);
  }
  for (const away of ctx.authorities.filter((each) => !authorities.includes(each)))
    if ((await findProhibition(ctx, away, wish, zone)) === undefined) {
      const reason = 'the only certificate authority that CAA records allow is unreachable';
      return { state: wish.present, reason, againMs: 15 * minute };
    }
  return { state: 'blocked', reason: reasons[0]!, againMs: zone ? minute : hour };
}

async function findProhibition(
  ctx: AppContext,
  authority: CertificateAuthority,
  { method, names }: WantedCertificate,
  zone: Zone | undefined,
): Promise<string | undefined> {
  // If the issuer names cannot be read, this check is skipped; the authority checks CAA itself.
  const requester = { authority: await authority.caaNames().catch(() => []), method };
  if (requester.authority.length === 0) return undefined;
  for (const name of names) {
    const host = name.replace(/^\*\./, '');
    const records = zone ? await caaInZone(ctx, zone, host) : await ctx.lookup.caa(host).catch(() => []);
    const why = caaForbids(name, records, requester);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** The CAA records of a name or the nearest name above it within the zone (RFC 8659 3). */
async function caaInZone(ctx: AppContext, zone: Zone, host: string): Promise<CaaRecord[]> {
  const name = zoneName(host);
  const above = [name, ...namesAbove(name, zone.name)];
  const sets = (await rrsetsAt(ctx.db.as(allTenants), zone.id, above)).filter((set) => set.type === 'CAA');
  const nearest = above.map((each) => sets.find((set) => set.name === each)).find((set) => set !== undefined);
  return (nearest?.records ?? []).flatMap(({ text }) => {
    const [, flags, tag = '', value = ''] = /^(\d+) (\S+) "(.*)"$/.exec(text) ?? [];
    return flags === undefined ? [] : [{ tag, value, isCritical: flags !== '0' }];
  });
}

/** The interval grows with the duration of the problem. */
export function waitMs(sinceMs: number): number {
  return Math.min(Math.max(sinceMs / 4, limits.shortestWaitMs), limits.longestWaitMs);
}
