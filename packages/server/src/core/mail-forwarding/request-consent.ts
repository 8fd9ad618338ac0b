import { addDays, allTenants, type Tx } from '@namehold/base';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { notFound, Refusal } from '../errors.ts';
import { makeLink } from '../links/link.ts';
import type { Domain } from '../model/domain.ts';
import { notify } from '../notices/notify.ts';
import { mailLimits } from './forward.ts';
import { settleTarget } from './settle-target.ts';
import {
  consentRequestsSince,
  ensureTarget,
  findTarget,
  isUnwanted,
  lockTarget,
  lockTargetAddress,
  type MailTarget,
  markRequested,
  markRequestOwed,
  namesOfTarget,
  ownConsentRequestsSince,
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

/** Sends the request, or delays it if the address has reached its daily limit. */
export async function requestConsent(
  ctx: AppContext,
  tx: Tx,
  domain: RequestingDomain,
  target: MailTarget,
): Promise<boolean> {
  const now = ctx.clock.now();
  await lockTargetAddress(tx, target.address);
  const since = new Date(now.getTime() - dayMs);
  const requestCounts = [
    await consentRequestsSince(ctx.db.as(allTenants), target.address, since),
    await ownConsentRequestsSince(tx, target.address, since),
  ];
  if (Math.max(...requestCounts) >= mailLimits.consentRequestsPerDay) {
    await markRequestOwed(tx, target.id);
    return false;
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
  await notify(ctx, tx, {
    kind: 'mail_target',
    facts: { domain: domain.name, link, until },
    token,
    resellerId: domain.reseller_id,
    to,
    domainId: domain.id,
  });
  return true;
}

/** Sends the request again. After a rejection it is not sent; the owner can consent by the link of an earlier mail. */
export async function resendConsentRequest(ctx: AppContext, actor: Actor, id: string): Promise<MailTarget> {
  return write(ctx, actor, async (tx) => {
    const found = await findTarget(tx, actor, id);
    const target = found && (await lockTarget(tx, found.id));
    if (!target) throw notFound('mail target');
    if (target.state === 'confirmed')
      throw new Refusal('conflict', `The owner of ${target.address} has already approved.`);
    // A target that was stopped without a request was stopped by a rejection to another account, which may have been withdrawn since.
    const wasRequested = target.state === 'stopped' && target.asked_at !== null;
    if (wasRequested || (await isUnwanted(ctx.db.as(allTenants), target.address)))
      throw new Refusal(
        'conflict',
        `The owner of ${target.address} rejected email from here. The owner can approve it through the link in an earlier email.`,
      );
    const [confirmationForm] = await namesOfTarget(tx, target, 1);
    if (!confirmationForm) throw new Refusal('conflict', `No address forwards to ${target.address} any more.`);
    const { reseller_id, customer_id } = target;
    if (!(await requestConsent(ctx, tx, { ...confirmationForm, reseller_id, customer_id }, target)))
      throw new Refusal(
        'conflict',
        `The limit of ${mailLimits.consentRequestsPerDay} such mails a day for one address is reached. Try again tomorrow.`,
      );
    return (await findTarget(tx, actor, id))!;
  });
}
