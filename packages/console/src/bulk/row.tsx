import { useEffect, useLayoutEffect } from 'preact/hooks';
import { type Quote, useQuote } from '../domains/quote.ts';
import { addYears } from '../domains/years.ts';
import { State } from '../operations/state.tsx';
import { useOperation } from '../operations/step-line.tsx';
import { Badge } from '../parts/light.tsx';
import { momentText, readMoment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { NameText } from '../parts/name-text.tsx';
import type { Item } from './run.ts';
import { words } from './words.ts';

interface Given {
  readonly item: Item;
  /** Undefined where it costs nothing. */
  readonly years: number | undefined;
  /** `null`: it cannot be had now. */
  readonly onQuote: (quote: Quote | null | undefined) => void;
  readonly onSettled: (item: Item) => void;
}

const tones = {
  ready: 'plain',
  sent: 'accent',
  open: 'accent',
  done: 'good',
  refused: 'bad',
  unknown: 'warn',
} as const;

/** An order that is there goes on by itself; what it says last is what counts. */
function Followed({
  item,
  id,
  onSettled,
}: {
  readonly item: Item;
  readonly id: string;
  readonly onSettled: (item: Item) => void;
}) {
  const w = words();
  const operation = useOperation(id).data;
  const isOver = operation?.is_final === true && item.state === 'open';
  useEffect(() => {
    if (isOver) onSettled({ ...item, state: operation.state === 'done' ? 'done' : 'refused' });
  }, [isOver]);
  return (
    <>
      {operation ? <State state={operation.state} /> : <Badge>…</Badge>}
      {operation?.is_final === false && <a href={`/app/operations/${id}`}>{w.open}</a>}
      {operation?.reasons.map((each) => (
        <p key={each} class="faint">
          {each}
        </p>
      ))}
    </>
  );
}

export function BulkRow({ item, years, onQuote, onSettled }: Given) {
  const w = words();
  const { name, state, operationId, message, expires } = item;
  const isPriced = years !== undefined && state === 'ready';
  const { quote, trouble } = useQuote(isPriced ? { kind: 'renew', domain_name: name, years } : undefined, 0);
  // Before the next click: no button offers the sum of other choices.
  useLayoutEffect(() => onQuote(trouble ? null : quote), [quote, trouble]);
  const price = quote?.total ?? item.price;
  const end = readMoment(expires);
  // What was sent was sent with its own years, whatever is chosen for the rest by now.
  const term = item.years ?? years;
  const isDated = term !== undefined && !Number.isNaN(end.getTime()) && state !== 'refused' && !trouble;
  return (
    <tr>
      <td class="title">
        <div>
          <NameText name={name} />
          {isDated && <p class="faint">{w.until(momentText(end), momentText(addYears(end, term)))}</p>}
        </div>
      </td>
      {years !== undefined && (
        <td class="number" data-title={w.price}>
          {price ? <Money {...price} /> : <span class="faint">{isPriced && !trouble ? '…' : '–'}</span>}
        </td>
      )}
      <td data-title={w.result}>
        <div>
          {operationId ? (
            <Followed item={item} id={operationId} onSettled={onSettled} />
          ) : (
            !trouble && <Badge tone={tones[state]}>{w.states[state]}</Badge>
          )}
          {(message ?? trouble?.message) && <p class="faint">{message ?? trouble?.message}</p>}
        </div>
      </td>
    </tr>
  );
}
