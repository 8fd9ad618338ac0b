import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { Shape } from '../api/shapes.ts';
import { asTrouble } from '../api/trouble.ts';
import { download } from '../data/download.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { NameText } from '../parts/name-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may, who } from '../session/who.ts';
import { Credit } from './credit.tsx';
import { InvoiceState } from './state.tsx';
import { words } from './words.ts';

type Invoice = Shape<'Invoice'>;

/** Only what is issued, by this account, and not taken back whole. */
const canCredit = ({ kind, state, customer_id, reseller_id }: Invoice) =>
  kind === 'invoice' &&
  (state === 'open' || state === 'paid') &&
  (customer_id !== null || reseller_id !== who.value?.account.reseller_id);

function Document({ invoice }: { readonly invoice: Invoice }) {
  const w = words();
  const { seller, buyer } = invoice;
  const party = ({ name, address, tax_id }: Invoice['buyer']) => (
    <>
      {name}
      <br />
      <span class="faint">{address.join(', ')}</span>
      {tax_id && (
        <>
          <br />
          <span class="faint">
            {w.taxId} {tax_id}
          </span>
        </>
      )}
    </>
  );
  const rows: [string, ComponentChildren][] = [
    [w.state, <InvoiceState key="s" state={invoice.state} />],
    [w.seller, party(seller)],
    [w.buyer, party(buyer)],
    [w.issued, <Moment key="i" at={invoice.issued_on ?? ''} />],
    [w.due, <Moment key="d" at={invoice.due_on ?? ''} />],
    [w.net, <Money key="n" {...invoice.net} />],
    [w.tax, <Money key="t" {...invoice.tax} />],
    [w.total, <Money key="a" {...invoice.total} />],
    [w.paid, <Money key="p" {...invoice.paid} />],
    [w.takenBack, <Money key="c" {...invoice.credited} />],
  ];
  if (invoice.corrects_id)
    rows.push([
      w.corrects,
      <a key="o" href={`/app/invoices/${invoice.corrects_id}`}>
        {w.original}
      </a>,
    ]);
  if (invoice.reason) rows.push([w.why, invoice.reason]);
  return (
    <Card title={w.facts}>
      <Facts rows={rows} />
    </Card>
  );
}

function Lines({ invoice }: { readonly invoice: Invoice }) {
  const w = words();
  return (
    <Card title={w.lines}>
      <Table
        label={w.lines}
        rows={invoice.lines}
        keyOf={(row) => `${row.transaction_id} ${row.description}`}
        empty={null}
        columns={[
          {
            key: 'what',
            title: w.what,
            isTitle: true,
            cell: (row) => (
              <>
                {row.description}
                {row.domain_name && !row.description.includes(row.domain_name) && (
                  <>
                    {' '}
                    <NameText name={row.domain_name} />
                  </>
                )}
              </>
            ),
          },
          { key: 'net', title: w.net, isNumber: true, cell: (row) => <Money {...row.net} /> },
          { key: 'rate', title: w.rate, isNumber: true, cell: (row) => (row.tax_rate ? `${row.tax_rate} %` : '–') },
          { key: 'tax', title: w.tax, isNumber: true, cell: (row) => <Money {...row.tax} /> },
          { key: 'total', title: w.total, isNumber: true, cell: (row) => <Money {...row.total} /> },
        ]}
      />
    </Card>
  );
}

/** `/invoices/{id}`: the document with its lines, as PDF, and what takes it back. */
export default function InvoicePage() {
  const w = words();
  const { params } = useRoute();
  const found = useResource('/invoices/{invoice_id}', { path: { invoice_id: params.id ?? '' } });
  const [isCrediting, setCrediting] = useState(false);
  const invoice = found.data;
  if (!invoice)
    return (
      <>
        <PageHead title={w.title} />
        {found.trouble ? <TroubleNote trouble={found.trouble} onAgain={found.again} /> : <Waiting rows={8} />}
      </>
    );
  const name = invoice.number ?? w.draft;
  const save = () =>
    void download(`/v1/invoices/${invoice.invoice_id}.pdf`, `${invoice.number ?? invoice.invoice_id}.pdf`).catch(
      (error: unknown) => toast(asTrouble(error).message),
    );
  return (
    <>
      <PageHead
        title={`${w.kinds[invoice.kind]} ${name}`}
        actions={
          <>
            {invoice.number && <Button onClick={save}>{w.pdf}</Button>}
            {canCredit(invoice) && may('billing:write') && (
              <Button onClick={() => setCrediting(true)}>{w.credit}</Button>
            )}
          </>
        }
      />
      {invoice.waits_for && (
        <p class="note warn" role="note">
          {w.waits[invoice.waits_for]}
        </p>
      )}
      {invoice.not_on_paper && (
        <p class="note warn" role="note">
          {w.boxes(invoice.not_on_paper)}
        </p>
      )}
      <Document invoice={invoice} />
      <Lines invoice={invoice} />
      {isCrediting && <Credit invoice={invoice} onClose={() => setCrediting(false)} />}
    </>
  );
}
