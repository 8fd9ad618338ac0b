import { createPrivateKey, X509Certificate } from 'node:crypto';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import type { Domain } from '../model/domain.ts';
import { AuthorityError, type AuthorityOrder, type CertificateAuthority } from '../ports/certificate-authority.ts';
import { readDomain } from '../tables/domain.sql.ts';
import { overallState, publicationOf } from '../zones/publish/publication.ts';
import { findZone } from '../zones/zone.sql.ts';
import { failuresOf, keepCertificate, noteFailure, presentChain, scheduleCheckNow } from './certificate.sql.ts';
import {
  type CertificateOrder,
  growingPause,
  keyContext,
  certificateLimits as limits,
  readChain,
} from './certificate.ts';
import { waitMs } from './check-certificate.ts';
import { nameAbove } from './mail-host.ts';
import { advanceOrder, authoritiesAway, knownUrls, type OrderStep, pauseAuthority } from './order.sql.ts';
import { placeProofs, removeProofs } from './proof-records.ts';

/** One order in one round. Each step stores its result before the next one begins. */
const stepsAtOnce = 12;

/** Another process has processed the order. */
class Overtaken extends Error {}

interface Work {
  readonly ctx: AppContext;
  readonly authority: CertificateAuthority;
}

/**
 * Processes an order until it must wait or has ended. The state is first read from the authority by the URL of the order, so that a
 * process that takes over creates no second order.
 */
export async function processOrder(ctx: AppContext, begun: CertificateOrder): Promise<void> {
  const authority = ctx.authorities.find(({ name }) => name === begun.authority) ?? ctx.authorities[0]!;
  const work = { ctx, authority };
  let order: CertificateOrder | undefined = begun;
  for (let step = 0; order && step < stepsAtOnce; step++) {
    const at: CertificateOrder = order;
    try {
      order = at.state === 'open' ? await goOn(work, at) : await clean(work, at);
    } catch (error) {
      if (error instanceof Overtaken) return;
      order = await handleFailure(work, at, error);
    }
  }
}

async function store({ ctx }: Work, order: CertificateOrder, step: OrderStep): Promise<CertificateOrder> {
  const after = await advanceOrder(ctx.db.autocommit(allTenants), order, step);
  if (!after) throw new Overtaken();
  return after;
}

async function wait(work: Work, order: CertificateOrder, ms?: number): Promise<undefined> {
  const age = work.ctx.wall.now().getTime() - order.begun_at.getTime();
  await store(work, order, { dueInMs: Math.min(ms ?? waitMs(age), limits.longestErrorPauseMs), ...progress });
}

/** The authority answered, so its consecutive failures are reset. */
const progress = { troubles: 0 } as const;

type Next = Promise<CertificateOrder | undefined>;

async function goOn(work: Work, order: CertificateOrder): Next {
  const { ctx, authority } = work;
  if (order.authority !== authority.name)
    throw new AuthorityError('gone', 'another certificate authority is configured now');
  if (ctx.wall.now().getTime() - order.begun_at.getTime() > limits.orderMs)
    throw new AuthorityError('refused', 'the order did not finish within days');
  if (order.url === null) return begin(work, order);
  const authorityOrder = await authority.readOrder(order.url);
  if (authorityOrder.status === 'pending') return prove(work, order, order.url, authorityOrder);
  if (authorityOrder.status === 'ready') return finalize(work, order, order.url);
  if (authorityOrder.status === 'valid') return take(work, order, order.url);
  if (authorityOrder.status === 'invalid')
    throw authorityOrder.problem ?? new AuthorityError('refused', 'the order is invalid');
  return wait(work, order, authorityOrder.retryAfterMs);
}

/** A process may have created the order and died before it stored the URL, so such an order is searched first. */
async function begin(work: Work, order: CertificateOrder): Next {
  const { ctx, authority } = work;
  const known = await knownUrls(ctx.db.as(allTenants), order.subject);
  const made = order.is_sent ? await authority.findOrder(order.names, known) : undefined;
  const sent = order.is_sent ? order : await store(work, order, { isSent: true });
  ctx.failpoint('certificate:before-order');
  const replaced = await presentChain(ctx.db.as(allTenants), order.subject, authority.name);
  const url = made ?? (await authority.newOrder(order.names, replaced));
  ctx.failpoint('certificate:ordered');
  const after = await store(work, sent, { url, ...progress });
  ctx.failpoint('certificate:order-stored');
  return after;
}

