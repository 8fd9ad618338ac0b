import { useState } from 'preact/hooks';
import { waitsFor } from '../api/call.ts';
import type { Trouble } from '../api/trouble.ts';
import type { Assigned } from '../contacts/choose.tsx';
import { type Draft, oneWindow, useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { seenBefore } from '../domains/quote.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Form } from '../parts/form.tsx';
import { moneyText } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { toast } from '../parts/toast.tsx';
import { type Basket, basketName, firstBasket, isOrdered, type Line, newLine, orderOf, sumOf } from './basket.ts';
import './buy.css';
import { Beginning, ForWhom } from './fields.tsx';
import { label } from './label.ts';
import { BasketLine, type Standing } from './line.tsx';
import { place, setMode } from './place.ts';
import { Search } from './search.tsx';
import { words } from './words.ts';

type Standings = Readonly<Record<string, Standing>>;

/** Work that is done when no other window of this person is at it. */
function useTurn() {
  const [busy, setBusy] = useState(false);
  const work = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await oneWindow(basketName, act);
    } finally {
      setBusy(false);
    }
  };
  return { busy, work };
}

/** The basket and what is known of each line. Lines are sent one after the other, each under a key of its own, by one window at a time. */
function useBasket() {
  const w = words();
  const draft = useDraft<Basket>(basketName, firstBasket());
  const [standings, setStandings] = useState<Standings>({});
  const [fields, setFields] = useState<Trouble>();
  const { busy, work } = useTurn();
  const stand = (name: string, change: Standing) =>
    setStandings((all) => ({ ...all, [name]: { ...all[name], ...change } }));
  const setLine = (name: string, line: Line | undefined) =>
    draft.set((before) => ({
      ...before,
      lines: before.lines.flatMap((each) => (each.name === name ? (line ?? []) : each)),
    }));
  /** False: the rest would meet the same. */
  const send = async (line: Line, mode: Basket['mode']): Promise<boolean> => {
    const { name, sent } = line;
    if (!sent) return true;
    stand(name, { busy: true, isOwn: true, trouble: undefined });
    const outcome = await place(line, sent);
    stand(name, { busy: false });
    if (outcome.kind === 'ordered') {
      setLine(name, outcome.line);
      await changed('/domains', '/operations', '/account');
      const { domainId } = outcome.line;
      if (mode !== '' && domainId && !(await setMode(domainId, mode))) toast(w.modeFailed);
      return true;
    }
    if (outcome.kind === 'unknown') return false;
    const { trouble } = outcome;
    // What was refused may be ordered anew: that is another order.
    const { sent: _, ...wanted } = line;
    setLine(name, { ...wanted, key: crypto.randomUUID() });
    stand(name, { trouble, round: (standings[name]?.round ?? 0) + 1 });
    const isShared = trouble.fields.length > 0 && trouble.fields.every(({ field }) => field !== 'domain_name');
    if (isShared) setFields(trouble);
    return !isShared && trouble.status !== 402 && trouble.status !== 403;
  };
  const order = async () => {
    const basket = draft.value;
    setFields(undefined);
    for (const line of basket.lines.filter((each) => !isOrdered(each) && !each.sent)) {
      const { quote, agreed, hasPrivacy } = standings[line.name] ?? {};
      await draft.agree();
      // What was changed since the click, here or in another window, was not agreed to; nor was a price that nobody said yes to.
      if (!quote || seenBefore(agreed, quote) || !draft.now().lines.includes(line)) continue;
      const sent = orderOf(line, basket, quote.quote_id, basket.withPrivacy && hasPrivacy === true);
      setLine(line.name, { ...line, sent });
      // It goes only when every window can know of it: should this one be closed, another asks what became of it.
      await draft.agree();
      if (!(await send({ ...line, sent }, basket.mode))) break;
    }
  };
  const ask = async ({ name }: Line) => {
    await draft.agree();
    const line = draft.now().lines.find((each) => each.name === name);
    if (line && !isOrdered(line)) await send(line, draft.now().mode);
  };
  return {
    draft,
    standings,
    stand,
    setLine,
    fields,
    busy,
    order: () => work(order),
    ask: (line: Line) => work(() => ask(line)),
  };
}

