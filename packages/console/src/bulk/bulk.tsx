import { useState } from 'preact/hooks';
import { retryCountdown } from '../api/call.ts';
import { sumOf } from '../buy/cart.ts';
import { messages as buying } from '../buy/messages.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { SelectField, TextArea, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { moneyText } from '../components/money.tsx';
import { hostsIn } from '../domains/hosts.ts';
import { messages as ofNames } from '../domains/messages.ts';
import type { Quote } from '../domains/quote.ts';
import { messages as common } from '../messages/common.ts';
import { isCustomer } from '../session/current-session.ts';
import './bulk.css';
import { messages } from './messages.ts';
import { BulkRow } from './row.tsx';
import type { BulkSettings, Item, Mode, Run, Verb } from './run.ts';
import type { useBulkRun } from './use-run.ts';

type Typed = Omit<BulkSettings, 'hosts'> & { readonly hosts: string };
type Prices = Readonly<Record<string, Quote | null | undefined>>;
type OnTyped = (change: Partial<Typed>) => void;

/** The inputs that apply to all domains. */
function Fields({ verb, typed, onTyped }: { readonly verb: Verb; readonly typed: Typed; readonly onTyped: OnTyped }) {
  const t = messages();
  const { modes, modeText } = ofNames();
  switch (verb) {
    case 'renew':
      return (
        <SelectField
          name="years"
          label={t.years}
          value={String(typed.years)}
          choices={Array.from({ length: 10 }, (_, n) => ({ value: String(n + 1), label: t.year(n + 1) }))}
          onChoice={(years) => onTyped({ years: Number(years) })}
        />
      );
    case 'lock':
      return (
        <TextField
          name="reason"
          label={t.reason}
          isOptional
          value={typed.reason}
          onText={(reason) => onTyped({ reason })}
        />
      );
    case 'mode':
      return (
        <SelectField
          name="renewal_mode"
          label={t.mode}
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
          label={t.hosts}
          hint={t.hostsHint}
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

/** Counts by state. Items with an unknown outcome can be checked but not sent again. */
function ProgressSummary({
  run: { verb, items, endedBy },
  prices,
  isBusy,
}: {
  readonly run: Run;
  readonly prices: Prices;
  readonly isBusy: boolean;
}) {
  const t = messages();
  const waiting = items.filter((each) => each.state === 'ready');
  const isUnpriced = verb === 'renew' && waiting.every(({ name }) => prices[name] === null);
  const why = isUnpriced ? 'unpriced' : (endedBy ?? 'closed');
  const textOf = {
    done: t.doneCounts[verb],
    ...t.counts,
    ready: (n: number) => t.notStarted(n, t.notStartedReasons[why]),
  };
  const counts = (['done', 'open', 'refused', 'unknown', 'ready'] as const).flatMap((state) => {
    const n = countOf(items, state);
    return n > 0 ? [textOf[state](n)] : [];
  });
  const isBegun = items.some((each) => each.state !== 'ready');
  if (!isBegun) return null;
  const gone = items.length - countOf(items, 'ready') - countOf(items, 'sent');
  return (
    <div class={`note ${countOf(items, 'unknown') > 0 && !isBusy ? 'warn' : ''}`} role="status">
      <div>
        {isBusy ? (
          <>
            <progress aria-label={t.list} max={items.length} value={gone} />
            <p>{t.progress(gone, items.length)}</p>
            {retryCountdown.value !== undefined && <p>{buying().wait(retryCountdown.value)}</p>}
          </>
        ) : (
          <strong>{counts.join(', ')}</strong>
        )}
        {countOf(items, 'unknown') > 0 && !isBusy && <p>{t.unknownText}</p>}
        {waiting.length > 0 && !isUnpriced && !isBusy && <p>{t.notStartedText}</p>}
      </div>
    </div>
  );
}

/** The domains that can be processed now, and the button label with the action, count and total price. */
function offerOf(verb: Verb, items: readonly Item[], prices: Prices) {
  const t = messages();
  const open = items.filter((each) => each.state === 'ready');
  if (verb !== 'renew') return { n: open.length, label: t.titles[verb](open.length), isWaiting: false };
  const quotes = open.flatMap(({ name }) => prices[name] ?? []);
  const isWaiting = open.some(({ name }) => prices[name] === undefined);
  const [first] = quotes;
  const total = sumOf(quotes.map((each) => each.total.amount));
  const label =
    first && !isWaiting
      ? t.priced(t.titles.renew(quotes.length), moneyText(total, first.total.currency))
      : isWaiting
        ? t.pricing
        : t.none;
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
  const t = messages();
  return (
    <div class="table-frame bulk-names">
      <table aria-label={t.list}>
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            {years !== undefined && (
              <th scope="col" class="number">
                {isCustomer() ? t.price : t.yourCost}
              </th>
            )}
            <th scope="col">{t.result}</th>
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

/** One action for several domains: first the total price, then one result per domain. */
export function Bulk({
  bulkRun: props,
  onClose,
}: {
  readonly bulkRun: ReturnType<typeof useBulkRun>;
  readonly onClose: () => void;
}) {
  const t = messages();
  const [typed, setTyped] = useState<Typed>({ years: 1, reason: '', mode: 'renew', hosts: '' });
  const [prices, setPrices] = useState<Prices>({});
  const { run, isBusy } = props;
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
    void props.send({ ...typed, reason: typed.reason.trim(), hosts }, agreed);
  };
  return (
    <Dialog title={t.titles[verb](items.length)} size="large" onClose={isBusy ? undefined : onClose}>
      <Form onSubmit={() => isReady && !isBusy && submit()} error={undefined} isWide>
        {t.texts[verb] && <p>{t.texts[verb]}</p>}
        {verb === 'renew' && !isCustomer() && <p>{ofNames().ownCost}</p>}
        {countOf(items, 'ready') > 0 && !isBusy && (
          <Fields verb={verb} typed={typed} onTyped={(change) => setTyped((before) => ({ ...before, ...change }))} />
        )}
        <Names
          items={items}
          years={verb === 'renew' ? typed.years : undefined}
          onQuote={(name, quote) => setPrices((all) => ({ ...all, [name]: quote }))}
          onSettled={props.settle}
        />
        <ProgressSummary run={run} prices={prices} isBusy={isBusy} />
        <div class="actions">
          {countOf(items, 'ready') > 0 && !isBusy && (
            <Button kind={verb === 'unlock' ? 'danger' : 'primary'} type="submit" disabled={!isReady}>
              {label}
            </Button>
          )}
          {isBusy && <Button onClick={props.stop}>{t.stop}</Button>}
          {unknown > 0 && !isBusy && (
            <Button kind="primary" onClick={() => void props.checkStatus()}>
              {t.checkStatus}
            </Button>
          )}
          {refused > 0 && !isBusy && <Button onClick={props.again}>{t.retryRefused(refused)}</Button>}
          {!isBusy && <Button onClick={onClose}>{common().close}</Button>}
        </div>
      </Form>
    </Dialog>
  );
}
