import { addDays } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { notFound, Refusal } from '../errors.ts';
import { makeLink } from '../links/link.ts';
import type { Domain } from '../model/domain.ts';
import { mailBudgetFor } from '../notices/ceiling.ts';
import { notify } from '../notices/notify.ts';
import { mailLimits } from './forward.ts';
import { forwardedText } from './forwarded-text.ts';
import { settleTarget } from './settle-target.ts';
import {
  consentRequestAt,
  ensureTarget,
  findTarget,
  isUnwanted,
  localPartsTo,
  lockTarget,
  lockTargetAddress,
  type MailTarget,
  markRequestDelayed,
  markRequested,
  namesOfTarget,
} from './target.sql.ts';

type RequestingDomain = Pick<Domain, 'id' | 'reseller_id' | 'customer_id' | 'name'>;

const dayMs = 86_400_000;
/** The link also withdraws consent, so it is valid as long as mail may be forwarded. */
const linkDays = 3_650;

/** Requests consent for new addresses and expired requests of this customer, in the transaction that sets the targets. */
export async function requestConsents(
  ctx: AppContext,
  tx: Tx,
  domain: RequestingDomain,
  addresses: readonly string[],
): Promise<void> {
  for (const address of [...new Set(addresses)].sort()) {
    const { reseller_id, customer_id } = domain;
    const created_at = ctx.clock.now();
    const id = ctx.ids.next('mtg');
    const target = await ensureTarget(tx, { id, reseller_id, customer_id, address, created_at });
    const isUnrequested = target.state === 'waiting' && target.asked_at === null;
    if (!isUnrequested && target.state !== 'lapsed') continue;
    if (await isUnwanted(ctx.db.as(allTenants), address)) await settleTarget(ctx, tx, target, 'stopped');
    else await requestConsent(ctx, tx, domain, target);
  }
}

/** When the limits of the mailbox allow the request. Undefined: now. */
async function requestableAt(
  ctx: AppContext,
  tx: Tx,
  domain: RequestingDomain,
  { address }: MailTarget,
): Promise<Date | undefined> {
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - dayMs);
  const { consentRequestsPerDay: place, consentRequestsOfCustomer } = mailLimits;
  const last =
    (await consentRequestAt(ctx.db.as(allTenants), { address, since, place })) ??
    (await consentRequestAt(tx, { address, since, place }));
  const customerId = domain.customer_id;
  const own = last && (await consentRequestAt(tx, { address, since, customerId, place: consentRequestsOfCustomer }));
  if (own) return new Date(Math.min(last.getTime(), own.getTime()) + dayMs);
  const mail = { resellerId: domain.reseller_id, address, kind: 'mail_target' } as const;
  const { retryAfterSeconds } = await mailBudgetFor(ctx, tx, mail);
  return retryAfterSeconds === null ? undefined : new Date(now.getTime() + retryAfterSeconds * 1_000);
}

/** Sends the request, or delays it if the mailbox has reached its daily limit. Returns until when. */
export async function requestConsent(
  ctx: AppContext,
  tx: Tx,
  domain: RequestingDomain,
  target: MailTarget,
): Promise<Date | undefined> {
  const now = ctx.clock.now();
  await lockTargetAddress(tx, target.address);
  const delayedUntil = await requestableAt(ctx, tx, domain, target);
  if (delayedUntil) {
    await markRequestDelayed(tx, target.id, delayedUntil);
    return delayedUntil;
  }
  const until = addDays(now, mailLimits.answerDays);
  const to = { name: target.address, email: target.address, country_code: '' };
  const { token, link } = await makeLink(ctx, tx, {
    resellerId: domain.reseller_id,
    domainId: domain.id,
    to,
    expiresAt: addDays(now, linkDays),
    mailTargetId: target.id,
  });
  await markRequested(tx, target.id, now, until);
  const forwarded = forwardedText(domain.name, await localPartsTo(tx, domain.id, target.address));
  await notify(ctx, tx, {
    kind: 'mail_target',
    facts: { domain: domain.name, forwarded, link, until },
    token,
    resellerId: domain.reseller_id,
    to,
    domainId: domain.id,
  });
  return undefined;
}

/** Sends the request again. After a rejection it is not sent; the owner can consent by the link of an earlier mail. */
export async function resendConsentRequest(ctx: AppContext, actor: Actor, id: string): Promise<MailTarget> {
  return write(ctx, actor, async (tx) => {
    const found = await findTarget(tx, actor, id);
    const target = found && (await lockTarget(tx, found.id));
    if (!target) throw notFound('mail target');
    if (target.state === 'confirmed')
      throw new Refusal('conflict', `The owner of ${target.address} has already confirmed.`);
    // A target that was stopped without a request was stopped by a rejection to another account, which may have been withdrawn since.
    const wasRequested = target.state === 'stopped' && target.asked_at !== null;
    if (wasRequested || (await isUnwanted(ctx.db.as(allTenants), target.address)))
      throw new Refusal(
        'conflict',
        `The owner of ${target.address} rejected email from here. The owner can confirm it through the link in an earlier email.`,
      );
    const [confirmationForm] = await namesOfTarget(tx, target, 1);
    if (!confirmationForm) throw new Refusal('conflict', `No address forwards to ${target.address} any more.`);
    const { reseller_id, customer_id } = target;
    const until = await requestConsent(ctx, tx, { ...confirmationForm, reseller_id, customer_id }, target);
    if (until)
      throw new Refusal(
        'rate_limited',
        `The limit of ${mailLimits.consentRequestsPerDay} such mails a day for one mailbox is reached. No mail was sent. Try again later.`,
        { retryAfterSeconds: Math.ceil((until.getTime() - ctx.clock.now().getTime()) / 1_000) },
      );
    return (await findTarget(tx, actor, id))!;
  });
}