async function prove(work: Work, order: CertificateOrder, url: string, authorityOrder: AuthorityOrder): Next {
  const { ctx, authority } = work;
  if (order.is_asked) return wait(work, order, authorityOrder.retryAfterMs);
  if (order.proofs === null) {
    const proofs = await authority.readProofs(url, order.method);
    const after = await store(work, order, { proofs, ...progress });
    ctx.failpoint('certificate:proofs-stored');
    return after;
  }
  if (order.method === 'dns-01') {
    const domain = await zoneOwner(ctx, order);
    if (!domain) throw new AuthorityError('refused', 'the zone for the proof no longer exists');
    await placeProofs(ctx, domain, order.proofs);
    ctx.failpoint('certificate:proofs-placed');
    if (!(await isPublished(ctx, domain))) return wait(work, order);
  }
  for (const proof of order.proofs) await authority.answer(proof);
  ctx.failpoint('certificate:asked');
  const dueInMs = authorityOrder.retryAfterMs ?? limits.shortestWaitMs;
  await store(work, order, { isRequested: true, dueInMs, ...progress });
  return undefined;
}

/** Domain whose zone gets the proofs of an order. */
async function zoneOwner(ctx: AppContext, { domain_id, host }: CertificateOrder): Promise<Domain | undefined> {
  return domain_id === null ? nameAbove(ctx, host!) : readDomain(ctx.db.as(allTenants), domain_id);
}

async function isPublished(ctx: AppContext, domain: Domain): Promise<boolean> {
  const db = ctx.db.as(allTenants);
  const zone = await findZone(db, domain.reseller_id, domain.id);
  return zone !== undefined && overallState(await publicationOf(db, zone, ctx.wall.now())) === 'published';
}

/** The encrypted key is stored before the request, so that a repeated request is for the same certificate. */
async function finalize(work: Work, order: CertificateOrder, url: string): Next {
  const { ctx, authority } = work;
  if (order.key_sealed === null) {
    const encryptedKey = ctx.vault.encrypt(authority.newKey(), keyContext(order.id));
    const after = await store(work, order, { encryptedKey });
    ctx.failpoint('certificate:key-stored');
    return after;
  }
  await authority.finalize(url, order.names, ctx.vault.open(order.key_sealed, keyContext(order.id)));
  ctx.failpoint('certificate:finalized');
  return store(work, order, progress);
}

async function take(work: Work, order: CertificateOrder, url: string): Next {
  const { ctx, authority } = work;
  if (order.key_sealed === null) throw new AuthorityError('gone', 'the order has a certificate without a stored key');
  const chain = await authority.download(url);
  requireFitting(order, chain, ctx.vault.open(order.key_sealed, keyContext(order.id)));
  ctx.failpoint('certificate:downloaded');
  const dates = readChain(chain, order.id);
  const { id, names, key_sealed: encryptedKey } = order;
  const after = await ctx.db.transaction(allTenants, async (tx) => {
    await keepCertificate(tx, order, { id, names, chain, encryptedKey, authority: authority.name, ...dates });
    const ended = await advanceOrder(tx, order, { state: 'issued', dueInMs: 0, reason: null });
    if (!ended) throw new Overtaken();
    if (order.domain_id !== null) {
      const domain = await readDomain(tx, order.domain_id);
      const facts = { names: [...names], not_after: dates.notAfter.toISOString() };
      await appendEvent(ctx, tx, lifeEvent(domain, 'forwarding.certificate_issued', facts));
    }
    return ended;
  });
  ctx.failpoint('certificate:issued');
  return after;
}

function requireFitting(order: CertificateOrder, chain: string, key: string): void {
  const leaf = new X509Certificate(chain);
  const missing = order.names.find((name) => leaf.checkHost(name.replace('*', 'any')) === undefined);
  if (missing !== undefined || !leaf.checkPrivateKey(createPrivateKey(key)))
    throw new AuthorityError(
      'refused',
      'the certificate authority returned a certificate that does not match the order',
    );
}

