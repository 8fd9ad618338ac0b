import { isIP } from 'node:net';
import { NameError, normaliseName } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import ipaddr from 'ipaddr.js';
import { schedulerFor } from '../actors.ts';
import { type Actor, type AppContext, type BrandHost, write, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
import { endSessionsAt } from '../users/session.sql.ts';
import { isLocal, usesPublicNetwork } from '../uses-public-network.ts';
import {
  type BrandHostRow,
  deleteHost,
  findOwnHost,
  hostClaims,
  insertHost,
  listBrandHosts,
  listOwnHosts,
  lockHosts,
  saveHostCheck,
  takeDueHosts,
} from './host.sql.ts';

export type { BrandHostRow } from './host.sql.ts';

const dayMs = 86_400_000;

export const hostLimits = {
  perAccount: 5,
  /** In the whole installation: every process keeps them all in memory. */
  verified: 10_000,
  checkMs: dayMs / 2,
  /** A record counts as removed after this many misses, over this long. */
  misses: 4,
  missedMs: 3 * dayMs,
  atOnce: 20,
} as const;

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const nonceLength = 40;

type HostState = 'waiting' | 'verified' | 'missing';

export const hostState = ({ verified_at, missed_since }: BrandHostRow): HostState =>
  verified_at === null ? 'waiting' : missed_since === null ? 'verified' : 'missing';

/** Does not name the product: it is in the zone of a branded account. */
export const proofName = (host: string): string => `_brand-host.${host}`;

export const readHosts = (ctx: AppContext, actor: Actor): Promise<BrandHostRow[]> =>
  listOwnHosts(ctx.db.as(actor.resellerId), actor.resellerId);

/** On the second database login: the owner of a host is read before authentication. */
export const verifiedBrandHosts = (ctx: AppContext): Promise<BrandHost[]> =>
  listBrandHosts(ctx.db.as(allTenants), hostLimits.verified);

const local = /(^|\.)(localhost|local|internal|home\.arpa|invalid|onion)$/;

function readHost(ctx: AppContext, given: string): string {
  const { publicUrl } = ctx.config;
  let host: string;
  try {
    host = normaliseName(given);
  } catch (error) {
    if (error instanceof NameError) throw badField('host', error.message);
    throw error;
  }
  if (isIP(host) || /(^|\.)\d+$/.test(host) || !host.includes('.') || local.test(host))
    throw badField('host', 'Must be a public host name, such as panel.example.com.');
  if (proofName(host).length > 253) throw badField('host', 'The host name is too long.');
  if (publicUrl && new URL(publicUrl).hostname === host)
    throw badField('host', 'This is the host name of the service itself.', 'taken');
  return host;
}

/** Claims a host for the account. A claim has no effect on others: it counts once its record was seen. */
export async function claimHost(ctx: AppContext, actor: Actor, given: string): Promise<BrandHostRow> {
  const host = readHost(ctx, given);
  const { resellerId } = actor;
  return write(ctx, actor, async (tx) => {
    await lockHosts(tx, `account ${resellerId}`);
    const own = await listOwnHosts(tx, resellerId);
    if (own.some((each) => each.host === host)) throw new Refusal('already_exists', `${host} is already in your list.`);
    if (own.length >= hostLimits.perAccount)
      throw badField(
        'host',
        `An account can have at most ${hostLimits.perAccount} host names. Remove one first.`,
        'too_many',
      );
    const proof = ctx.ids.text(40, alphabet);
    const row = { reseller_id: resellerId, host, proof, created_at: ctx.wall.now() };
    await audit(ctx, tx, actor, { ...about('claim', resellerId), after: { host } });
    return insertHost(tx, row);
  });
}

const about = (what: string, resellerId: string) => ({
  action: `brand_host.${what}`,
  objectType: 'reseller',
  objectId: resellerId,
});

/** Queries the record now. */
export async function checkHost(ctx: AppContext, actor: Actor, given: string): Promise<BrandHostRow> {
  const { resellerId } = actor;
  const row = await findOwnHost(ctx.db.as(resellerId), resellerId, given.toLowerCase());
  if (!row) throw notFound('host');
  if (!usesPublicNetwork(ctx.config))
    throw new Refusal(
      'not_available_yet',
      'A sandbox does not use the network. Set NAMEHOLD_RESOLVER to a resolver on this machine.',
    );
  const seen = await check(ctx, row);
  return writeAsService(ctx, actor, (tx) => settle(ctx, tx, actor, row, seen));
}

interface Seen {
  /** Undefined: no answer, which proves nothing. */
  readonly isProven: boolean | undefined;
  readonly isReached: boolean;
}

async function check(ctx: AppContext, { host, proof }: BrandHostRow): Promise<Seen> {
  const texts = await ctx.lookup.texts(proofName(host)).catch(() => undefined);
  const isProven = texts?.some((each) => each.trim() === proof);
  return { isProven, isReached: isProven === true && (await isReached(ctx, host)) };
}

export const hostProofHeader = 'namehold-host-proof';

/** With the key of the installation; every process of it gives the same answer. */
export const hostProof = (vault: Pick<AppContext['vault'], 'fingerprint'>, host: string, nonce: string): string =>
  vault.fingerprint(`brand-host-probe:${host.toLowerCase()}:${nonce}`);

export const isProbeNonce = (text: unknown): text is string =>
  typeof text === 'string' && text.length === nonceLength && /^[a-z0-9]+$/.test(text);

/** Whether it answers by HTTPS, as this service does. Mail must not link to a host that does not answer. */
async function isReached({ lookup, probe, pages, config, ids, vault }: AppContext, host: string): Promise<boolean> {
  const addresses = await lookup.addresses(host).catch(() => []);
  const isOpen = (each: string) =>
    config.mode === 'sandbox' ? isLocal(each) : ipaddr.process(each).range() === 'unicast';
  const [first] = addresses;
  if (first === undefined || !addresses.every(isOpen)) return false;
  const nonce = ids.text(nonceLength, alphabet);
  const answer = await probe.request(new URL(pages.hostProof(host, nonce)), first);
  return answer?.isTrusted === true && answer.headers[hostProofHeader] === hostProof(vault, host, nonce);
}

/** The result of a check, under the lock of the host. */
async function settle(ctx: AppContext, tx: Tx, actor: Actor, checked: BrandHostRow, seen: Seen): Promise<BrandHostRow> {
  const { reseller_id: resellerId, host } = checked;
  await lockHosts(tx, `host ${host}`);
  const before = await findOwnHost(tx, resellerId, host);
  if (!before) throw notFound('host');
  const checked_at = ctx.wall.now();
  const after: BrandHostRow = { ...before, ...nextHostStatus(before, seen, checked_at), checked_at };
  if (!before.verified_at && after.verified_at) await refuseTaken(tx, after);
  await saveHostCheck(tx, after);
  if (hostState(before) !== hostState(after)) await notifyHostChange(ctx, tx, actor, before, after);
  return after;
}

async function refuseTaken(tx: Tx, { reseller_id, host }: BrandHostRow): Promise<void> {
  const { is_taken, verified } = await hostClaims(tx, reseller_id, host);
  if (is_taken)
    throw new Refusal(
      'conflict',
      `${host} is used by another account as long as its DNS record exists. Remove that record; the host name is released after a few days.`,
    );
  if (verified >= hostLimits.verified) throw new Refusal('conflict', 'This service cannot take another host name.');
}

type HostStatus = Pick<BrandHostRow, 'verified_at' | 'missed_since' | 'misses' | 'reached_at'>;

function nextHostStatus(before: BrandHostRow, { isProven, isReached }: Seen, now: Date): HostStatus {
  const { verified_at, missed_since } = before;
  if (isProven === undefined || (!isProven && !verified_at)) return before;
  if (isProven)
    return { verified_at: verified_at ?? now, missed_since: null, misses: 0, reached_at: isReached ? now : null };
  const since = missed_since ?? now;
  const misses = before.misses + 1;
  const isGone = misses >= hostLimits.misses && now.getTime() - since.getTime() >= hostLimits.missedMs;
  if (isGone) return { verified_at: null, missed_since: null, misses: 0, reached_at: null };
  return { verified_at, missed_since: since, misses, reached_at: null };
}

const stateChange = {
  verified: {
    en: 'A host name was verified and now shows your brand',
    id: 'Nama host Anda terverifikasi dan kini menampilkan merek Anda',
  },
  missing: {
    en: 'The DNS record that verifies your host name is missing. Restore it, or the host name will be disabled within days',
    id: 'Data DNS yang memverifikasi nama host Anda tidak ditemukan. Pasang kembali, atau nama host dinonaktifkan dalam beberapa hari',
  },
  waiting: {
    en: 'Your host name was disabled because its DNS record was missing for several days',
    id: 'Nama host Anda dinonaktifkan karena data DNS-nya tidak ditemukan selama beberapa hari',
  },
} as const;

/** Written to the audit log and sent by mail; sessions at a withdrawn host end. */
async function notifyHostChange(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  before: BrandHostRow,
  after: BrandHostRow,
): Promise<void> {
  const { reseller_id: resellerId, host } = after;
  const [was, state] = [hostState(before), hostState(after)];
  if (state === 'waiting') await endSessionsAt(tx, host, ctx.wall.now());
  const facts = { before: { host, state: was }, after: { host, state } };
  await audit(ctx, tx, actor, { ...about('state', resellerId), ...facts });
  // A restored record is expected and needs no notice.
  if (was === 'missing' && state === 'verified') return;
  await notifyAccessChange(ctx, tx, actor, { resellerId, topic: 'host_names', what: stateChange[state], label: host });
}

export async function removeHost(ctx: AppContext, actor: Actor, given: string): Promise<void> {
  const { resellerId } = actor;
  await writeAsService(ctx, actor, async (tx) => {
    const host = given.toLowerCase();
    await lockHosts(tx, `host ${host}`);
    const gone = await deleteHost(tx, resellerId, host);
    if (!gone) throw notFound('host');
    if (gone.verified_at) await endSessionsAt(tx, host, ctx.wall.now());
    const before = { host, state: hostState(gone) };
    await audit(ctx, tx, actor, { ...about('remove', resellerId), before });
  });
}

/** Checks verified hosts twice a day. */
export async function checkHosts(ctx: AppContext): Promise<void> {
  if (!usesPublicNetwork(ctx.config)) return;
  const now = ctx.wall.now();
  const before = new Date(now.getTime() - hostLimits.checkMs);
  const due = await takeDueHosts(ctx.db.autocommit(allTenants), before, now, hostLimits.atOnce);
  await Promise.all(
    due.map(async (row) => {
      const seen = await check(ctx, row);
      const actor = schedulerFor(row, 'brand-hosts');
      await ctx.db
        .transaction(allTenants, (tx) => settle(ctx, tx, actor, row, seen))
        .catch((error: unknown) => {
          // Removed in the meantime.
          if (!(error instanceof Refusal && error.code === 'not_found')) throw error;
        });
    }),
  );
}
