import { language } from '../words/speak.ts';
import { amountIn } from './amount.ts';

/** From decimal text, never through a float; the currency always stands beside it. */
export function moneyText(amount: string, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const;
  const usual = new Intl.NumberFormat(language.value, style).resolvedOptions().maximumFractionDigits ?? 0;
  // Nothing is rounded away: rupiah are shown without cents unless there are some.
  const meant = /\.(\d*[1-9])?/.exec(amount)?.[1]?.length ?? 0;
  const format = new Intl.NumberFormat(language.value, { ...style, maximumFractionDigits: Math.max(usual, meant) });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** The sum as it was read, for the button that books it; undefined while it is none. */
export function sumOf(typed: string, currency: string): string | undefined {
  const sum = amountIn(typed);
  return /^\d{1,12}(\.\d{1,3})?$/.test(sum) ? moneyText(sum, currency) : undefined;
}

export function Money({ amount, currency }: { readonly amount: string; readonly currency: string }) {
  return <span class={`money${amount.startsWith('-') ? ' minus' : ''}`}>{moneyText(amount, currency)}</span>;
}