/** Removes the proofs. */
async function clean(work: Work, order: CertificateOrder): Next {
  const { ctx } = work;
  if (order.method === 'dns-01' && order.proofs) {
    const domain = await zoneOwner(ctx, order);
    if (domain)
      await removeProofs(ctx, domain, order.proofs).catch((error: unknown) => {
        // The zone was deleted with the domain.
        if (!(error instanceof Refusal)) throw error;
      });
    ctx.failpoint('certificate:cleaned');
  }
  // The key is now stored with the certificate.
  await store(work, order, { proofs: null, encryptedKey: null, dueInMs: null });
  return undefined;
}

async function handleFailure(work: Work, order: CertificateOrder, error: unknown): Next {
  const { ctx, authority } = work;
  if (error instanceof Refusal)
    return fail(work, order, {
      reason: `the proof record cannot be added to the zone: ${error.message}`,
      isBlocked: true,
    });
  if (!(error instanceof AuthorityError)) {
    ctx.log.error({ err: error, order_id: order.id }, 'certificate order failed unexpectedly');
    return later(work, order, 'internal error', undefined);
  }
  const { kind, message: reason, retryAfterMs } = error;
  if (kind === 'away')
    return (await isOtherThere(work, order)) ? giveUp(work, order, reason) : later(work, order, reason, retryAfterMs);
  if (kind === 'limited') {
    const pause = Math.min(retryAfterMs ?? limits.limitedPauseMs, limits.longestPauseMs);
    await pauseAuthority(ctx.db.autocommit(allTenants), authority.name, pause);
    await store(work, order, { reason, dueInMs: pause }).catch(unlessOvertaken);
    return undefined;
  }
  return fail(work, order, { reason, isBlocked: kind === 'forbidden' });
}

async function later(work: Work, order: CertificateOrder, reason: string, retryAfterMs: number | undefined): Next {
  const grown = growingPause(limits.firstErrorPauseMs, limits.longestErrorPauseMs, order.troubles);
  const dueInMs = Math.min(Math.max(retryAfterMs ?? 0, grown), limits.longestPauseMs);
  const step = { troubles: order.troubles + 1, reason: reason.slice(0, limits.reasonLength), dueInMs };
  await store(work, order, step).catch(unlessOvertaken);
  return undefined;
}

/** True if the authority has failed too often and another one is available. */
async function isOtherThere({ ctx, authority }: Work, order: CertificateOrder): Promise<boolean> {
  const others = ctx.authorities.filter(({ name }) => name !== authority.name);
  if (others.length === 0 || order.troubles + 1 < limits.failuresBeforeTakeover) return false;
  const away = await authoritiesAway(ctx.db.as(allTenants), limits.failuresBeforeTakeover, limits.takeoverMs);
  return others.some(({ name }) => !away.has(name));
}

/** The domain is due at once, to be ordered from another authority. */
async function giveUp({ ctx }: Work, order: CertificateOrder, why: string): Next {
  const reason = why.slice(0, limits.reasonLength);
  return ctx.db.transaction(allTenants, async (tx) => {
    const ended = await advanceOrder(tx, order, { state: 'failed', troubles: order.troubles + 1, reason, dueInMs: 0 });
    if (ended) await scheduleCheckNow(tx, order.subject);
    return ended;
  });
}

function unlessOvertaken(error: unknown): void {
  if (!(error instanceof Overtaken)) throw error;
}

/** Ends this order. The domain gets another one after a pause that grows with each failure. */
async function fail(
  { ctx }: Work,
  order: CertificateOrder,
  failure: { readonly reason: string; readonly isBlocked: boolean },
): Next {
  const reason = failure.reason.slice(0, limits.reasonLength);
  return ctx.db.transaction(allTenants, async (tx) => {
    // The authority answered: earlier troubles of this order do not count as an authority that is away.
    const ended = await advanceOrder(tx, order, { state: 'failed', reason, dueInMs: 0, ...progress });
    if (!ended) return undefined;
    const before = await failuresOf(tx, order.subject);
    const againMs = growingPause(limits.firstFailurePauseMs, limits.longestPauseMs, before.failures);
    const state = failure.isBlocked ? 'blocked' : before.has_one ? 'live' : 'waiting';
    await noteFailure(tx, order.subject, { state, reason, againMs });
    if (before.failures > 0 || order.domain_id === null) return ended;
    const domain = await readDomain(tx, order.domain_id);
    const facts = { reason, is_blocked: failure.isBlocked };
    await appendEvent(ctx, tx, lifeEvent(domain, 'forwarding.certificate_failed', facts));
    return ended;
  });
}
