import { locale } from '../messages/locale.ts';
import { amountIn } from './amount.ts';

/** Formats decimal text without floats, always with its currency. */
export function moneyText(amount: string, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const;
  const usual = new Intl.NumberFormat(locale.value, style).resolvedOptions().maximumFractionDigits ?? 0;
  // Shows all decimals that are not zero. Rupiah have no decimals unless needed.
  const neededDigits = /\.(\d*[1-9])?/.exec(amount)?.[1]?.length ?? 0;
  const format = new Intl.NumberFormat(locale.value, {
    ...style,
    maximumFractionDigits: Math.max(usual, neededDigits),
  });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** A sentence of the service, with its amounts ("12.39 USD") formatted as elsewhere in the console. */
export const withMoney = (sentence: string): string =>
  sentence.replace(/\b(\d+(?:\.\d+)?) ([A-Z]{3})\b/g, (_, amount: string, currency: string) =>
    moneyText(amount, currency),
  );

/** The amount typed, formatted for a button label; undefined if it cannot be read. */
export function sumOf(typed: string, currency: string): string | undefined {
  const sum = amountIn(typed);
  return /^\d{1,12}(\.\d{1,3})?$/.test(sum) ? moneyText(sum, currency) : undefined;
}

export function Money({ amount, currency }: { readonly amount: string; readonly currency: string }) {
  return <span class={`money${amount.startsWith('-') ? ' minus' : ''}`}>{moneyText(amount, currency)}</span>;
}
