import { everyTenant, money, NameError, normaliseName, parseMoney } from '@namehold/base';
import { checkName } from '../domains/buy/check-order.ts';
import { askNewPremium } from '../domains/buy/premium-fee.ts';
import { restoreRenews } from '../domains/buy/restore.ts';
import { requirePrivacyOffered } from '../domains/change/privacy.ts';
import { rulesOf } from '../domains/compare/sync.ts';
import { findDomainByName } from '../domains/domain.sql.ts';
import type { Domain } from '../domains/domain.ts';
import { isHeldHere } from '../domains/search/availability.sql.ts';
import { badField, Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import type { QuoteOrder } from './draft.ts';
import type { Premium } from './quote.ts';

/** What can be quoted by name. Transfers and trades are not offered yet. */
export const quotableKinds = ['register', 'renew', 'restore', 'privacy'] as const;

export interface QuoteRequest {
  readonly kind: (typeof quotableKinds)[number];
  readonly domainName: string;
  readonly years: number;
  readonly withPrivacy: boolean;
}

/** Fills in what the caller need not know: the TLD, the domain, and what the registry asks for a premium name. */
export async function quoteOrderOf(
  house: House,
  actor: Actor,
  request: QuoteRequest,
): Promise<Omit<QuoteOrder, 'resellerId' | 'at'>> {
  return request.kind === 'register' ? newName(house, request) : ownName(house, actor, request);
}

async function newName(house: House, request: QuoteRequest) {
  const { name, tld, registryId } = await checkName(house, request.domainName);
  if (await isHeldHere(house.db.as(everyTenant), name)) {
    throw new Refusal('domain_not_available');
  }
  const { periods } = tld.rules;
  if (request.years < periods.min_years || request.years > periods.max_years) {
    throw badField('years', `.${tld.name} is registered for ${periods.min_years} to ${periods.max_years} years`);
  }
  if (request.withPrivacy) requirePrivacyOffered({ tld: tld.name }, tld.rules);
  const premium = tld.rules.premium_names ? await askPremium(house, registryId, name, request.years) : undefined;
  const { kind, withPrivacy } = request;
  return { kind, domainName: name, tld: tld.name, years: request.years, withPrivacy, premium };
}

async function askPremium(house: House, registryId: string, name: string, years: number): Promise<Premium | undefined> {
  const found = await askNewPremium(house, registryId, name, years);
  return found ? { class: found.class, fee: parseMoney(found.createFee.amount, found.createFee.currency) } : undefined;
}

async function ownName(house: House, actor: Actor, request: QuoteRequest) {
  const domain = await findDomainByName(house.db.as(actor.resellerId), actor.resellerId, plainName(request.domainName));
  if (!domain || domain.state === 'removed') throw badField('domain_name', 'there is no such domain', 'not_found');
  const { kind, years } = request;
  if (kind === 'privacy' || (kind === 'renew' && request.withPrivacy))
    requirePrivacyOffered(domain, await rulesOf(house.db.as(everyTenant), domain.tld));
  const premium = kind === 'renew' ? renewalPremium(domain, years) : undefined;
  // A name that ran out is renewed with its restore; the order will be priced the same way.
  const withRenewal = kind === 'restore' && restoreRenews(domain, house.clock.now());
  return { kind, domainName: domain.name, domainId: domain.id, tld: domain.tld, years, premium, withRenewal };
}

/** The fee that was promised when the name was bought, for each year. */
function renewalPremium(domain: Domain, years: number): Premium | undefined {
  if (domain.premium_class === null || domain.premium_renewal_fee === null) return undefined;
  const fee = money(BigInt(domain.premium_renewal_fee) * BigInt(years), domain.premium_currency!);
  return { class: domain.premium_class, fee };
}

function plainName(text: string): string {
  try {
    return normaliseName(text);
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    throw badField('domain_name', error.message);
  }
}
