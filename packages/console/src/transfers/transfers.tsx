import { useState } from 'preact/hooks';
import type { ApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { sumOf } from '../buy/cart.ts';
import '../buy/buy.css';
import { OrderDetails, orderText, useCustomerBalance, WhoPays } from '../buy/fields.tsx';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { Empty } from '../components/empty.tsx';
import { Field, TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Moment } from '../components/moment.tsx';
import { moneyText } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Table } from '../components/table.tsx';
import type { ContactAssignment } from '../contacts/choose.tsx';
import { type Draft, useDraft } from '../data/draft.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { replacedQuote } from '../domains/quote.ts';
import { registrarText } from '../domains/registrar-text.ts';
import {
  isOrdered,
  type Line,
  mostNames,
  namesIn,
  nothingWanted,
  orderOf,
  type TransferDraft,
  type Typed,
  withNames,
} from './draft.ts';
import { label } from './label.ts';
import { type LineState, TransferLine } from './line.tsx';
import { messages } from './messages.ts';
import { placeOrder } from './place-order.ts';

type ByName<T> = Readonly<Record<string, T>>;

/** The transfers and the state of their lines. Orders are sent one by one, each with its own key. */
function useTransfers() {
  const draft = useDraft<TransferDraft>('transfers', nothingWanted);
  // Secrets: only in the memory of this page.
  const [codes, setCodes] = useState<ByName<string>>({});
  const [lineStates, setLineStates] = useState<ByName<LineState>>({});
  const [fields, setFields] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const setLineState = (name: string, change: LineState) =>
    setLineStates((all) => ({ ...all, [name]: { ...all[name], ...change } }));
  const setLine = (name: string, line: Line | undefined) =>
    draft.set((before) => ({
      ...before,
      lines: before.lines.flatMap((each) => (each.name === name ? (line ?? []) : each)),
    }));
  const setCode = (name: string, code: string) => setCodes((all) => ({ ...all, [name]: code }));
  const add = (typed: readonly Typed[]) => {
    for (const { name, code } of typed) if (code !== '') setCode(name, code);
    draft.set((before) => ({ ...before, lines: withNames(before.lines, typed) }));
  };
  /** Returns false if the next orders would fail too. */
  const send = async (line: Line): Promise<boolean> => {
    const { name, sent } = line;
    const code = codes[name]?.trim();
    if (!sent || !code) return true;
    setLineState(name, { busy: true, error: undefined });
    const outcome = await placeOrder(line, { ...sent, auth_code: code });
    setLineState(name, { busy: false });
    if (outcome.kind === 'unknown') return false;
    if (outcome.kind === 'ordered') {
      setLine(name, outcome.line);
      setCode(name, '');
      await invalidate('/domains', '/operations', '/account');
      return true;
    }
    const { error } = outcome;
    if (error.code === 'idempotency_mismatch') {
      // The order had arrived with a different code, so its key is kept.
      setCode(name, '');
      setLineState(name, { error });
      return true;
    }
    // After a refusal, the next attempt is a new order.
    setLine(name, { name, key: crypto.randomUUID() });
    setLineState(name, { error, round: (lineStates[name]?.round ?? 0) + 1 });
    const isOwn = ({ field }: { readonly field: string }) => field === 'domain_name' || field === 'auth_code';
    const isShared = error.fields.length > 0 && !error.fields.every(isOwn);
    if (isShared) setFields(error);
    return !isShared && error.status !== 402 && error.status !== 403;
  };
  const order = async () => {
    const wanted = draft.value;
    setBusy(true);
    setFields(undefined);
    try {
      for (const line of wanted.lines.filter((each) => isReady(each, lineStates, codes))) {
        const { quote } = lineStates[line.name] ?? {};
        // The user did not accept a line that changed since the click.
        if (!quote || !draft.now().lines.includes(line)) continue;
        const sent = { ...line, sent: orderOf(line, wanted, quote.quote_id) };
        setLine(line.name, sent);
        if (!(await send(sent))) break;
      }
    } finally {
      setBusy(false);
    }
  };
  return { draft, codes, setCode, lineStates, setLineState, setLine, fields, busy, add, order, send };
}

