import type { FeeCheck, FeeCheckAnswer, FeeCheckItem, FeePrice, FeeQuery } from '@namehold/epp';
import { nameFault, readDomainName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type SandboxTld, sandboxCurrency } from '../tlds/index.ts';
import { refundability } from './fee-answer.ts';
import { decimal, feesOf, type PricedCommand, premiumOf, priceOf } from './price.ts';

const priced = new Set<string>(['create', 'renew', 'transfer', 'restore']);
const maxPeriodYears = 10;

/** RFC 8748 5.1.1: prices of commands for names, registered or not. */
export function feeCheck(
  tlds: ReadonlyMap<string, SandboxTld>,
  request: FeeCheck,
  names: readonly string[],
  /** Undefined: not registered. */
  expired: (name: string) => boolean | undefined,
): FeeCheckAnswer {
  const currency = request.currency ?? sandboxCurrency;
  if (currency !== sandboxCurrency) refuse(2004, `fees are in ${sandboxCurrency}`);
  const items = names.map((id): FeeCheckItem => {
    const fault = nameFault(tlds, id);
    if (fault !== undefined) return { id, available: false, prices: [], reason: fault };
    const { name, label, tld } = readDomainName(tlds, id);
    const prices = request.commands.map((query) => price(tld, label, query, expired(name) ?? false));
    return { id, available: true, class: premiumOf(tld, label)?.class ?? 'standard', prices };
  });
  return { currency, items };
}

function price(tld: SandboxTld, label: string, query: FeeQuery, expired: boolean): FeePrice {
  if (!priced.has(query.name)) {
    const free = query.name === 'update' || query.name === 'delete';
    return free
      ? { ...query, standard: true, fees: [{ amount: '0.00' }], credits: [] }
      : { ...query, fees: [], credits: [], reason: 'no such command here' };
  }
  if (query.phase !== undefined) return { ...query, fees: [], credits: [], reason: 'no launch phases here' };
  const command = query.name as PricedCommand;
  const years =
    query.period === undefined ? 1 : query.period.unit === 'y' ? query.period.value : query.period.value / 12;
  if (!Number.isInteger(years) || years > maxPeriodYears || (command === 'transfer' && years !== 1)) {
    return { ...query, fees: [], credits: [], reason: 'period not offered' };
  }
  const fees = [
    { amount: decimal(priceOf(tld, label, command, years)), description: command, ...refundability(tld, command) },
  ];
  // A name that expired before its restore is renewed with it.
  if (command === 'restore' && expired) {
    fees.push({ amount: decimal(feesOf(tld, label).renew), description: 'renew', refundable: false });
  }
  const standard = feesOf(tld, label)[command] === tld.fees[command];
  const period = command === 'restore' ? {} : { period: { value: years, unit: 'y' as const } };
  return { ...query, ...period, standard, fees, credits: [] };
}
