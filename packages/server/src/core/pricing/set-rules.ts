import { isCurrency, MoneyError, parseMoney } from '@namehold/base';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, inEntry } from '../errors.ts';
import { type Audience, normaliseTld, type PriceAction, priceActions, priceLimits, type Rule } from './price.ts';
import { type RuleRow, replaceRules, selectRules, sellingCurrencyOf } from './pricing.sql.ts';
import { unknownTlds } from './set-price.ts';

/** An unchecked rule; amounts in `currency`, by default the seller's own. */
export interface WrittenRule {
  readonly tld?: string | null | undefined;
  readonly action?: string | null | undefined;
  readonly kind: 'fixed' | 'percent';
  /** `12.5` is 12.5 %. */
  readonly percent?: string | undefined;
  /** Added for each year. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  /** Raises to the next amount with this ending over this step: step 1.00 and ending 0.99 is the next .99. */
  readonly roundingStep?: string | undefined;
  readonly roundingEnding?: string | undefined;
}

export interface RuleSet {
  /** The seller's own currency: percent rules round in it. */
  readonly currency: string;
  readonly rules: readonly RuleRow[];
  /** Named TLDs that are not in the catalogue. */
  readonly unknownTlds: readonly string[];
}

/** Checks unchecked rules, individually and together. */
export function readWritten(written: readonly WrittenRule[], currency: string): Rule[] {
  if (written.length > priceLimits.rulesPerAudience) {
    throw badField('rules', `Must have at most ${priceLimits.rulesPerAudience} rules.`, 'too_many');
  }
  const rules = written.map((rule, place) => inEntry('rules', place, () => readRule(rule, currency)));
  const scopes = rules.map((rule) => `${rule.tld} ${rule.action} ${rule.kind === 'fixed' ? rule.currency : ''}`);
  const twice = scopes.findIndex((scope, place) => scopes.indexOf(scope) !== place);
  if (twice !== -1) throw badField('rules', `Rule ${twice + 1} has the same scope as an earlier rule.`, 'duplicate');
  return rules;
}

/** Replaces the whole set for one audience. Returns the rules of both audiences. */
export async function setRules(
  ctx: AppContext,
  actor: Actor,
  audience: Audience,
  written: readonly WrittenRule[],
): Promise<RuleSet> {
  return write(ctx, actor, async (tx) => {
    const now = ctx.clock.now();
    const currency = await sellingCurrencyOf(tx, actor.resellerId);
    const rules = readWritten(written, currency);
    const before = await selectRules(tx, actor.resellerId, now);
    await replaceRules(tx, actor.resellerId, audience, rules, now);
    const after = await selectRules(tx, actor.resellerId, now);
    await audit(ctx, tx, actor, {
      action: 'price_rules.set',
      objectType: 'price_rules',
      objectId: audience,
      before: before.filter((rule) => rule.audience === audience),
      after: after.filter((rule) => rule.audience === audience),
    });
    return { currency, rules: after, unknownTlds: await unknownTlds(tx, after) };
  });
}

export async function readRules(ctx: AppContext, actor: Actor): Promise<RuleSet> {
  const db = ctx.db.as(actor.resellerId);
  const rules = await selectRules(db, actor.resellerId, ctx.clock.now());
  return {
    currency: await sellingCurrencyOf(db, actor.resellerId),
    rules,
    unknownTlds: await unknownTlds(db, rules),
  };
}

function readRule(written: WrittenRule, ownCurrency: string): Rule {
  const action = written.action?.trim().toLowerCase() ?? null;
  if (action !== null && !priceActions.includes(action as PriceAction)) {
    throw badField('action', `Must be one of ${priceActions.join(', ')}.`);
  }
  const currency = (written.currency ?? ownCurrency).trim().toUpperCase();
  if (!isCurrency(currency)) throw badField('currency', `"${currency.slice(0, 10)}" is not an ISO 4217 currency code.`);
  const scope = {
    tld: written.tld === undefined || written.tld === null ? null : normaliseTld(written.tld),
    action: action as PriceAction | null,
    rounding: roundingOf(written, currency),
  };
  if (written.kind === 'percent')
    return { ...scope, kind: 'percent', basisPoints: basisPointsOf(given('percent', written.percent)) };
  return { ...scope, kind: 'fixed', amount: minor('amount', given('amount', written.amount), currency), currency };
}

function given(field: string, text: string | undefined): string {
  if (text === undefined) throw badField(field, 'This field is required.', 'required');
  return text;
}

function roundingOf(written: WrittenRule, currency: string): Rule['rounding'] {
  if (written.roundingStep === undefined) return null;
  const step = minor('rounding_step', written.roundingStep, currency);
  const ending = minor('rounding_ending', written.roundingEnding ?? '0', currency);
  if (step <= 0n) throw badField('roundingStep', 'Must be greater than 0, for example 1.00.');
  if (ending < 0n || ending >= step) throw badField('roundingEnding', 'Must be less than the rounding step.');
  return { step, ending };
}

/** No price falls below zero. */
const percentLimits = { least: -100, most: 10_000 };

function basisPointsOf(text: string): number {
  const match = /^(-?)(\d{1,4})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) throw badField('percent', 'Must be a percentage such as 12.5, with at most two decimal places.');
  const points = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  const signed = match[1] === '-' ? -points : points;
  if (signed < percentLimits.least * 100 || signed > percentLimits.most * 100)
    throw badField('percent', `Must be from ${percentLimits.least} to ${percentLimits.most}.`);
  return signed;
}

function minor(field: string, text: string, currency: string): bigint {
  try {
    return parseMoney(text, currency).amount;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw badField(field, error.message);
  }
}