const isOpen = (line: Line) => !isOrdered(line) && !line.sent;

/** Transferable, with an accepted price and a code. */
function isReady(line: Line, lineStates: ByName<LineState>, codes: ByName<string>): boolean {
  const { quote, agreed, canCome } = lineStates[line.name] ?? {};
  const isAgreed = quote !== undefined && replacedQuote(agreed, quote) === undefined;
  return isOpen(line) && canCome === true && isAgreed && Boolean(codes[line.name]?.trim());
}

/** Why the button is disabled. */
function lackingOf(wanted: TransferDraft, lineStates: ByName<LineState>, codes: ByName<string>): string | undefined {
  const { missingInput: lacking } = messages();
  const open = wanted.lines.filter(isOpen);
  const of = (line: Line) => lineStates[line.name] ?? {};
  if (wanted.customerId === '') return lacking.customer;
  if (wanted.contacts.registrant === '') return lacking.contacts;
  if (open.some((line) => isReady(line, lineStates, codes))) return undefined;
  if (open.every((line) => of(line).canCome === false))
    return wanted.lines.some(isOrdered) ? lacking.noOther : lacking.none;
  if (open.some((line) => replacedQuote(of(line).agreed, of(line).quote))) return lacking.yes;
  return open.some((line) => of(line).quote) ? lacking.code : lacking.price;
}

