import { addDays } from '@namehold/base';
import { allTenants, type Reader } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { type Circumstances, reasonsAgainst } from '../domains/allowed/allowed.ts';
import { actions, type Reason } from '../domains/allowed/reason.ts';
import { restoreRenews } from '../domains/buy/restore.ts';
import { requireDomain } from '../domains/find.ts';
import { usersOfChildHosts } from '../domains/life.sql.ts';
import { deletesUnpaidAt, dropsAt, interruptsAt, renewBy, unpaidSince } from '../domains/lifecycle.ts';
import { locksOf } from '../domains/locks-of.ts';
import { type RenewalForecast, renewalForecast } from '../domains/renewal/forecast.ts';
import { Refusal } from '../errors.ts';
import type { Domain } from '../model/domain.ts';
import type { Operation } from '../model/operation.ts';
import { registrarName } from '../model/registrar-name.ts';
import type { TldRules } from '../model/tld.ts';
import { findOpenOperation, findWaitingChange } from '../operations/operation.sql.ts';
import type { LockAfter, TransferLock } from '../policy/lock.ts';
import { verificationRule } from '../policy/verification.ts';
import { draftQuote, type QuoteDraft } from '../quotes/draft.ts';
import { rulesOf } from '../tlds/rules-of.ts';
import { type DeletionOutlook, deletionOutlook } from './deletion.ts';
import { forwardedOf, forwardingMilestones } from './forwarding-milestones.ts';
import type { Milestone, Who } from './milestone.ts';

export interface Timeline {
  readonly domain: Domain;
  readonly asOf: Date;
  readonly milestones: readonly Milestone[];
  /** The reasons against each action now. */
  readonly blocks: readonly { readonly action: (typeof actions)[number]; readonly reasons: readonly Reason[] }[];
  readonly mustAct: { readonly who: Who; readonly by: Date | null; readonly sentence: string };
  readonly operation: Operation | undefined;
  /** Null if the domain is not active, or for a customer. */
  readonly deletion: DeletionOutlook | null;
}

/**
 * The coming dates of a domain under its renewal mode, at today's balance and price; what prevents which action; and the next required
 * action.
 */
