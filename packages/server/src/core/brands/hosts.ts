import { isIP } from 'node:net';
import { everyTenant, NameError, normaliseName, type Tx } from '@namehold/base';
import ipaddr from 'ipaddr.js';
import { audit } from '../audit/audit.ts';
import { clockworkFor } from '../domains/system-actor.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { type Actor, type House, type Place, write, writeWide } from '../house.ts';
import { isLocal, looksOut } from '../looks-out.ts';
import { tellOfAccess } from '../notices/tell.ts';
import { endSessionsAt } from '../people/session.sql.ts';
import {
  type BrandHost,
  deleteHost,
  findOwnHost,
  insertHost,
  listOwnHosts,
  listPlaces,
  lockHosts,
  saveLook,
  standingOf,
  takeDueHosts,
} from './host.sql.ts';

export type { BrandHost } from './host.sql.ts';

const dayMs = 86_400_000;

export const hostLimits = {
  perAccount: 5,
  /** In the whole installation: every process knows them all. */
  verified: 10_000,
  lookMs: dayMs / 2,
  /** A record is gone for good when it was missed as often, for as long. */
  misses: 4,
  missedMs: 3 * dayMs,
  atOnce: 20,
} as const;

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const nonceLength = 40;

export type HostState = 'waiting' | 'verified' | 'missing';

export const hostState = ({ verified_at, missed_since }: BrandHost): HostState =>
  verified_at === null ? 'waiting' : missed_since === null ? 'verified' : 'missing';

/** Names no product: it stands in the zone of somebody with a brand. */
export const proofName = (host: string): string => `_brand-host.${host}`;

export const readHosts = (house: House, actor: Actor): Promise<BrandHost[]> =>
  listOwnHosts(house.db.as(actor.resellerId), actor.resellerId);

/** On the second login: whose host it is, is asked before anybody is known. */
export const verifiedPlaces = (house: House): Promise<Place[]> =>
  listPlaces(house.db.as(everyTenant), hostLimits.verified);

const local = /(^|\.)(localhost|local|internal|home\.arpa|invalid|onion)$/;

