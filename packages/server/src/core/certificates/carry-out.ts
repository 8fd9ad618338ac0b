import { createPrivateKey, X509Certificate } from 'node:crypto';
import { everyTenant } from '@namehold/base';
import { readDomain } from '../domains/domain.sql.ts';
import type { Domain } from '../domains/domain.ts';
import { lifeEvent } from '../domains/life-event.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import type { House } from '../house.ts';
import { overallState, publicationOf } from '../zones/publish/publication.ts';
import { findZone } from '../zones/zone.sql.ts';
import { AuthorityTrouble, type CertificateAuthority, type OrderStanding } from './authority.ts';
import { failuresOf, keepCertificate, lookAgainNow, noteFailure, presentChain } from './certificate.sql.ts';
import {
  type CertificateOrder,
  growingPause,
  keyContext,
  certificateLimits as limits,
  readChain,
} from './certificate.ts';
import { waitMs } from './look.ts';
import { nameAbove } from './mail-host.ts';
import { advanceOrder, authoritiesAway, knownUrls, type OrderStep, pauseAuthority } from './order.sql.ts';
import { placeProofs, removeProofs } from './proof-records.ts';

/** Of one order in one round; each stores what it found before the next begins. */
const stepsAtOnce = 12;

/** Another process has gone on with the order. */
class Overtaken extends Error {}

interface Work {
  readonly house: House;
  readonly authority: CertificateAuthority;
}

/**
 * Goes on with an order until it must wait or has ended. Whatever may have happened at the authority is read there first, by the order's URL: a
 * process that takes over makes no second one.
 */
export async function carryOut(house: House, begun: CertificateOrder): Promise<void> {
  const authority = house.authorities.find(({ name }) => name === begun.authority) ?? house.authorities[0]!;
  const work = { house, authority };
  let order: CertificateOrder | undefined = begun;
  for (let step = 0; order && step < stepsAtOnce; step++) {
    const at: CertificateOrder = order;
    try {
      order = at.state === 'open' ? await goOn(work, at) : await clean(work, at);
    } catch (error) {
      if (error instanceof Overtaken) return;
      order = await meetTrouble(work, at, error);
    }
  }
}

async function store({ house }: Work, order: CertificateOrder, step: OrderStep): Promise<CertificateOrder> {
  const after = await advanceOrder(house.db.alone(everyTenant), order, step);
  if (!after) throw new Overtaken();
  return after;
}

async function wait(work: Work, order: CertificateOrder, ms?: number): Promise<undefined> {
  const age = work.house.wall.now().getTime() - order.begun_at.getTime();
  await store(work, order, { dueInMs: Math.min(ms ?? waitMs(age), limits.longestTroublePauseMs), ...progress });
}

/** The authority did what it was asked: only troubles in a row say that it is away. */
const progress = { troubles: 0 } as const;

type Next = Promise<CertificateOrder | undefined>;

async function goOn(work: Work, order: CertificateOrder): Next {
  const { house, authority } = work;
  if (order.authority !== authority.name)
    throw new AuthorityTrouble('gone', 'another certificate authority is set up now');
  if (house.wall.now().getTime() - order.begun_at.getTime() > limits.orderMs)
    throw new AuthorityTrouble('refused', 'the order has not come to an end for days');
  if (order.url === null) return begin(work, order);
  const standing = await authority.readOrder(order.url);
  if (standing.status === 'pending') return prove(work, order, order.url, standing);
  if (standing.status === 'ready') return finalize(work, order, order.url);
  if (standing.status === 'valid') return take(work, order, order.url);
  if (standing.status === 'invalid') throw standing.problem ?? new AuthorityTrouble('refused', 'the order is invalid');
  return wait(work, order, standing.retryAfterMs);
}

/** One that may have been made by a process that died before it heard of it is looked for first. */
async function begin(work: Work, order: CertificateOrder): Next {
  const { house, authority } = work;
  const known = await knownUrls(house.db.as(everyTenant), order.subject);
  const made = order.is_sent ? await authority.findOrder(order.names, known) : undefined;
  const sent = order.is_sent ? order : await store(work, order, { isSent: true });
  house.point('certificate:before-order');
  const replaced = await presentChain(house.db.as(everyTenant), order.subject, authority.name);
  const url = made ?? (await authority.newOrder(order.names, replaced));
  house.point('certificate:ordered');
  const after = await store(work, sent, { url, ...progress });
  house.point('certificate:order-stored');
  return after;
}

