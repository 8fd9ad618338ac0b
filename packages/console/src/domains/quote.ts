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
  const [said, setSaid] = useState<{ quote?: Quote; trouble?: Trouble }>({});
  const text = asked && JSON.stringify(asked);
  useEffect(() => {
    if (!asked) return setSaid({});
    let isGone = false;
    const ask = () =>
      call('post', '/quotes', { body: asked }).then(
        ({ body }) => !isGone && setSaid({ quote: body }),
        (error: unknown) => !isGone && setSaid({ trouble: asTrouble(error) }),
      );
    setSaid({});
    void ask();
    const timer = window.setInterval(() => void ask(), freshMs);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [text, round]);
  return said;
}
