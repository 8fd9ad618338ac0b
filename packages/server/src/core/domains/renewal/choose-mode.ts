import { formatMoney, type Money } from '@namehold/base';
import { allTenants, type Reader } from '@namehold/postgres';
import { readSecurity } from '../../accounts/security.sql.ts';
import { type Actor, type AppContext, actingId, write } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { badField, Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import type { Domain, RenewalMode } from '../../model/domain.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { draftPurchase } from '../buy/draft-purchase.ts';
import { renew } from '../buy/renew.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { automaticOrder } from './automatic-order.ts';
import { firstTryAt, missingFor } from './forecast.ts';
import { type ModeChange, saveMode } from './renewal.sql.ts';

/** The effect of a domain's renewal mode, if nothing else happens. */
export interface RenewalPreview {
  readonly domain: Domain;
  /** When a background job acts first; null: never. */
  readonly firstTryAt: Date | null;
  /** Today's price of the renewal; null if none is ordered or the order would be refused. */
  readonly price: Money | null;
  readonly whatHappens: string;
}

interface Which {
  readonly domain: string;
  readonly customerId: string | undefined;
}

export async function readRenewal(ctx: AppContext, actor: Actor, which: Which): Promise<RenewalPreview> {
  return outlookOf(ctx, actor, await requireDomain(ctx, actor, which.domain, which.customerId));
}

/** Sets what happens to a domain at the end of its term. A dry run returns the effect only. */
export async function chooseMode(
  ctx: AppContext,
  actor: Actor,
  which: Which,
  change: ModeChange,
  options: { readonly isDryRun: boolean },
): Promise<RenewalPreview> {
  const found = await requireDomain(ctx, actor, which.domain, which.customerId);
  refuseGone(found);
  refuseFromCustomer(actor, change);
  await refuseSinglePrincipal(ctx.db.as(actor.resellerId), actor, change.mode);
  // The price limit belongs to the reseller, who pays.
  const maxPrice = actor.customerId === undefined ? change.maxPrice : found.renewal_max_price;
  const chosen = { mode: change.mode, maxPrice };
  const { mode: renewal_mode, maxPrice: renewal_max_price } = chosen;
  const outlook = await outlookOf(ctx, actor, { ...found, renewal_mode, renewal_max_price, renewal_try_at: null });
  if (options.isDryRun) return outlook;
  return write(ctx, actor, async (tx) => {
    const before = await lockOwn(tx, actor, found.id);
    refuseGone(before);
    const after = await saveMode(tx, actor.resellerId, found.id, chosen);
    await audit(ctx, tx, actor, {
      action: 'domain.renewal_mode',
      objectType: 'domain',
      objectId: found.id,
      before: { renewal_mode: before.renewal_mode, renewal_max_price: before.renewal_max_price },
      after: { renewal_mode, renewal_max_price },
    });
    const facts = { renewal_mode, before: before.renewal_mode, key_id: actor.keyId };
    await appendEvent(ctx, tx, lifeEvent(after, 'domain.renewal_mode_changed', facts));
    return { ...outlook, domain: after };
  });
}

function refuseFromCustomer({ customerId }: Actor, { mode, maxPrice }: ModeChange): void {
  if (customerId === undefined) return;
  if (maxPrice !== null) throw badField('maxPrice', 'This field is not available to customers.');
  if (mode === 'delete')
    throw badField(
      'renewalMode',
      'Must be manual, renew or renew_once. With manual, a domain that is not renewed expires too.',
    );
}

function refuseGone({ name, state }: Domain): void {
  if (state === 'removed') throw new Refusal('conflict', `${name} is no longer here.`);
  if (state === 'unpaid') throw new Refusal('conflict', `The order for ${name} is waiting for payment.`);
}

/** The mode "let expire" deletes the domain. If a delete needs approval, one principal alone must not be able to cause it by this mode. */
export async function refuseSinglePrincipal(db: Reader, actor: Actor, mode: RenewalMode | null): Promise<void> {
  if (mode !== 'delete' || actingId(actor) === null) return;
  const { second_yes: kinds } = await readSecurity(db, actor.resellerId);
  if (!kinds.includes('delete')) return;
  throw new Refusal(
    'conflict',
    'This account requires approval to delete domains, so auto-deletion is not possible. With manual, a domain that is not renewed expires too.',
  );
}

async function outlookOf(ctx: AppContext, actor: Actor, domain: Domain): Promise<RenewalPreview> {
  const { renewal_mode: mode, end_date } = domain;
  const nothing = (whatHappens: string) => ({ domain, firstTryAt: null, price: null, whatHappens });
  if (domain.state === 'removed') return nothing('The domain is no longer here.');
  if (mode === 'manual') return nothing('The domain is renewed only when a renewal is ordered.');
  if (!end_date) return nothing('Nothing happens before the end of the term is known.');
  if (mode === 'delete')
    return { ...nothing('The domain is deleted when its term is over. Nothing is charged.'), firstTryAt: end_date };
  const rules = await rulesOf(ctx.db.as(allTenants), domain);
  const now = ctx.clock.now();
  const begins = firstTryAt(domain, end_date, rules, now);
  const after = mode === 'renew_once' ? ' Afterwards the mode is manual.' : '';
  // A customer must not see the reseller's price.
  if (actor.customerId !== undefined)
    return { domain, firstTryAt: begins, price: null, whatHappens: `The domain is renewed automatically.${after}` };
  try {
    const order = automaticOrder({ ...domain, end_date }, rules, domain.renewal_max_price);
    const { total, years } = await draftPurchase(ctx, actor, renew, order);
    const span = years === 1 ? 'one year' : `${years} years`;
    const price = `${formatMoney(total)} ${total.currency}`;
    const whatHappens = `The domain is renewed by ${span}${order.privacy ? ', with privacy protection' : ''}, for ${price} at today's prices.${await missingAmount(ctx, actor, total)} If that fails, it is retried each day.${after}`;
    return { domain, firstTryAt: begins, price: total, whatHappens };
  } catch (error) {
    // A price limit that is no amount in the currency of the account is an error of the caller.
    if (!(error instanceof Refusal) || error.details.errors?.[0]?.field === 'maxPrice') throw error;
    const whatHappens = `At present the renewal would be refused: ${error.message} It is tried each day all the same.${after}`;
    return { domain, firstTryAt: begins, price: null, whatHappens };
  }
}

/** The amount that is missing today, without money that may come in until then. */
async function missingAmount(ctx: AppContext, { resellerId }: Actor, total: Money): Promise<string> {
  const missing = await missingFor(ctx, resellerId, total);
  return missing === null
    ? ''
    : ` The balance does not cover that today: ${formatMoney(missing)} ${missing.currency} is missing.`;
}
