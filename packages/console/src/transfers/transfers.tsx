import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import type { Trouble } from '../api/trouble.ts';
import { sumOf } from '../buy/basket.ts';
import '../buy/buy.css';
import { ForWhom } from '../buy/fields.tsx';
import type { Assigned } from '../contacts/choose.tsx';
import { type Draft, useDraft } from '../data/draft.ts';
import { changed, useResource } from '../data/resource.ts';
import { seenBefore } from '../domains/quote.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { moneyText } from '../parts/money.tsx';
import { NameText } from '../parts/name-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { label } from './label.ts';
import { type Standing, TransferLine } from './line.tsx';
import { place } from './place.ts';
import {
  isOrdered,
  type Line,
  mostNames,
  namesIn,
  nothingWanted,
  orderOf,
  type Typed,
  type Wanted,
  withNames,
} from './wanted.ts';
import { words } from './words.ts';

type ByName<T> = Readonly<Record<string, T>>;

/** What shall come, and what is known of each line. Lines are sent one after the other, each under a key of its own. */
function useTransfers() {
  const draft = useDraft<Wanted>('transfers', nothingWanted);
  // Secrets: on this page, and nowhere else.
  const [codes, setCodes] = useState<ByName<string>>({});
  const [standings, setStandings] = useState<ByName<Standing>>({});
  const [fields, setFields] = useState<Trouble>();
  const [busy, setBusy] = useState(false);
  const stand = (name: string, change: Standing) =>
    setStandings((all) => ({ ...all, [name]: { ...all[name], ...change } }));
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
  /** False: the rest would meet the same. */
  const send = async (line: Line): Promise<boolean> => {
    const { name, sent } = line;
    const code = codes[name]?.trim();
    if (!sent || !code) return true;
    stand(name, { busy: true, trouble: undefined });
    const outcome = await place(line, { ...sent, auth_code: code });
    stand(name, { busy: false });
    if (outcome.kind === 'unknown') return false;
    if (outcome.kind === 'ordered') {
      setLine(name, outcome.line);
      setCode(name, '');
      await changed('/domains', '/operations', '/account');
      return true;
    }
    const { trouble } = outcome;
    if (trouble.code === 'idempotency_mismatch') {
      // It arrived, then: with another code than the one that was typed now. Its number is kept.
      setCode(name, '');
      stand(name, { trouble });
      return true;
    }
    // What was refused may be ordered anew: that is another order.
    setLine(name, { name, key: crypto.randomUUID() });
    stand(name, { trouble, round: (standings[name]?.round ?? 0) + 1 });
    const isOwn = ({ field }: { readonly field: string }) => field === 'domain_name' || field === 'auth_code';
    const isShared = trouble.fields.length > 0 && !trouble.fields.every(isOwn);
    if (isShared) setFields(trouble);
    return !isShared && trouble.status !== 402 && trouble.status !== 403;
  };
  const order = async () => {
    const wanted = draft.value;
    setBusy(true);
    setFields(undefined);
    try {
      for (const line of wanted.lines.filter((each) => isReady(each, standings, codes))) {
        const { quote } = standings[line.name] ?? {};
        // What was changed since the click was not agreed to.
        if (!quote || !draft.now().lines.includes(line)) continue;
        const sent = { ...line, sent: orderOf(line, wanted, quote.quote_id) };
        setLine(line.name, sent);
        if (!(await send(sent))) break;
      }
    } finally {
      setBusy(false);
    }
  };
  return { draft, codes, setCode, standings, stand, setLine, fields, busy, add, order, send };
}

const isOpen = (line: Line) => !isOrdered(line) && !line.sent;

/** It can come, its price is known and agreed to, and its code is typed. */
function isReady(line: Line, standings: ByName<Standing>, codes: ByName<string>): boolean {
  const { quote, agreed, canCome } = standings[line.name] ?? {};
  const isAgreed = quote !== undefined && seenBefore(agreed, quote) === undefined;
  return isOpen(line) && canCome === true && isAgreed && Boolean(codes[line.name]?.trim());
}

/** Why the button cannot be pressed. */
function lackingOf(wanted: Wanted, standings: ByName<Standing>, codes: ByName<string>): string | undefined {
  const { lacking } = words();
  const open = wanted.lines.filter(isOpen);
  const of = (line: Line) => standings[line.name] ?? {};
  if (wanted.customerId === '') return lacking.customer;
  if (wanted.contacts.registrant === '') return lacking.contacts;
  if (open.some((line) => isReady(line, standings, codes))) return undefined;
  if (open.every((line) => of(line).canCome === false)) return lacking.none;
  if (open.some((line) => seenBefore(of(line).agreed, of(line).quote))) return lacking.yes;
  return open.some((line) => of(line).quote) ? lacking.code : lacking.price;
}

