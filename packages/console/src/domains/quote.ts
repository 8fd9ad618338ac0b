import { useEffect, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Inputs, Schema } from '../api/shapes.ts';
import { limitConcurrency } from '../data/concurrency.ts';

export type Quote = Schema<'Quote'>;
type QuoteRequest = Inputs<'/quotes', 'post'>['body'];

/** Quotes are valid for 15 minutes and are renewed before that. */
export const quoteLifetimeMs = 13 * 60_000;

/** The first quote shown for a choice, or the one accepted since. */
export interface AcceptedQuote {
  readonly of: string;
  readonly quote: Quote;
}

/** The accepted quote if the price changed since. The new price must be accepted first. */
export const replacedQuote = (agreed: AcceptedQuote | undefined, quote: Quote | undefined): Quote | undefined =>
  agreed && quote && agreed.quote.total.amount !== quote.total.amount ? agreed.quote : undefined;

/** The accepted quote after a new quote for the same choice. */
export const agreedTo = (
  before: AcceptedQuote | undefined,
  of: string,
  quote: Quote | undefined,
): AcceptedQuote | undefined => (before?.of === of ? before : quote && { of, quote });

/** Requests a quote for each choice and round, and renews it in time. `undefined`: no request yet. */
export function useQuote(
  request: QuoteRequest | undefined,
  round: number,
): { readonly quote?: Quote; readonly error?: ApiError } {
  const [answer, setAnswer] = useState<{ of?: string; quote?: Quote; error?: ApiError }>({});
  const of = request && `${round} ${JSON.stringify(request)}`;
  useEffect(() => {
    if (!of) return undefined;
    let isGone = false;
    const requestQuote = () =>
      limitConcurrency(() => call('post', '/quotes', { body: request })).then(
        ({ body }) => !isGone && setAnswer({ of, quote: body }),
        (cause: unknown) => !isGone && setAnswer({ of, error: asApiError(cause) }),
      );
    void requestQuote();
    const timer = window.setInterval(() => void requestQuote(), quoteLifetimeMs);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [of]);
  // Never shows the quote of another choice.
  return of !== undefined && answer.of === of ? answer : {};
}
