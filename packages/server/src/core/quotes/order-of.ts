import { money, NameError, normaliseName, parseMoney } from '@namehold/base';
import { checkName } from '../domains/check-order.ts';
import { findDomainByName } from '../domains/domain.sql.ts';
import type { Domain } from '../domains/domain.ts';
import { restoreRenews } from '../domains/restore.ts';
import { badField, Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { sellingCurrencyOf } from '../pricing/pricing.sql.ts';
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
  return request.kind === 'register' ? newName(house, actor, request) : ownName(house, actor, request);
}

async function newName(house: House, actor: Actor, request: QuoteRequest) {
  const { name, tld, registryId } = await checkName(house, request.domainName);
  const { periods } = tld.rules;
  if (request.years < periods.min_years || request.years > periods.max_years) {
    throw badField('years', `.${tld.name} is registered for ${periods.min_years} to ${periods.max_years} years`);
  }
  const premium = tld.rules.premium_names ? await askPremium(house, actor, registryId, name, request.years) : undefined;
  const { kind, withPrivacy } = request;
  return { kind, domainName: name, tld: tld.name, years: request.years, withPrivacy, premium };
}

async function askPremium(
  house: House,
  actor: Actor,
  registryId: string,
  name: string,
  years: number,
): Promise<Premium | undefined> {
  const currency = await sellingCurrencyOf(house.db.as(actor.resellerId), actor.resellerId);
  const registry = await house.registries.of(registryId);
  const reply = await registry.check([name], { currency, years });
  if (reply.kind !== 'done') {
    throw new Refusal('registry_unavailable', 'the registry cannot be asked for the price of this name just now', {
      headers: { 'Retry-After': '10' },
    });
  }
  const found = reply.data[0];
  if (found && !found.available) {
    throw new Refusal('domain_not_available', `${name} is not available${found.reason ? `: ${found.reason}` : ''}`);
  }
  if (!found?.premiumClass || !found.createFee) return undefined;
  return { class: found.premiumClass, fee: parseMoney(found.createFee.amount, found.createFee.currency) };
}

async function ownName(house: House, actor: Actor, request: QuoteRequest) {
  const domain = await findDomainByName(house.db.as(actor.resellerId), actor.resellerId, plainName(request.domainName));
  if (!domain || domain.state === 'removed') throw badField('domain_name', 'there is no such domain', 'not_found');
  const { kind, years } = request;
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
