import { useEffect, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Inputs, Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';

export type Quote = Shape<'Quote'>;
type Asked = Inputs<'/quotes', 'post'>['body'];

/** Quotes hold for a quarter of an hour: they are asked for anew before that. */
const freshMs = 13 * 60_000;

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
      call('post', '/quotes', { body: asked }).then(
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