/** Adds domains with codes. The field is cleared because codes must not be stored. */
function AddDomains({ onAdd }: { readonly onAdd: (typed: readonly Typed[]) => void }) {
  const t = messages();
  const [text, setText] = useState('');
  const typed = namesIn(text);
  const submit = () => {
    onAdd(typed);
    setText('');
  };
  return (
    <Form onSubmit={() => typed.length > 0 && submit()} error={undefined} isWide>
      <Field name="names" label={t.domainsAndCodes} hint={t.domainsAndCodesHint(mostNames)}>
        {(wired) => (
          <textarea
            {...wired}
            rows={3}
            autoComplete="off"
            autoCapitalize="none"
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="actions">
        <Button kind="primary" icon="plus" type="submit" disabled={typed.length === 0}>
          {t.add}
        </Button>
      </div>
    </Form>
  );
}

function RemoveOrdered({ draft }: { readonly draft: Draft<TransferDraft> }) {
  const t = messages();
  const ordered = draft.value.lines.filter(isOrdered);
  const unpaid = ordered.filter(({ isWaiting }) => isWaiting).length;
  const placed = ordered.length - unpaid;
  if (ordered.length === 0) return null;
  const removeOrdered = () =>
    draft.set((before) => ({ ...before, lines: before.lines.filter((each) => !isOrdered(each)) }));
  return (
    <div class="row" role="status">
      <span>{[placed > 0 && t.done(placed), unpaid > 0 && t.doneUnpaid(unpaid)].filter(Boolean).join(', ')}</span>
      <Button small onClick={removeOrdered}>
        {t.removeOrdered}
      </Button>
    </div>
  );
}

/** Transfers in progress. */
function UnderWay() {
  const t = messages();
  const names = useResource('/domains', { query: { status: 'Pending Transfer', limit: 25 } });
  return (
    <Card title={t.inProgress}>
      <Table
        label={t.inProgress}
        // Domains that another registrar requests have the same status.
        rows={names.data?.filter(({ transfer, state }) => transfer !== null && state === 'pending')}
        keyOf={(row) => row.domain_id}
        error={names.error}
        onRetry={names.refetch}
        empty={<p class="faint">{t.noneInProgress}</p>}
        columns={[
          {
            key: 'name',
            title: t.name,
            isTitle: true,
            cell: (row: Schema<'Domain'>) => (
              <a href={`/app/domains/${row.domain_name}`}>
                <DomainName name={row.domain_name} />
              </a>
            ),
          },
          { key: 'registrar', title: t.registrar, cell: (row) => registrarText(row.transfer?.from_registrar ?? '–') },
          { key: 'by', title: t.decided, cell: (row) => <Moment at={row.transfer?.action_at ?? ''} isBusiness /> },
          { key: 'customer', title: t.customer, cell: (row) => row.customer_name },
        ]}
      />
    </Card>
  );
}

function Total({ transfers: props }: { readonly transfers: ReturnType<typeof useTransfers> }) {
  const t = messages();
  const { draft, lineStates, codes, busy } = props;
  const ready = draft.value.lines.filter((line) => isReady(line, lineStates, codes));
  const quotes = ready.flatMap(({ name }) => lineStates[name]?.quote ?? []);
  const total = sumOf(quotes.map((each) => each.total.amount));
  const currency = quotes[0]?.total.currency ?? '';
  const { bill } = draft.value;
  const balance = useCustomerBalance(draft.value, quotes);
  const lacking = lackingOf(draft.value, lineStates, codes);
  return (
    <div class="total">
      <WhoPays quotes={quotes} bill={bill} balance={balance} />
      <div class="row">
        <Button kind="primary" type="submit" busy={busy} disabled={lacking !== undefined}>
          {quotes.length > 0
            ? orderText(bill, balance?.isLow ?? false, quotes.length, (n) => t.order(n, moneyText(total, currency)))
            : t.transfer}
        </Button>
        {lacking && !busy && <span class="faint">{lacking}</span>}
      </div>
    </div>
  );
}

/** How transfers work, and the nameservers. */
function OrderSummary({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const t = messages();
  return (
    <Card title={t.howItWorks}>
      <div class="form">
        <ul class="points">
          {t.howItWorksTexts.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <TextArea
          name="ns"
          label={t.nameservers}
          hint={t.nameserversHint}
          isOptional
          rows={3}
          value={text}
          onText={onText}
        />
      </div>
    </Card>
  );
}

export default function Transfers() {
  const t = messages();
  const props = useTransfers();
  const { draft, codes, setCode, lineStates, setLineState, setLine, fields, add, order, send } = props;
  const wanted = draft.value;
  /** The contacts may arrive after another customer was chosen. */
  const giveContacts = (customerId: string, change: (before: ContactAssignment) => ContactAssignment) =>
    draft.set((before) =>
      before.customerId === customerId ? { ...before, contacts: change(before.contacts) } : before,
    );
  if (!draft.isReady) return null;
  return (
    <>
      <PageHead
        title={label().title}
        lead={t.lead}
        actions={<CopyCurl method="get" address="/v1/domains/transfer/validity?domain_name=example.com" />}
      />
      <AddDomains onAdd={add} />
      <Card title={t.list}>
        {wanted.lines.length === 0 && <Empty title={t.empty}>{t.emptyText}</Empty>}
        <ul class="cart">
          {wanted.lines.map((line) => (
            <TransferLine
              key={line.name}
              line={line}
              code={codes[line.name] ?? ''}
              lineState={lineStates[line.name] ?? {}}
              onCode={(code) => setCode(line.name, code)}
              onLineState={(change) => setLineState(line.name, change)}
              onRemove={() => setLine(line.name, undefined)}
              onCheckStatus={() => void send(line)}
            />
          ))}
        </ul>
        <RemoveOrdered draft={draft} />
      </Card>
      {wanted.lines.some(isOpen) && (
        <Form
          onSubmit={() => void order()}
          error={fields}
          labels={{ ns: t.nameservers, customer_id: t.customer }}
          isWide
        >
          <div class="columns">
            <OrderDetails cart={wanted} onCart={draft.put} onContacts={giveContacts} />
            <OrderSummary text={wanted.nameservers} onText={(nameservers) => draft.put({ nameservers })} />
          </div>
          <Total transfers={props} />
        </Form>
      )}
      <UnderWay />
    </>
  );
}
