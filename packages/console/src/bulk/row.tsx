import { useEffect, useLayoutEffect } from 'preact/hooks';
import { DomainName } from '../components/domain-name.tsx';
import { errorLine } from '../components/error-text.ts';
import { momentText, readMoment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { Badge } from '../components/status-icon.tsx';
import { type Quote, useQuote } from '../domains/quote.ts';
import { addYears } from '../domains/years.ts';
import { refusalText } from '../messages/refusal.ts';
import { State } from '../operations/state.tsx';
import { useOperation } from '../operations/step-line.tsx';
import { isCustomer } from '../session/current-session.ts';
import { messages } from './messages.ts';
import type { Item } from './run.ts';

interface Props {
  readonly item: Item;
  /** Undefined if the action is free of charge. */
  readonly years: number | undefined;
  /** `null`: no quote is available. */
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

/** An item whose operation is in progress. The latest state of the operation counts. */
function OpenItem({
  item,
  id,
  onSettled,
}: {
  readonly item: Item;
  readonly id: string;
  readonly onSettled: (item: Item) => void;
}) {
  const t = messages();
  const operation = useOperation(id).data;
  const isOver = operation?.is_final === true && item.state === 'open';
  useEffect(() => {
    if (isOver) onSettled({ ...item, state: operation.state === 'done' ? 'done' : 'refused' });
  }, [isOver]);
  return (
    <>
      {operation ? <State of={operation} /> : <Badge>…</Badge>}
      {operation?.is_final === false && <a href={`/app/operations/${id}`}>{t.open}</a>}
      {operation?.reasons.map((each) => (
        <p key={each} class="faint">
          {each}
        </p>
      ))}
    </>
  );
}

export function BulkRow({ item, years, onQuote, onSettled }: Props) {
  const t = messages();
  const { name, state, operationId, message, expires } = item;
  const isPriced = years !== undefined && state === 'ready';
  const { quote, error } = useQuote(isPriced ? { kind: 'renew', domain_name: name, years } : undefined, 0);
  // Runs before the next click, so that no button shows an outdated total.
  useLayoutEffect(() => onQuote(error ? null : quote), [quote, error]);
  const price = quote?.total ?? item.price;
  const end = readMoment(expires);
  // A sent item keeps its own term, even if the common term changed since.
  const term = item.years ?? years;
  const isDated = term !== undefined && !Number.isNaN(end.getTime()) && state !== 'refused' && !error;
  const shownMessage = message?.split('\n').map(refusalText).join(' ') ?? (error && errorLine(error));
  return (
    <tr>
      <td class="title">
        <div>
          <DomainName name={name} />
          {isDated && <p class="faint">{t.until(momentText(end), momentText(addYears(end, term)))}</p>}
        </div>
      </td>
      {years !== undefined && (
        <td class="number" data-title={isCustomer() ? t.price : t.yourCost}>
          {price ? <Money {...price} /> : <span class="faint">{isPriced && !error ? '…' : '–'}</span>}
        </td>
      )}
      <td data-title={t.result}>
        <div>
          {operationId ? (
            <OpenItem item={item} id={operationId} onSettled={onSettled} />
          ) : (
            !error && <Badge tone={tones[state]}>{t.states[state]}</Badge>
          )}
          {shownMessage && <p class="faint">{shownMessage}</p>}
        </div>
      </td>
    </tr>
  );
}