/** Names with their codes; read, they leave the field, for it is not to be kept. */
function Adding({ onAdd }: { readonly onAdd: (typed: readonly Typed[]) => void }) {
  const w = words();
  const [text, setText] = useState('');
  const typed = namesIn(text);
  const submit = () => {
    onAdd(typed);
    setText('');
  };
  return (
    <Form onSubmit={() => typed.length > 0 && submit()} trouble={undefined} isWide>
      <Field name="names" label={w.which} hint={w.whichHint(mostNames)}>
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
          {w.add}
        </Button>
      </div>
    </Form>
  );
}

function Tidy({ draft }: { readonly draft: Draft<Wanted> }) {
  const w = words();
  const ordered = draft.value.lines.filter(isOrdered).length;
  if (ordered === 0) return null;
  const tidy = () => draft.set((before) => ({ ...before, lines: before.lines.filter((each) => !isOrdered(each)) }));
  return (
    <div class="row" role="status">
      <span>{w.done(ordered)}</span>
      <Button small onClick={tidy}>
        {w.tidy}
      </Button>
    </div>
  );
}

/** What is on its way already, whoever ordered it. */
function UnderWay() {
  const w = words();
  const names = useResource('/domains', { query: { status: 'Pending Transfer', limit: 25 } });
  return (
    <Card title={w.underWay}>
      <Table
        label={w.underWay}
        // Names that another registrar asks for have the same status.
        rows={names.data?.filter(({ transfer, state }) => transfer !== null && state === 'pending')}
        keyOf={(row) => row.domain_id}
        trouble={names.trouble}
        onAgain={names.again}
        empty={<p class="faint">{w.noneUnderWay}</p>}
        columns={[
          {
            key: 'name',
            title: w.name,
            isTitle: true,
            cell: (row: Shape<'Domain'>) => (
              <a href={`/app/domains/${row.domain_name}`}>
                <NameText name={row.domain_name} />
              </a>
            ),
          },
          { key: 'registrar', title: w.registrar, cell: (row) => row.transfer?.from_registrar ?? '–' },
          { key: 'by', title: w.decided, cell: (row) => <Moment at={row.transfer?.action_at ?? ''} isBusiness /> },
          { key: 'customer', title: w.customer, cell: (row) => row.customer_name },
        ]}
      />
    </Card>
  );
}

function Total({ given }: { readonly given: ReturnType<typeof useTransfers> }) {
  const w = words();
  const { draft, standings, codes, busy } = given;
  const ready = draft.value.lines.filter((line) => isReady(line, standings, codes));
  const quotes = ready.flatMap(({ name }) => standings[name]?.quote ?? []);
  const total = sumOf(quotes.map((each) => each.total.amount));
  const lacking = lackingOf(draft.value, standings, codes);
  return (
    <div class="row">
      <Button kind="primary" type="submit" busy={busy} disabled={lacking !== undefined}>
        {quotes[0] ? w.order(quotes.length, moneyText(total, quotes[0].total.currency)) : w.bare}
      </Button>
      {lacking && !busy && <span class="faint">{lacking}</span>}
    </div>
  );
}

/** What the other side may do, and what becomes of nameservers. */
function WhatHappens({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const w = words();
  return (
    <Card title={w.what}>
      <div class="form">
        <ul class="points">
          {w.explained.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <TextArea
          name="ns"
          label={w.nameservers}
          hint={w.nameserversHint}
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
  const w = words();
  const given = useTransfers();
  const { draft, codes, setCode, standings, stand, setLine, fields, add, order, send } = given;
  const wanted = draft.value;
  /** They may arrive when another customer is chosen already. */
  const giveContacts = (customerId: string, change: (before: Assigned) => Assigned) =>
    draft.set((before) =>
      before.customerId === customerId ? { ...before, contacts: change(before.contacts) } : before,
    );
  if (!draft.isReady) return null;
  return (
    <>
      <PageHead
        title={label().title}
        lead={w.lead}
        actions={<CopyCurl method="get" address="/v1/domains/transfer/validity?domain_name=example.com" />}
      />
      <Adding onAdd={add} />
      <Card title={w.list}>
        {wanted.lines.length === 0 && <Empty title={w.empty}>{w.emptyText}</Empty>}
        <ul class="basket">
          {wanted.lines.map((line) => (
            <TransferLine
              key={line.name}
              line={line}
              code={codes[line.name] ?? ''}
              standing={standings[line.name] ?? {}}
              onCode={(code) => setCode(line.name, code)}
              onStanding={(change) => stand(line.name, change)}
              onRemove={() => setLine(line.name, undefined)}
              onAsk={() => void send(line)}
            />
          ))}
        </ul>
        <Tidy draft={draft} />
      </Card>
      {wanted.lines.some(isOpen) && (
        <Form
          onSubmit={() => void order()}
          trouble={fields}
          labels={{ ns: w.nameservers, customer_id: w.customer }}
          isWide
        >
          <div class="columns">
            <ForWhom basket={wanted} onBasket={draft.put} onContacts={giveContacts} />
            <WhatHappens text={wanted.nameservers} onText={(nameservers) => draft.put({ nameservers })} />
          </div>
          <Total given={given} />
        </Form>
      )}
      <UnderWay />
    </>
  );
}
