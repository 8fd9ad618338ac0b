import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Facts } from '../components/facts.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Table } from '../components/table.tsx';
import { toastError } from '../components/toast.tsx';
import { download } from '../data/download.ts';
import { useResource } from '../data/resource.ts';
import { locale } from '../messages/locale.ts';
import { currentSession, isCustomer, may } from '../session/current-session.ts';
import { Credit } from './credit.tsx';
import { messages } from './messages.ts';
import { InvoiceState } from './state.tsx';

type Invoice = Schema<'Invoice'>;

/** Issued by this account and not fully credited. */
const canCredit = ({ kind, state, customer_id, reseller_id }: Invoice) =>
  kind === 'invoice' &&
  (state === 'open' || state === 'paid') &&
  (customer_id !== null || reseller_id !== currentSession.value?.account.reseller_id);

function Document({ invoice }: { readonly invoice: Invoice }) {
  const t = messages();
  const { seller, buyer } = invoice;
  const hasCustomer = invoice.customer_id !== null && may('customers:read') && !isCustomer();
  const countries = new Intl.DisplayNames(locale.value, { type: 'region' });
  const party = ({ name, address, country_code, tax_id }: Invoice['buyer'], href?: string) => (
    <>
      {href ? <a href={href}>{name}</a> : name}
      <br />
      <span class="faint">{[...address, country_code && countries.of(country_code)].filter(Boolean).join(', ')}</span>
      {tax_id && (
        <>
          <br />
          <span class="faint">
            {t.taxId} {tax_id}
          </span>
        </>
      )}
    </>
  );
  const rows: [string, ComponentChildren][] = [
    [t.state, <InvoiceState key="s" state={invoice.state} />],
    [t.seller, party(seller)],
    [t.buyer, party(buyer, hasCustomer ? `/app/customers/${invoice.customer_id}` : undefined)],
    [t.issued, <Moment key="i" at={invoice.issued_on ?? ''} />],
    [t.due, <Moment key="d" at={invoice.due_on ?? ''} />],
    [t.net, <Money key="n" {...invoice.net} />],
    [t.tax, <Money key="t" {...invoice.tax} />],
    [t.total, <Money key="a" {...invoice.total} />],
    [t.paid, <Money key="p" {...invoice.paid} />],
    [t.creditedAmount, <Money key="c" {...invoice.credited} />],
  ];
  if (invoice.corrects_id)
    rows.push([
      t.corrects,
      <a key="o" href={`/app/invoices/${invoice.corrects_id}`}>
        {t.original}
      </a>,
    ]);
  if (invoice.reason) rows.push([t.reason, invoice.reason]);
  return (
    <Card title={t.facts}>
      <Facts rows={rows} />
    </Card>
  );
}

function Lines({ invoice }: { readonly invoice: Invoice }) {
  const t = messages();
  return (
    <Card title={t.lines}>
      <Table
        label={t.lines}
        rows={invoice.lines}
        keyOf={(row) => `${row.transaction_id} ${row.description}`}
        empty={null}
        columns={[
          {
            key: 'what',
            title: t.description,
            isTitle: true,
            cell: (row) => (
              <>
                {row.description}
                {row.domain_name && !row.description.includes(row.domain_name) && (
                  <>
                    {' '}
                    <DomainName name={row.domain_name} />
                  </>
                )}
              </>
            ),
          },
          { key: 'net', title: t.net, isNumber: true, cell: (row) => <Money {...row.net} /> },
          { key: 'rate', title: t.rate, isNumber: true, cell: (row) => (row.tax_rate ? `${row.tax_rate} %` : '–') },
          { key: 'tax', title: t.tax, isNumber: true, cell: (row) => <Money {...row.tax} /> },
          { key: 'total', title: t.total, isNumber: true, cell: (row) => <Money {...row.total} /> },
        ]}
      />
    </Card>
  );
}

/** `/invoices/{id}`: the lines of a document, the PDF, and credit notes. */
export default function InvoicePage() {
  const t = messages();
  const { params } = useRoute();
  const found = useResource('/invoices/{invoice_id}', { path: { invoice_id: params.id ?? '' } });
  const [isCrediting, setCrediting] = useState(false);
  const invoice = found.data;
  if (!invoice)
    return (
      <>
        <PageHead title={t.title} />
        {found.error ? <ErrorBanner error={found.error} onRetry={found.refetch} /> : <Skeleton rows={8} />}
      </>
    );
  const name = invoice.number ?? (invoice.state === 'void' ? t.neverIssued : undefined);
  const save = () =>
    void download(`/v1/invoices/${invoice.invoice_id}.pdf`, `${invoice.number ?? invoice.invoice_id}.pdf`).catch(
      toastError,
    );
  return (
    <>
      <PageHead
        title={name === undefined ? t.draftTitles[invoice.kind] : `${t.kinds[invoice.kind]} ${name}`}
        actions={
          <>
            {invoice.number && <Button onClick={save}>{t.pdf}</Button>}
            {canCredit(invoice) && may('billing:write') && (
              <Button onClick={() => setCrediting(true)}>{t.credit}</Button>
            )}
          </>
        }
      />
      {invoice.waits_for && (
        <p class="note warn" role="note">
          {t.draftReasons[invoice.waits_for]}
        </p>
      )}
      {invoice.unsupported_characters && (
        <p class="note warn" role="note">
          {t.unsupportedCharacters(invoice.unsupported_characters)}
        </p>
      )}
      <Document invoice={invoice} />
      <Lines invoice={invoice} />
      {isCrediting && <Credit invoice={invoice} onClose={() => setCrediting(false)} />}
    </>
  );
}
