import type { FeeTransformAnswer } from '@namehold/epp';
import { type SandboxTld, sandboxCurrency } from '../tlds/index.ts';
import { decimal, type PricedCommand } from './price.ts';

const graceOf = { create: 'add', renew: 'renew', transfer: 'transfer', restore: undefined } as const;

/** RFC 8748 5.2: the charge and the remaining balance. */
export function feeAnswer(
  tld: SandboxTld,
  command: PricedCommand,
  years: number,
  price: bigint,
  left?: { readonly balance: bigint; readonly creditLimit: bigint },
): FeeTransformAnswer {
  return {
    currency: sandboxCurrency,
    ...(command === 'restore' ? {} : { period: { value: years, unit: 'y' } as const }),
    fees: [{ amount: decimal(price), description: command, ...refundability(tld, command) }],
    credits: [],
    ...(left === undefined ? {} : { balance: decimal(left.balance), creditLimit: decimal(left.creditLimit) }),
  };
}

export function refundability(tld: SandboxTld, command: PricedCommand) {
  const grace = graceOf[command];
  const days = grace === undefined ? 0 : tld.graceDays[grace];
  return days > 0 ? { refundable: true, gracePeriod: `P${days}D` } : { refundable: false };
}
