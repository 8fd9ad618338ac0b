import { useState } from 'preact/hooks';
import { retryCountdown } from '../api/call.ts';
import type { ApiError } from '../api/error.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { Form } from '../components/form.tsx';
import { moneyText } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { toast } from '../components/toast.tsx';
import type { ContactAssignment } from '../contacts/choose.tsx';
import { type Draft, useDraft, withDraftLock } from '../data/draft.ts';
import { invalidate } from '../data/resource.ts';
import { replacedQuote } from '../domains/quote.ts';
import { type Cart, cartName, firstCart, isOrdered, type Line, newLine, orderOf, sumOf } from './cart.ts';
import './buy.css';
import { DomainSettings, OrderDetails, orderText, useCustomerBalance, WhoPays } from './fields.tsx';
import { label } from './label.ts';
import { CartLine, type LineState } from './line.tsx';
import { messages } from './messages.ts';
import { placeOrder, setMode } from './place-order.ts';
import { Search } from './search.tsx';

/** Fields of one domain, which the order details do not have. */
const lineFields = /^(domain_name|years|allocation_token|idn_table|claims_\w+|signed_mark)$/;

type LineStates = Readonly<Record<string, LineState>>;

/** Runs work while no other window of this user does. */
function useExclusiveRun() {
  const [busy, setBusy] = useState(false);
  const work = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await withDraftLock(cartName, act);
    } finally {
      setBusy(false);
    }
  };
  return { busy, work };
}

/** The cart and the state of its lines. Orders are sent one by one, each with its own key, by one window at a time. */
function useCart() {
  const t = messages();
  const draft = useDraft<Cart>(cartName, firstCart());
  const [lineStates, setLineStates] = useState<LineStates>({});
  const [fields, setFields] = useState<ApiError>();
  const { busy, work } = useExclusiveRun();
  const setLineState = (name: string, change: LineState) =>
    setLineStates((all) => ({ ...all, [name]: { ...all[name], ...change } }));
  const setLine = (name: string, line: Line | undefined) =>
    draft.set((before) => ({
      ...before,
      lines: before.lines.flatMap((each) => (each.name === name ? (line ?? []) : each)),
    }));
  /** Returns false if the next orders would fail too. */
  const send = async (line: Line, mode: Cart['mode']): Promise<boolean> => {
    const { name, sent } = line;
    if (!sent) return true;
    setLineState(name, { busy: true, isOwn: true, error: undefined });
    const outcome = await placeOrder(line, sent);
    setLineState(name, { busy: false });
    if (outcome.kind === 'ordered') {
      setLine(name, outcome.line);
      await invalidate('/domains', '/operations', '/account');
      const { domainId } = outcome.line;
      if (mode !== '' && domainId && !(await setMode(domainId, mode))) toast(t.modeFailed);
      return true;
    }
    if (outcome.kind === 'unknown') return false;
    const { error } = outcome;
    // After a refusal, the next attempt is a new order.
    const { sent: _, ...wanted } = line;
    setLine(name, { ...wanted, key: crypto.randomUUID() });
    // An error of a shared field is shown at the field only.
    const isShared = error.fields.length > 0 && !error.fields.some(({ field }) => lineFields.test(field));
    setLineState(name, { error: isShared ? undefined : error, round: (lineStates[name]?.round ?? 0) + 1 });
    if (isShared) setFields(error);
    return !isShared && error.status !== 402 && error.status !== 403;
  };
  const order = async () => {
    const cart = draft.value;
    setFields(undefined);
    for (const line of cart.lines.filter((each) => !isOrdered(each) && !each.sent)) {
      const { quote, agreed, hasPrivacy } = lineStates[line.name] ?? {};
      await draft.agree();
      // The user accepted neither a line that changed since the click nor a changed price.
      if (!quote || replacedQuote(agreed, quote) || !draft.now().lines.includes(line)) continue;
      const sent = orderOf(line, cart, quote.quote_id, cart.withPrivacy && hasPrivacy === true);
      setLine(line.name, { ...line, sent });
      // The order is stored before it is sent, so that another window can check its status if this one closes.
      await draft.agree();
      if (!(await send({ ...line, sent }, cart.mode))) break;
    }
  };
  const checkStatus = async ({ name }: Line) => {
    await draft.agree();
    const line = draft.now().lines.find((each) => each.name === name);
    if (line && !isOrdered(line)) await send(line, draft.now().mode);
  };
  return {
    draft,
    lineStates,
    setLineState,
    setLine,
    fields,
    clearFields: () => setFields(undefined),
    busy,
    order: () => work(order),
    checkAgain: (line: Line) => work(() => checkStatus(line)),
  };
}