function readHost(house: House, given: string): string {
  const { publicUrl } = house.config;
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

/** Says that a host is meant to be the account's. Nobody else is disturbed by it: it counts when its record was seen. */
export async function claimHost(house: House, actor: Actor, given: string): Promise<BrandHost> {
  const host = readHost(house, given);
  const { resellerId } = actor;
  return write(house, actor, async (tx) => {
    await lockHosts(tx, `account ${resellerId}`);
    const own = await listOwnHosts(tx, resellerId);
    if (own.some((each) => each.host === host)) throw new Refusal('already_exists', `${host} is already in your list.`);
    if (own.length >= hostLimits.perAccount)
      throw badField(
        'host',
        `An account can have at most ${hostLimits.perAccount} host names. Remove one first.`,
        'too_many',
      );
    const proof = house.ids.text(40, alphabet);
    const row = { reseller_id: resellerId, host, proof, created_at: house.wall.now() };
    await audit(house, tx, actor, { ...about('claim', resellerId), after: { host } });
    return insertHost(tx, row);
  });
}

const about = (what: string, resellerId: string) => ({
  action: `brand_host.${what}`,
  objectType: 'reseller',
  objectId: resellerId,
});

/** Looks for the record now. */
export async function checkHost(house: House, actor: Actor, given: string): Promise<BrandHost> {
  const { resellerId } = actor;
  const row = await findOwnHost(house.db.as(resellerId), resellerId, given.toLowerCase());
  if (!row) throw notFound('host');
  if (!looksOut(house.config))
    throw new Refusal(
      'not_available_yet',
      'A sandbox does not use the network. Set NAMEHOLD_RESOLVER to a resolver on this machine.',
    );
  const seen = await look(house, row);
  return writeWide(house, actor, (tx) => settle(house, tx, actor, row, seen));
}

interface Seen {
  /** Undefined: no answer, which says nothing. */
  readonly isProven: boolean | undefined;
  readonly isReached: boolean;
}

async function look(house: House, { host, proof }: BrandHost): Promise<Seen> {
  const texts = await house.lookup.texts(proofName(host)).catch(() => undefined);
  const isProven = texts?.some((each) => each.trim() === proof);
  return { isProven, isReached: isProven === true && (await isReached(house, host)) };
}

export const hostProofHeader = 'namehold-host-proof';

/** With the key of the installation; every process of it answers alike. */
export const hostProof = (vault: Pick<House['vault'], 'fingerprint'>, host: string, nonce: string): string =>
  vault.fingerprint(`brand-host-probe:${host.toLowerCase()}:${nonce}`);

export const isProbeNonce = (text: unknown): text is string =>
  typeof text === 'string' && text.length === nonceLength && /^[a-z0-9]+$/.test(text);

/** Whether it answers by HTTPS, and as this service does. Mail must not lead where nobody answers. */
async function isReached({ lookup, probe, pages, config, ids, vault }: House, host: string): Promise<boolean> {
  const addresses = await lookup.addresses(host).catch(() => []);
  const isOpen = (each: string) =>
    config.mode === 'sandbox' ? isLocal(each) : ipaddr.process(each).range() === 'unicast';
  const [first] = addresses;
  if (first === undefined || !addresses.every(isOpen)) return false;
  const nonce = ids.text(nonceLength, alphabet);
  const answer = await probe.ask(new URL(pages.hostProof(host, nonce)), first);
  return answer?.isTrusted === true && answer.headers[hostProofHeader] === hostProof(vault, host, nonce);
}

/** What a look says of a host, under the lock of its name. */
async function settle(house: House, tx: Tx, actor: Actor, asked: BrandHost, seen: Seen): Promise<BrandHost> {
  const { reseller_id: resellerId, host } = asked;
  await lockHosts(tx, `host ${host}`);
  const before = await findOwnHost(tx, resellerId, host);
  if (!before) throw notFound('host');
  const checked_at = house.wall.now();
  const after: BrandHost = { ...before, ...judged(before, seen, checked_at), checked_at };
  if (!before.verified_at && after.verified_at) await refuseTaken(tx, after);
  await saveLook(tx, after);
  if (hostState(before) !== hostState(after)) await tell(house, tx, actor, before, after);
  return after;
}

async function refuseTaken(tx: Tx, { reseller_id, host }: BrandHost): Promise<void> {
  const { is_taken, verified } = await standingOf(tx, reseller_id, host);
  if (is_taken)
    throw new Refusal(
      'conflict',
      `${host} is used by another account as long as its DNS record exists. Remove that record; the host name is released after a few days.`,
    );
  if (verified >= hostLimits.verified) throw new Refusal('conflict', 'This service cannot take another host name.');
}

type Judged = Pick<BrandHost, 'verified_at' | 'missed_since' | 'misses' | 'reached_at'>;

function judged(before: BrandHost, { isProven, isReached }: Seen, now: Date): Judged {
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

const told = {
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

/** In the log and by mail; who was signed in at a host that was withdrawn is so no more. */
async function tell(house: House, tx: Tx, actor: Actor, before: BrandHost, after: BrandHost): Promise<void> {
  const { reseller_id: resellerId, host } = after;
  const [was, state] = [hostState(before), hostState(after)];
  if (state === 'waiting') await endSessionsAt(tx, host, house.wall.now());
  const facts = { before: { host, state: was }, after: { host, state } };
  await audit(house, tx, actor, { ...about('state', resellerId), ...facts });
  // That a record is back is what everybody wants to be the case anyway.
  if (was === 'missing' && state === 'verified') return;
  await tellOfAccess(house, tx, actor, { resellerId, what: told[state], label: host });
}

export async function removeHost(house: House, actor: Actor, given: string): Promise<void> {
  const { resellerId } = actor;
  await writeWide(house, actor, async (tx) => {
    const host = given.toLowerCase();
    await lockHosts(tx, `host ${host}`);
    const gone = await deleteHost(tx, resellerId, host);
    if (!gone) throw notFound('host');
    if (gone.verified_at) await endSessionsAt(tx, host, house.wall.now());
    const before = { host, state: hostState(gone) };
    await audit(house, tx, actor, { ...about('remove', resellerId), before });
  });
}

/** Verified hosts are looked at twice a day. */
export async function lookAtHosts(house: House): Promise<void> {
  if (!looksOut(house.config)) return;
  const now = house.wall.now();
  const before = new Date(now.getTime() - hostLimits.lookMs);
  const due = await takeDueHosts(house.db.alone(everyTenant), before, now, hostLimits.atOnce);
  await Promise.all(
    due.map(async (row) => {
      const seen = await look(house, row);
      const actor = clockworkFor(row, 'brand-hosts');
      await house.db
        .transaction(everyTenant, (tx) => settle(house, tx, actor, row, seen))
        .catch((error: unknown) => {
          // Removed meanwhile.
          if (!(error instanceof Refusal && error.code === 'not_found')) throw error;
        });
    }),
  );
}
