import { useEffect, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Inputs, Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { inTurn } from '../data/in-turn.ts';

export type Quote = Shape<'Quote'>;
type Asked = Inputs<'/quotes', 'post'>['body'];

/** Quotes hold for a quarter of an hour: they are asked for anew before that. */
export const freshMs = 13 * 60_000;

/** What somebody saw of a choice first, or said yes to since. */
export interface Agreed {
  readonly of: string;
  readonly quote: Quote;
}

/** The price that was seen, where another has taken its place: nothing is bought at the new one without a new yes. */
export const seenBefore = (agreed: Agreed | undefined, quote: Quote | undefined): Quote | undefined =>
  agreed && quote && agreed.quote.total.amount !== quote.total.amount ? agreed.quote : undefined;

/** What stays agreed to when this is said of the choice. */
export const agreedTo = (before: Agreed | undefined, of: string, quote: Quote | undefined): Agreed | undefined =>
  before?.of === of ? before : quote && { of, quote };

/** A new price for each choice and each round; never one that is too old to be bought at. `undefined`: nothing to ask yet. */
export function useQuote(
  asked: Asked | undefined,
  round: number,
): { readonly quote?: Quote; readonly trouble?: Trouble } {
  const [said, setSaid] = useState<{ of?: string; quote?: Quote; trouble?: Trouble }>({});
  const of = asked && `${round} ${JSON.stringify(asked)}`;
  useEffect(() => {
    if (!of) return undefined;
    let isGone = false;
    const ask = () =>
      inTurn(() => call('post', '/quotes', { body: asked })).then(
        ({ body }) => !isGone && setSaid({ of, quote: body }),
        (error: unknown) => !isGone && setSaid({ of, trouble: asTrouble(error) }),
      );
    void ask();
    const timer = window.setInterval(() => void ask(), freshMs);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [of]);
  // What was said of another choice is no price of this one, not even for a moment.
  return of !== undefined && said.of === of ? said : {};
}