/** The order button for all lines that are ready, with the total price. */
function Total({
  cart,
  lineStates,
  busy,
}: {
  readonly cart: Cart;
  readonly lineStates: LineStates;
  readonly busy: boolean;
}) {
  const t = messages();
  const open = cart.lines.filter((line) => !isOrdered(line) && !line.sent);
  const isChanged = (each: LineState | undefined) => replacedQuote(each?.agreed, each?.quote) !== undefined;
  const accepted = open.map(({ name }) => lineStates[name]).filter((each) => !isChanged(each));
  const quotes = accepted.flatMap((each) => each?.quote ?? []);
  const currency = quotes[0]?.total.currency ?? '';
  const total = sumOf(quotes.map((each) => each.total.amount));
  const balance = useCustomerBalance(cart, quotes);
  const lacking =
    cart.customerId === ''
      ? t.missingInput.customer
      : cart.contacts.registrant === ''
        ? t.missingInput.contacts
        : quotes.length > 0
          ? undefined
          : open.some(({ name }) => isChanged(lineStates[name]))
            ? t.missingInput.yes
            : t.missingInput.price;
  return (
    <div class="total">
      {retryCountdown.value !== undefined && (
        <p class="note warn" role="status">
          {t.wait(retryCountdown.value)}
        </p>
      )}
      <WhoPays quotes={quotes} bill={cart.bill} balance={balance} />
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={lacking !== undefined}>
          {quotes.length > 0
            ? orderText(cart.bill, balance?.isLow ?? false, quotes.length, (n) =>
                t.order(n, moneyText(total, currency)),
              )
            : t.register}
        </Button>
        {lacking && !busy && <span class="faint">{lacking}</span>}
      </div>
    </div>
  );
}

/** Empties the list of ordered domains. After the last order, the inputs are cleared too. */
function ClearOrdered({ draft }: { readonly draft: Draft<Cart> }) {
  const { lines } = draft.value;
  const clear = () =>
    lines.every(isOrdered)
      ? draft.clear()
      : draft.set((before) => ({ ...before, lines: before.lines.filter((each) => !isOrdered(each)) }));
  return (
    <Button small onClick={clear}>
      {messages().removeOrdered}
    </Button>
  );
}

/** The lines that were ordered, and those to order. */
function Lines({
  cart: { draft, lineStates, setLineState, setLine, checkAgain },
}: {
  readonly cart: ReturnType<typeof useCart>;
}) {
  const t = messages();
  const cart = draft.value;
  const ordered = cart.lines.filter(isOrdered);
  const unordered = cart.lines.filter((line) => !isOrdered(line));
  const unpaid = ordered.filter(({ isWaiting }) => isWaiting).length;
  const placed = ordered.length - unpaid;
  const lineOf = (line: Line) => (
    <CartLine
      key={line.name}
      line={line}
      cart={cart}
      lineState={lineStates[line.name] ?? {}}
      onLineState={(change) => setLineState(line.name, change)}
      onLine={(next) => setLine(line.name, next)}
      onCheckStatus={() => void checkAgain(line)}
    />
  );
  return (
    <>
      {ordered.length > 0 && (
        <Card title={t.ordered} actions={<ClearOrdered draft={draft} />}>
          <p role="status">
            {[placed > 0 && t.done(placed), unpaid > 0 && t.doneUnpaid(unpaid)].filter(Boolean).join(', ')}
          </p>
          <ul class="cart">{ordered.map(lineOf)}</ul>
        </Card>
      )}
      <div id="cart">
        <Card title={t.cart}>
          {unordered.length === 0 && <Empty title={t.empty}>{t.emptyText}</Empty>}
          <ul class="cart">{unordered.map(lineOf)}</ul>
        </Card>
      </div>
    </>
  );
}

export default function RegisterDomain() {
  const t = messages();
  const props = useCart();
  const { draft, lineStates, fields, clearFields, busy, order } = props;
  const cart = draft.value;
  const { lines } = cart;
  const toggle = (name: string) => {
    const line = newLine(name);
    draft.set((before) => ({
      ...before,
      lines: before.lines.some((each) => each.name === name)
        ? before.lines.filter((each) => each.name !== name || each.sent || isOrdered(each))
        : [...before.lines, line],
    }));
  };
  /** The contacts may arrive after another customer was chosen. */
  const giveContacts = (customerId: string, change: (before: ContactAssignment) => ContactAssignment) =>
    draft.set((before) =>
      before.customerId === customerId ? { ...before, contacts: change(before.contacts) } : before,
    );
  if (!draft.isReady) return null;
  const isOpen = lines.some((line) => !isOrdered(line) && !line.sent);
  const [ordered, unordered] = [lines.filter(isOrdered), lines.filter((line) => !isOrdered(line))];
  /** The errors were about the former inputs. */
  const change = (changes: Partial<Cart>) => {
    clearFields();
    draft.put(changes);
  };
  const withoutPrivacy = lines.map(({ name }) => name).filter((name) => lineStates[name]?.hasPrivacy === false);
  return (
    <>
      <PageHead
        title={label().title}
        lead={t.lead}
        actions={<CopyCurl method="get" address="/v1/domains/availability?domain=example.com" />}
      />
      <Search
        text={cart.text}
        onText={(text) => draft.put({ text })}
        chosen={new Set(unordered.map(({ name }) => name))}
        ordered={new Map(ordered.map(({ name, isWaiting }) => [name, isWaiting ? t.unpaidOrder : t.ordered]))}
        onChoose={toggle}
        onShowCart={() => document.getElementById('cart')?.scrollIntoView()}
      />
      <Lines cart={props} />
      {/* It stays while it is sent: a refusal finds the same fields and the same button. */}
      {(isOpen || busy) && (
        <Form
          onSubmit={() => void order()}
          error={fields}
          labels={{ ns: t.nameservers, customer_id: t.customer, registrant_contact_id: t.registrant }}
          isWide
        >
          <div class="columns">
            <OrderDetails cart={cart} onCart={change} onContacts={giveContacts} />
            <DomainSettings cart={cart} onCart={change} withoutPrivacy={withoutPrivacy} />
          </div>
          <Total cart={cart} lineStates={lineStates} busy={busy} />
        </Form>
      )}
    </>
  );
}