/** Everything that can be ordered now, at the price that is shown. */
function Total({
  basket,
  standings,
  busy,
}: {
  readonly basket: Basket;
  readonly standings: Standings;
  readonly busy: boolean;
}) {
  const w = words();
  const open = basket.lines.filter((line) => !isOrdered(line) && !line.sent);
  const isChanged = (each: Standing | undefined) => seenBefore(each?.agreed, each?.quote) !== undefined;
  const quotes = open.map(({ name }) => standings[name]).filter((each) => each?.quote && !isChanged(each));
  const currency = quotes[0]?.quote?.total.currency ?? '';
  const total = sumOf(quotes.map((each) => each?.quote?.total.amount ?? '0'));
  const lacking =
    basket.customerId === ''
      ? w.lacking.customer
      : basket.contacts.registrant === ''
        ? w.lacking.contacts
        : quotes.length > 0
          ? undefined
          : open.some(({ name }) => isChanged(standings[name]))
            ? w.lacking.yes
            : w.lacking.price;
  return (
    <div class="total">
      {waitsFor.value !== undefined && (
        <p class="note warn" role="status">
          {w.wait(waitsFor.value)}
        </p>
      )}
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={lacking !== undefined}>
          {quotes.length > 0 ? w.order(quotes.length, moneyText(total, currency)) : w.register}
        </Button>
        {lacking && !busy && <span class="faint">{lacking}</span>}
      </div>
    </div>
  );
}

function Tidy({ draft }: { readonly draft: Draft<Basket> }) {
  const w = words();
  const { lines } = draft.value;
  const ordered = lines.filter(isOrdered).length;
  if (ordered === 0) return null;
  const tidy = () =>
    ordered === lines.length
      ? draft.clear()
      : draft.set((before) => ({ ...before, lines: before.lines.filter((each) => !isOrdered(each)) }));
  return (
    <div class="row" role="status">
      <span>{w.done(ordered)}</span>
      <Button small onClick={tidy}>
        {w.tidy}
      </Button>
    </div>
  );
}

export default function NewName() {
  const w = words();
  const { draft, standings, stand, setLine, fields, busy, order, ask } = useBasket();
  const basket = draft.value;
  const { lines } = basket;
  const toggle = (name: string) => {
    const line = newLine(name);
    draft.set((before) => ({
      ...before,
      lines: before.lines.some((each) => each.name === name)
        ? before.lines.filter((each) => each.name !== name || each.sent || isOrdered(each))
        : [...before.lines, line],
    }));
  };
  /** They may arrive when another customer is chosen already. */
  const giveContacts = (customerId: string, change: (before: Assigned) => Assigned) =>
    draft.set((before) =>
      before.customerId === customerId ? { ...before, contacts: change(before.contacts) } : before,
    );
  if (!draft.isReady) return null;
  const isOpen = lines.some((line) => !isOrdered(line) && !line.sent);
  const withoutPrivacy = lines.map(({ name }) => name).filter((name) => standings[name]?.hasPrivacy === false);
  return (
    <>
      <PageHead
        title={label().title}
        lead={w.lead}
        actions={<CopyCurl method="get" address="/v1/domains/availability?domain=example.com" />}
      />
      <Search
        text={basket.text}
        onText={(text) => draft.put({ text })}
        chosen={new Set(lines.map(({ name }) => name))}
        onChoose={toggle}
      />
      <Card title={w.basket}>
        {lines.length === 0 && <Empty title={w.empty}>{w.emptyText}</Empty>}
        <ul class="basket">
          {lines.map((line) => (
            <BasketLine
              key={line.name}
              line={line}
              basket={basket}
              standing={standings[line.name] ?? {}}
              onStanding={(change) => stand(line.name, change)}
              onLine={(next) => setLine(line.name, next)}
              onAsk={() => void ask(line)}
            />
          ))}
        </ul>
        <Tidy draft={draft} />
      </Card>
      {/* It stays while it is sent: a refusal finds the same fields and the same button. */}
      {(isOpen || busy) && (
        <Form
          onSubmit={() => void order()}
          trouble={fields}
          labels={{ ns: w.nameservers, customer_id: w.customer, registrant_contact_id: w.registrant }}
          isWide
        >
          <div class="columns">
            <ForWhom basket={basket} onBasket={draft.put} onContacts={giveContacts} />
            <Beginning basket={basket} onBasket={draft.put} withoutPrivacy={withoutPrivacy} />
          </div>
          <Total basket={basket} standings={standings} busy={busy} />
        </Form>
      )}
    </>
  );
}
