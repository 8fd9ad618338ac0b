import { MoneyError, parseMoney } from '@namehold/base';
import type { FeeTransform } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import { type SandboxTld, sandboxCurrency } from '../tlds/index.ts';
import { decimal, type PricedCommand, premiumOf } from './price.ts';

/** RFC 8748 5.2: a price that differs from the list must be agreed to. An agreement to another price is refused. */
export function refuseUnlessAgreed(
  tld: SandboxTld,
  label: string,
  command: PricedCommand,
  price: bigint,
  agreed: FeeTransform | undefined,
): void {
  if (agreed === undefined) {
    const premium = premiumOf(tld, label);
    if (premium !== undefined && premium.fees[command] !== tld.fees[command]) {
      refuse(2003, `${label}.${tld.tld} is ${premium.class}: the fee extension must name ${decimal(price)}`);
    }
    return;
  }
  if (agreed.currency !== undefined && agreed.currency !== sandboxCurrency) {
    refuse(2004, `fees are in ${sandboxCurrency}`);
  }
  if (sumOf(agreed) !== price) refuse(2004, `the fee is ${decimal(price)}`);
}

function sumOf(agreed: FeeTransform): bigint {
  try {
    const fees = agreed.fees.map((fee) => parseMoney(fee.amount, sandboxCurrency).amount);
    const credits = (agreed.credits ?? []).map((credit) => parseMoney(credit.amount, sandboxCurrency).amount);
    return [...fees, ...credits].reduce((sum, amount) => sum + amount, 0n);
  } catch (error) {
    if (error instanceof MoneyError) refuse(2004, error.message);
    throw error;
  }
}