async function prove(work: Work, order: CertificateOrder, url: string, standing: OrderStanding): Next {
  const { house, authority } = work;
  if (order.is_asked) return wait(work, order, standing.retryAfterMs);
  if (order.proofs === null) {
    const proofs = await authority.readProofs(url, order.method);
    const after = await store(work, order, { proofs, ...progress });
    house.point('certificate:proofs-stored');
    return after;
  }
  if (order.method === 'dns-01') {
    const domain = await zoneOwner(house, order);
    if (!domain) throw new AuthorityTrouble('refused', 'the zone in which the host is to be shown is gone');
    await placeProofs(house, domain, order.proofs);
    house.point('certificate:proofs-placed');
    if (!(await isPublished(house, domain))) return wait(work, order);
  }
  for (const proof of order.proofs) await authority.answer(proof);
  house.point('certificate:asked');
  const dueInMs = standing.retryAfterMs ?? limits.shortestWaitMs;
  await store(work, order, { isAsked: true, dueInMs, ...progress });
  return undefined;
}

/** In whose zone the proofs of an order stand. */
async function zoneOwner(house: House, { domain_id, host }: CertificateOrder): Promise<Domain | undefined> {
  return domain_id === null ? nameAbove(house, host!) : readDomain(house.db.as(everyTenant), domain_id);
}

async function isPublished(house: House, domain: Domain): Promise<boolean> {
  const db = house.db.as(everyTenant);
  const zone = await findZone(db, domain.reseller_id, domain.id);
  return zone !== undefined && overallState(await publicationOf(db, zone, house.wall.now())) === 'published';
}

/** The key is sealed and stored first: whoever asks again, asks for the same certificate. */
async function finalize(work: Work, order: CertificateOrder, url: string): Next {
  const { house, authority } = work;
  if (order.key_sealed === null) {
    const keySealed = house.vault.seal(authority.newKey(), keyContext(order.id));
    const after = await store(work, order, { keySealed });
    house.point('certificate:key-stored');
    return after;
  }
  await authority.finalize(url, order.names, house.vault.open(order.key_sealed, keyContext(order.id)));
  house.point('certificate:finalized');
  return store(work, order, progress);
}

async function take(work: Work, order: CertificateOrder, url: string): Next {
  const { house, authority } = work;
  if (order.key_sealed === null) throw new AuthorityTrouble('gone', 'a certificate without a key of ours');
  const chain = await authority.download(url);
  requireFitting(order, chain, house.vault.open(order.key_sealed, keyContext(order.id)));
  house.point('certificate:downloaded');
  const dates = readChain(chain, order.id);
  const { id, names, key_sealed: keySealed } = order;
  const after = await house.db.transaction(everyTenant, async (tx) => {
    await keepCertificate(tx, order, { id, names, chain, keySealed, authority: authority.name, ...dates });
    const ended = await advanceOrder(tx, order, { state: 'issued', dueInMs: 0, reason: null });
    if (!ended) throw new Overtaken();
    if (order.domain_id !== null) {
      const domain = await readDomain(tx, order.domain_id);
      const told = { names: [...names], not_after: dates.notAfter.toISOString() };
      await appendEvent(house, tx, lifeEvent(domain, 'forwarding.certificate_issued', told));
    }
    return ended;
  });
  house.point('certificate:issued');
  return after;
}

function requireFitting(order: CertificateOrder, chain: string, key: string): void {
  const leaf = new X509Certificate(chain);
  const missing = order.names.find((name) => leaf.checkHost(name.replace('*', 'any')) === undefined);
  if (missing !== undefined || !leaf.checkPrivateKey(createPrivateKey(key)))
    throw new AuthorityTrouble('refused', 'the certificate authority sent a certificate that does not fit');
}

