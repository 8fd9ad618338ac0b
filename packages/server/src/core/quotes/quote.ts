import type { Money } from '@namehold/base';
import type { PriceAction } from '../pricing/price.ts';

export const quoteKinds = ['register', 'renew', 'transfer', 'restore', 'privacy', 'trade'] as const;
export type QuoteKind = (typeof quoteKinds)[number];

export const quoteLimits = { validityMs: 15 * 60_000 };

/** The name of a line on a bill. */
const lineKinds = {
  create: 'registration',
  renew: 'renewal',
  transfer: 'transfer',
  restore: 'restore',
  privacy: 'privacy',
  trade: 'trade',
} as const satisfies Record<PriceAction, string>;
export type LineKind = (typeof lineKinds)[PriceAction];
export const lineKind = (action: PriceAction): LineKind => lineKinds[action];

export interface QuoteLine {
  readonly line: LineKind;
  readonly years: number;
  readonly amount: Money;
}

/** The registry's data on a premium domain, from its fee extension. */
export interface Premium {
  readonly class: string;
  /** For this command and all its years together. */
  readonly fee: Money;
}

export interface Quote {
  readonly id: string;
  readonly reseller_id: string;
  /** The customer whose price it is; null: the reseller's own price. */
  readonly customer_id: string | null;
  readonly kind: QuoteKind;
  readonly domain_name: string;
  readonly domain_id: string | null;
  readonly years: number;
  readonly lines: readonly QuoteLine[];
  readonly total: Money;
  readonly premium_class: string | null;
  readonly what_happens: string;
  readonly valid_until: Date;
  readonly created_at: Date;
  readonly used_by_operation: string | null;
}
