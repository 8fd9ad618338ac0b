import { useState } from 'preact/hooks';
import { waitsFor } from '../api/call.ts';
import { sumOf } from '../buy/basket.ts';
import { words as buying } from '../buy/words.ts';
import { hostsIn } from '../domains/hosts.ts';
import type { Quote } from '../domains/quote.ts';
import { words as ofNames } from '../domains/words.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { moneyText } from '../parts/money.tsx';
import { words as common } from '../words/words.ts';
import './bulk.css';
import { BulkRow } from './row.tsx';
import type { Item, Mode, Terms, Verb } from './run.ts';
import type { useRun } from './use-run.ts';
import { words } from './words.ts';

type Typed = Omit<Terms, 'hosts'> & { readonly hosts: string };
type Prices = Readonly<Record<string, Quote | null | undefined>>;
type OnTyped = (change: Partial<Typed>) => void;

/** What is said once for all names. */
function Fields({ verb, typed, onTyped }: { readonly verb: Verb; readonly typed: Typed; readonly onTyped: OnTyped }) {
  const w = words();
  const { modes, modeText } = ofNames();
  switch (verb) {
    case 'renew':
      return (
        <SelectField
          name="years"
          label={w.years}
          value={String(typed.years)}
          choices={Array.from({ length: 10 }, (_, n) => ({ value: String(n + 1), label: w.year(n + 1) }))}
          onChoice={(years) => onTyped({ years: Number(years) })}
        />
      );
    case 'lock':
      return (
        <TextField
          name="reason"
          label={w.reason}
          isOptional
          value={typed.reason}
          onText={(reason) => onTyped({ reason })}
        />
      );
    case 'mode':
      return (
        <SelectField
          name="renewal_mode"
          label={w.mode}
          hint={modeText[typed.mode]}
          value={typed.mode}
          choices={Object.entries(modes).map(([value, label]) => ({ value, label }))}
          onChoice={(mode) => onTyped({ mode: mode as Mode })}
        />
      );
    case 'ns':
      return (
        <TextArea
          name="ns"
          label={w.hosts}
          hint={w.hostsHint}
          rows={3}
          value={typed.hosts}
          onText={(hosts) => onTyped({ hosts })}
        />
      );
    default:
      return null;
  }
}

const countOf = (items: readonly Item[], state: Item['state']) => items.filter((each) => each.state === state).length;

/** How it stands, in figures; those without an answer can be asked about, never sent anew. */
function Standing({ items, isBusy }: { readonly items: readonly Item[]; readonly isBusy: boolean }) {
  const w = words();
  const counts = (['done', 'open', 'refused', 'unknown', 'ready'] as const).flatMap((state) => {
    const n = countOf(items, state);
    return n > 0 ? [w.counts[state](n)] : [];
  });
  const isBegun = items.some((each) => each.state !== 'ready');
  if (!isBegun) return null;
  const gone = items.length - countOf(items, 'ready') - countOf(items, 'sent');
  return (
    <div class={`note ${countOf(items, 'unknown') > 0 && !isBusy ? 'warn' : ''}`} role="status">
      <div>
        {isBusy ? (
          <>
            <progress aria-label={w.list} max={items.length} value={gone} />
            <p>{w.progress(gone, items.length)}</p>
            {waitsFor.value !== undefined && <p>{buying().wait(waitsFor.value)}</p>}
          </>
        ) : (
          <strong>{counts.join(', ')}</strong>
        )}
        {countOf(items, 'unknown') > 0 && !isBusy && <p>{w.unknownText}</p>}
      </div>
    </div>
  );
}

/** Names that can go now, and the word on the button: what it does, to how many, at which price in all. */
function offerOf(verb: Verb, items: readonly Item[], prices: Prices) {
  const w = words();
  const open = items.filter((each) => each.state === 'ready');
  if (verb !== 'renew') return { n: open.length, label: w.titles[verb](open.length), isWaiting: false };
  const quotes = open.flatMap(({ name }) => prices[name] ?? []);
  const isWaiting = open.some(({ name }) => prices[name] === undefined);
  const [first] = quotes;
  const total = sumOf(quotes.map((each) => each.total.amount));
  const label =
    first && !isWaiting
      ? w.priced(w.titles.renew(quotes.length), moneyText(total, first.total.currency))
      : isWaiting
        ? w.pricing
        : w.none;
  return { n: quotes.length, label, isWaiting };
}

function Names({
  items,
  years,
  onQuote,
  onSettled,
}: {
  readonly items: readonly Item[];
  readonly years: number | undefined;
  readonly onQuote: (name: string, quote: Quote | null | undefined) => void;
  readonly onSettled: (item: Item) => void;
}) {
  const w = words();
  return (
    <div class="table-frame bulk-names">
      <table aria-label={w.list}>
        <thead>
          <tr>
            <th scope="col">{w.name}</th>
            {years !== undefined && (
              <th scope="col" class="number">
                {w.price}
              </th>
            )}
            <th scope="col">{w.result}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <BulkRow
              key={item.domainId}
              item={item}
              years={years}
              onQuote={(quote) => onQuote(item.name, quote)}
              onSettled={onSettled}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** One verb for several names: what it costs in all before the yes, then a line each. */
export function Bulk({ given, onClose }: { readonly given: ReturnType<typeof useRun>; readonly onClose: () => void }) {
  const w = words();
  const [typed, setTyped] = useState<Typed>({ years: 1, reason: '', mode: 'renew', hosts: '' });
  const [prices, setPrices] = useState<Prices>({});
  const { run, isBusy } = given;
  if (!run) return null;
  const { verb, items } = run;
  const hosts = hostsIn(typed.hosts);
  const { n, label, isWaiting } = offerOf(verb, items, prices);
  const unknown = countOf(items, 'unknown');
  const refused = countOf(items, 'refused');
  const isReady = n > 0 && !isWaiting && (verb !== 'ns' || hosts.length > 0);
  const submit = () => {
    const agreed = Object.fromEntries(
      Object.entries(prices).flatMap(([name, quote]) => (quote ? [[name, quote]] : [])),
    );
    void given.send({ ...typed, reason: typed.reason.trim(), hosts }, agreed);
  };
  return (
    <Dialog title={w.titles[verb](items.length)} size="large" onClose={isBusy ? undefined : onClose}>
      <Form onSubmit={() => isReady && !isBusy && submit()} trouble={undefined} isWide>
        {w.texts[verb] && <p>{w.texts[verb]}</p>}
        {countOf(items, 'ready') > 0 && !isBusy && (
          <Fields verb={verb} typed={typed} onTyped={(change) => setTyped((before) => ({ ...before, ...change }))} />
        )}
        <Names
          items={items}
          years={verb === 'renew' ? typed.years : undefined}
          onQuote={(name, quote) => setPrices((all) => ({ ...all, [name]: quote }))}
          onSettled={given.settle}
        />
        <Standing items={items} isBusy={isBusy} />
        <div class="actions">
          {countOf(items, 'ready') > 0 && !isBusy && (
            <Button kind={verb === 'unlock' ? 'danger' : 'primary'} type="submit" disabled={!isReady}>
              {label}
            </Button>
          )}
          {isBusy && <Button onClick={given.stop}>{w.stop}</Button>}
          {unknown > 0 && !isBusy && (
            <Button kind="primary" onClick={() => void given.ask()}>
              {w.ask}
            </Button>
          )}
          {refused > 0 && !isBusy && <Button onClick={given.again}>{w.again(refused)}</Button>}
          {!isBusy && <Button onClick={onClose}>{common().close}</Button>}
        </div>
      </Form>
    </Dialog>
  );
}