/** What was shown for the names goes away again. */
async function clean(work: Work, order: CertificateOrder): Next {
  const { house } = work;
  if (order.method === 'dns-01' && order.proofs) {
    const domain = await zoneOwner(house, order);
    if (domain)
      await removeProofs(house, domain, order.proofs).catch((error: unknown) => {
        // The zone went with the name.
        if (!(error instanceof Refusal)) throw error;
      });
    house.point('certificate:cleaned');
  }
  // The certificate has its key; the order needs none any more.
  await store(work, order, { proofs: null, keySealed: null, dueInMs: null });
  return undefined;
}

async function meetTrouble(work: Work, order: CertificateOrder, error: unknown): Next {
  const { house, authority } = work;
  if (error instanceof Refusal)
    return fail(work, order, { reason: `the proof cannot be put into the zone: ${error.message}`, isBlocked: true });
  if (!(error instanceof AuthorityTrouble)) {
    house.log.error({ err: error, order_id: order.id }, 'an order of a certificate met an error');
    return later(work, order, 'an error of our own', undefined);
  }
  const { kind, message: reason, retryAfterMs } = error;
  if (kind === 'away')
    return (await isOtherThere(work, order)) ? giveUp(work, order, reason) : later(work, order, reason, retryAfterMs);
  if (kind === 'limited') {
    const pause = Math.min(retryAfterMs ?? limits.limitedPauseMs, limits.longestPauseMs);
    await pauseAuthority(house.db.alone(everyTenant), authority.name, pause);
    await store(work, order, { reason, dueInMs: pause }).catch(unlessOvertaken);
    return undefined;
  }
  return fail(work, order, { reason, isBlocked: kind === 'forbidden' });
}

async function later(work: Work, order: CertificateOrder, reason: string, retryAfterMs: number | undefined): Next {
  const grown = growingPause(limits.firstTroublePauseMs, limits.longestTroublePauseMs, order.troubles);
  const dueInMs = Math.min(Math.max(retryAfterMs ?? 0, grown), limits.longestPauseMs);
  const step = { troubles: order.troubles + 1, reason: reason.slice(0, limits.reasonLength), dueInMs };
  await store(work, order, step).catch(unlessOvertaken);
  return undefined;
}

/** The authority has failed often enough, and there is another one that has not. */
async function isOtherThere({ house, authority }: Work, order: CertificateOrder): Promise<boolean> {
  const others = house.authorities.filter(({ name }) => name !== authority.name);
  if (others.length === 0 || order.troubles + 1 < limits.troublesOfTakeover) return false;
  const away = await authoritiesAway(house.db.as(everyTenant), limits.troublesOfTakeover, limits.takeoverMs);
  return others.some(({ name }) => !away.has(name));
}

/** The name is ordered for elsewhere, at once. */
async function giveUp({ house }: Work, order: CertificateOrder, why: string): Next {
  const reason = why.slice(0, limits.reasonLength);
  return house.db.transaction(everyTenant, async (tx) => {
    const ended = await advanceOrder(tx, order, { state: 'failed', troubles: order.troubles + 1, reason, dueInMs: 0 });
    if (ended) await lookAgainNow(tx, order.subject);
    return ended;
  });
}

function unlessOvertaken(error: unknown): void {
  if (!(error instanceof Overtaken)) throw error;
}

/** This order has ended; the name gets another one after a pause that grows with each failure. */
async function fail(
  { house }: Work,
  order: CertificateOrder,
  failure: { readonly reason: string; readonly isBlocked: boolean },
): Next {
  const reason = failure.reason.slice(0, limits.reasonLength);
  return house.db.transaction(everyTenant, async (tx) => {
    const ended = await advanceOrder(tx, order, { state: 'failed', reason, dueInMs: 0 });
    if (!ended) return undefined;
    const before = await failuresOf(tx, order.subject);
    const againMs = growingPause(limits.firstFailurePauseMs, limits.longestPauseMs, before.failures);
    const state = failure.isBlocked ? 'blocked' : before.has_one ? 'live' : 'waiting';
    await noteFailure(tx, order.subject, { state, reason, againMs });
    if (before.failures > 0 || order.domain_id === null) return ended;
    const domain = await readDomain(tx, order.domain_id);
    const told = { reason, is_blocked: failure.isBlocked };
    await appendEvent(house, tx, lifeEvent(domain, 'forwarding.certificate_failed', told));
    return ended;
  });
}