export async function readTimeline(ctx: AppContext, actor: Actor, idOrName: string): Promise<Timeline> {
  const stored = await requireDomain(ctx, actor, idOrName);
  const away = stored.transfer_away;
  const domain: Domain = away
    ? { ...stored, transfer_away: { ...away, registrar: registrarName(ctx.config, away.registrar) } }
    : stored;
  const db = ctx.db.as(actor.resellerId);
  const rules = await rulesOf(ctx.db.as(allTenants), domain);
  const asOf = ctx.clock.now();
  // A customer must not see the reseller's price.
  const price = async (bought: Bought) => (actor.customerId === undefined ? priceOf(db, domain, bought, asOf) : null);
  const [plan, renewal, restore, operation, waiting, hostUsers, locks, forwarded, deletion] = await Promise.all([
    renewalForecast(ctx, actor, domain, rules),
    price({ kind: 'renew' }),
    price({ kind: 'restore', withRenewal: restoreIncludesYear(domain, rules, asOf) }),
    findOpenOperation(db, domain.id),
    findWaitingChange(db, domain.id),
    usersOfChildHosts(ctx.db.as(allTenants), domain.id),
    locksOf(db, domain, asOf),
    forwardedOf(db, domain),
    actor.customerId === undefined ? deletionOutlook(db, domain, rules, asOf) : null,
  ]);
  const circumstances: Circumstances = { operation, hostUsers, locks };
  const milestones = [
    ...milestonesOf(domain, rules, asOf, { renewal, restore }, plan),
    ...verificationEnd(ctx, domain, rules, asOf),
    ...locks.map(lockEnd),
    ...forwardingMilestones(domain, forwarded, stopsAt(domain, rules, plan), asOf),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  const next = mustAct(domain, rules, asOf, operation, plan);
  // A change that waits for approval blocks nothing, and a deadline of the domain comes first.
  const decided = operation || next.who === 'reseller' ? undefined : waiting;
  return {
    domain,
    asOf,
    milestones,
    blocks: actions.map((action) => ({ action, reasons: reasonsAgainst(domain, action, circumstances) })),
    mustAct: decided ? mustDecide(decided) : next,
    operation: operation ?? decided,
    deletion,
  };
}

/** An active domain that is deleted later has expired by the time it can be restored. */
const restoreIncludesYear = (domain: Domain, rules: TldRules, now: Date) =>
  domain.state === 'live' || restoreRenews(domain.registry_expires_at, rules, now);

/** The new expiry depends on the registry's date at the time of the restore, so only the year itself is stated. */
const addedYear = ({ restore_years }: TldRules) => (restore_years === 1 ? ' A restore adds a year to the term.' : '');

const beginnings: Readonly<Record<LockAfter, string>> = {
  registration: 'the registration',
  transfer: 'the transfer to this registrar',
  holder_change: 'the change of the registrant',
};

const lockEnd = ({ after, against, until: at }: TransferLock): Milestone => ({
  at,
  what: `${against}_lock_ends`,
  who: 'nobody',
  sentence: `Until this date, the domain cannot be ${against === 'move' ? 'moved to another reseller' : 'transferred to another registrar'}, because of ${beginnings[after]}.`,
  price: null,
});

function verificationEnd(ctx: AppContext, domain: Domain, rules: TldRules, now: Date): Milestone[] {
  const at = domain.verify_by;
  if (!at || at <= now) return [];
  const isHeld = verificationRule(ctx.config, domain.tld, rules)?.hold ?? false;
  const sentence = `Last day for the registrant to confirm their email address.${isHeld ? ' Otherwise, the domain is suspended.' : ''}`;
  return [{ at, what: 'verify_by', who: 'reseller', sentence, price: null }];
}

type Price = Pick<QuoteDraft, 'total' | 'lines'>;

interface Prices {
  readonly renewal: Price | null;
  readonly restore: Price | null;
}

interface Bought {
  readonly kind: 'renew' | 'restore';
  readonly withRenewal?: boolean;
}

async function priceOf(db: Reader, domain: Domain, bought: Bought, at: Date): Promise<Price | null> {
  // The registry's price of a premium domain is only known when it is queried.
  if (domain.premium_class !== null) return null;
  try {
    const { reseller_id: resellerId, registry_id: registryId, name: domainName, tld } = domain;
    return await draftQuote(db, { ...bought, resellerId, registryId, at, domainName, tld, years: 1 });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** When a domain stops resolving by the end of its term; null: it is renewed. */
function stopsAt(domain: Domain, rules: TldRules, plan: RenewalForecast): Date | null {
  if (plan.kind === 'renews') return null;
  return plan.kind === 'deletes' ? plan.at : (interruptsAt(domain, rules) ?? renewBy(domain, rules));
}

/** When a domain that still resolves stops to do so because it is not renewed. */
const interruption = (domain: Domain, rules: TldRules): Date | null =>
  domain.unpaid || domain.suspended ? null : interruptsAt(domain, rules);

/** Only future dates. */
function milestonesOf(domain: Domain, rules: TldRules, now: Date, prices: Prices, plan: RenewalForecast): Milestone[] {
  const found: Milestone[] = [];
  const add = (at: Date | null, what: string, who: Who, sentence: string, price: Price | null = null) => {
    if (at && at > now) found.push({ at, what, who, sentence, price });
  };
  if (domain.state === 'live' && domain.end_date) {
    found.push(...renewalMilestones(plan));
    if (plan.kind === 'manual' || plan.kind === 'fails') addUnrenewed(domain, domain.end_date, rules, prices, add);
    else if (plan.kind === 'deletes') addDeleted(domain.end_date, plan.at, rules, prices, add);
  }
  if (domain.redemption_ends_at && domain.state !== 'removed') {
    const end = domain.redemption_ends_at;
    add(end, 'redemption_ends', 'reseller', `Last day to restore the domain.${addedYear(rules)}`, prices.restore);
    add(dropsAt(domain, rules), 'dropped', 'registry', 'Anyone can register the domain.');
  }
  const away = domain.transfer_away;
  if (domain.state === 'pending_transfer' && away?.action_at)
    add(
      new Date(away.action_at),
      'transferred_away',
      'registry',
      `If it is not rejected, the domain is transferred to ${away.registrar}.`,
    );
  const isPrivacyRenewed = plan.kind === 'renews' && plan.withPrivacy;
  if (domain.privacy_until && domain.state === 'live' && !isPrivacyRenewed) {
    add(domain.privacy_until, 'privacy_ends', 'reseller', 'Privacy protection ends.');
  }
  if (domain.state === 'pending' && domain.transfer?.action_at) {
    const sentence =
      'Last day for the current registrar to respond. Without a response, most registries complete the transfer.';
    add(new Date(domain.transfer.action_at), 'transfer_decided', 'registry', sentence);
  }
  if (domain.auth_code_expires_at)
    add(domain.auth_code_expires_at, 'auth_code_ends', 'platform', 'The auth code expires.');
  return found;
}

type Add = (at: Date | null, what: string, who: Who, sentence: string, price?: Price | null) => void;

/** The effect of the renewal mode; an attempt that is due now counts as future. */
function renewalMilestones(plan: RenewalForecast): Milestone[] {
  if (plan.kind === 'renews') {
    const { at, until, price, isOnce } = plan;
    const ends = isOnce
      ? 'The next term ends. Later renewals are manual.'
      : 'The next term ends. Before that date, the domain is renewed automatically again.';
    return [
      { at, what: 'renewal', who: 'platform', sentence: 'The domain is renewed automatically.', price },
      { at: until, what: 'expires', who: isOnce ? 'reseller' : 'platform', sentence: ends, price: null },
    ];
  }
  if (plan.kind !== 'fails') return [];
  const sentence = `At present the automatic renewal would fail: ${plan.why.replace(/\.$/, '')}. It is retried each day.`;
  return [{ at: plan.at, what: 'renewal_fails', who: 'reseller', sentence, price: plan.price }];
}

/** The milestones of a domain that is not renewed. */
function addUnrenewed(domain: Domain, end: Date, rules: TldRules, prices: Prices, add: Add): void {
  const days = rules.grace_days;
  add(end, 'expires', 'reseller', 'The paid term ends.', prices.renewal);
  const deletedAt = deletesUnpaidAt(domain, rules) ?? addDays(end, days.expired_hold);
  add(
    interruption(domain, rules),
    'interrupted',
    'platform',
    'If not renewed, the website and email of the domain stop working.',
  );
  add(renewBy(domain, rules), 'renew_by', 'reseller', 'Last day to renew at the usual price.', prices.renewal);
  if (rules.auto_renew) {
    add(
      end,
      'auto_renew',
      'registry',
      'The registry extends the domain by one year at expiry. You pay only if you renew.',
    );
    add(deletedAt, 'deleted', 'platform', 'If not renewed, the domain is deleted.');
    add(
      addDays(unpaidSince(end, domain.registry_expires_at), days.auto_renew),
      'grace_ends',
      'registry',
      'The registry’s own grace period ends. This date does not extend yours.',
    );
  } else {
    add(deletedAt, 'deleted', 'registry', 'If not renewed, the domain is deleted by the registry.');
  }
  addAfterDeletion(deletedAt, rules, prices, add);
}

/** For a domain with the renewal mode "let expire". */
function addDeleted(end: Date, deletedAt: Date, rules: TldRules, prices: Prices, add: Add): void {
  add(end, 'expires', 'platform', 'The paid term ends.');
  add(deletedAt, 'deleted', 'platform', 'The domain is deleted because its renewal mode is "let expire".');
  addAfterDeletion(deletedAt, rules, prices, add);
}

function addAfterDeletion(deletedAt: Date, rules: TldRules, prices: Prices, add: Add): void {
  const { grace_days: days } = rules;
  const redemptionEnds = addDays(deletedAt, days.redemption);
  add(
    redemptionEnds,
    'redemption_ends',
    'reseller',
    `Last day to restore the domain.${addedYear(rules)}`,
    prices.restore,
  );
  add(addDays(redemptionEnds, days.pending_delete), 'dropped', 'registry', 'Anyone can register the domain.');
}

const asSentence = (why: string): string => `${why.charAt(0).toUpperCase()}${why.slice(1).replace(/\.$/, '')}.`;

/** An operation that waits for an approval, or for the operator. */
function mustDecide({ approval, attention }: Operation): Timeline['mustAct'] {
  if (!approval)
    return {
      who: 'platform',
      by: null,
      sentence: `Your provider must decide how to continue: ${attention?.why ?? ''}`,
    };
  const by = new Date(approval.until);
  if (approval.awaits === 'holders')
    return { who: 'nobody', by, sentence: 'A change is waiting for the registrants to confirm it by email.' };
  if (approval.awaits === 'taker')
    return { who: 'nobody', by, sentence: 'A move is waiting for the receiving reseller to accept it.' };
  return { who: 'reseller', by, sentence: 'A change is waiting for approval by another user or API key.' };
}

function mustAct(
  domain: Domain,
  rules: TldRules,
  now: Date,
  operation: Operation | undefined,
  plan: RenewalForecast,
): Timeline['mustAct'] {
  const is = (who: Who, sentence: string, by: Date | null = null) => ({ who, by, sentence });
  if (operation?.state === 'action_required') return mustDecide(operation);
  if (operation?.state === 'waiting_registry' && operation.attention) {
    const { until } = operation.attention.facts;
    return is('reseller', asSentence(operation.attention.why), until ? new Date(String(until)) : null);
  }
  if (operation?.state === 'waiting_registry' && domain.state === 'pending' && domain.transfer)
    return is(
      'registry',
      'The transfer is requested. The current registrar must approve or reject it.',
      domain.transfer.action_at ? new Date(domain.transfer.action_at) : null,
    );
  if (operation?.state === 'waiting_registry') return is('registry', 'The registry is processing an order.');
  if (operation) return is('platform', 'An order or change is in progress.');
  switch (domain.state) {
    case 'redemption':
      return is(
        'reseller',
        'The domain is deleted. Restore it, or anyone can register it later.',
        domain.redemption_ends_at,
      );
    case 'pending_restore':
      return is('platform', 'The restore report is due.');
    case 'pending_delete':
      return is('nobody', 'The domain can no longer be restored and will be deleted.', dropsAt(domain, rules));
    case 'pending_transfer':
      return is(
        'reseller',
        `${domain.transfer_away ? `The registrar “${domain.transfer_away.registrar}”` : 'Another registrar'} has requested a transfer. Approve or reject it. Without a response, the transfer is completed.`,
        domain.transfer_away?.action_at ? new Date(domain.transfer_away.action_at) : null,
      );
    case 'pending':
      return is('registry', 'The order is not finished.');
    case 'unpaid':
      return is(
        'reseller',
        'The order is waiting for payment. Pay it, run it without payment, or cancel it. The domain is not reserved.',
      );
    case 'removed':
      return is('nobody', 'The domain is no longer here.');
    case 'live':
      break;
  }
  return mustActOnLive(domain, rules, now, plan);
}

function mustActOnLive(domain: Domain, rules: TldRules, now: Date, plan: RenewalForecast): Timeline['mustAct'] {
  const is = (who: Who, sentence: string, by: Date | null = null) => ({ who, by, sentence });
  const isOver = domain.end_date !== null && domain.end_date <= now;
  if (isOver && plan.kind === 'renews') return is('platform', 'The domain is renewed automatically.', plan.at);
  if (isOver && plan.kind === 'deletes')
    return is('platform', 'The domain is deleted because its renewal mode is "let expire".', plan.at);
  if (isOver) {
    const stops = interruption(domain, rules);
    if (stops && stops > now)
      return is(
        'reseller',
        'Renew now, or the website and email of the domain stop working. Later, the domain is deleted.',
        stops,
      );
    const unresolved = domain.unpaid ? ' Its website and email do not work until you renew.' : '';
    return is('reseller', `Renew now, or the domain is deleted.${unresolved}`, renewBy(domain, rules));
  }
  if (domain.verify_by && domain.verify_by > now)
    return is(
      'reseller',
      'The registrant must confirm their email address with the link in the email that they received.',
      domain.verify_by,
    );
  if (plan.kind === 'fails')
    return is('reseller', `The automatic renewal would fail: ${plan.why.replace(/\.$/, '')}.`, plan.at);
  if (plan.kind === 'renews') return is('nobody', 'The domain is renewed automatically.', plan.at);
  if (plan.kind === 'deletes')
    return is('nobody', 'The domain is deleted when its term ends because its renewal mode is "let expire".', plan.at);
  return is(
    'nobody',
    'The domain is not renewed automatically. Renew it before the term ends, or turn on auto-renew.',
    domain.end_date,
  );
}
