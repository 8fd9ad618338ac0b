import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Empty, Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { Pager, Table } from '../components/table.tsx';
import { toastError } from '../components/toast.tsx';
import { now } from '../data/clock.ts';
import { download } from '../data/download.ts';
import { usePageUrl } from '../data/page-url.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { provider } from '../session/brand.ts';
import { columns } from './columns.tsx';
import { messages } from './messages.ts';

type Invoice = Schema<'Invoice'>;

const pageSize = 25;
const day = (at: Date) => at.toISOString().slice(0, 10);
const toastOnError = (work: Promise<unknown>) => void work.catch(toastError);
const tones = { open: 'warn', paid: 'good', credited: 'plain', void: 'plain', draft: 'plain' } as const;

function Funds({ customerId }: { readonly customerId: string }) {
  const t = messages();
  const funds = useResource('/customers/{customer_id}/funds', { path: { customer_id: customerId } });
  if (!funds.data) return funds.error ? <ErrorBanner error={funds.error} onRetry={funds.refetch} /> : <Skeleton />;
  const { balance, held } = funds.data;
  return (
    <dl class="sums">
      {(
        [
          [t.balance, balance, t.ownBalanceText],
          [t.held, held, t.heldText],
        ] as const
      ).map(([title, sum, text]) => (
        <div key={title} class="card">
          <dt>{title}</dt>
          <dd>
            <Money {...sum} />
          </dd>
          <dd class="faint">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Invoices() {
  const t = messages();
  const list = useResource('/invoices', { query: { limit: pageSize } });
  const save = (invoice: Invoice) =>
    toastOnError(download(`/v1/invoices/${invoice.invoice_id}.pdf`, `${invoice.number ?? invoice.invoice_id}.pdf`));
  return (
    <Card title={t.invoices}>
      <Table
        label={t.invoices}
        rows={list.data}
        keyOf={(row) => row.invoice_id}
        error={list.error}
        onRetry={list.refetch}
        empty={<Empty title={t.noInvoices} />}
        columns={[
          { key: 'number', title: t.number, isTitle: true, cell: (row) => row.number },
          { key: 'kind', title: t.type, cell: (row) => t.invoiceKinds[row.kind] },
          {
            key: 'state',
            title: t.status,
            cell: (row) => <Badge tone={tones[row.state]}>{t.invoiceStates[row.state]}</Badge>,
          },
          { key: 'due', title: t.due, cell: (row) => <Moment at={row.due_on ?? ''} /> },
          { key: 'total', title: t.amount, isNumber: true, cell: (row) => <Money {...row.total} /> },
          {
            key: 'pdf',
            title: t.document,
            cell: (row) => (
              <Button small aria-label={`PDF ${row.number}`} onClick={() => save(row)}>
                PDF
              </Button>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** The deposits, charges and documents of a customer. */
export function CustomerMoney({ customerId }: { readonly customerId: string }) {
  const t = messages();
  const { page, go } = usePageUrl();
  const list = useResource('/customers/{customer_id}/transactions', {
    path: { customer_id: customerId },
    query: { limit: pageSize, page_no: page },
  });
  const saveYear = () => {
    const to = now();
    const from = new Date(to.getTime() - 365 * 86_400_000);
    const address = `/v1/customers/${customerId}/statement/csv?from=${day(from)}&to=${day(to)}`;
    toastOnError(download(address, `statement-${day(from)}_${day(to)}.csv`));
  };
  return (
    <>
      <PageHead title={t.ownTitle} lead={t.ownLead} actions={<Button onClick={saveYear}>{t.exportYear}</Button>} />
      <Funds customerId={customerId} />
      <p>{t.unpaidText(provider())}</p>
      <Invoices />
      <Card title={t.transactions}>
        <Table
          label={t.transactions}
          rows={list.data}
          keyOf={(row) => row.transaction_id}
          error={list.error}
          onRetry={list.refetch}
          empty={<Empty title={t.none}>{t.noneText}</Empty>}
          columns={columns(t)}
        />
        <Pager page={page} size={pageSize} total={totalOf(list)} onPage={(next) => go({ page: String(next) })} />
      </Card>
    </>
  );
}
