import type { Shape } from '../api/shapes.ts';
import { asTrouble } from '../api/trouble.ts';
import { useAddress } from '../data/address.ts';
import { now } from '../data/clock.ts';
import { download } from '../data/download.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pager, Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { columns } from './columns.tsx';
import { words } from './words.ts';

type Invoice = Shape<'Invoice'>;

const pageSize = 25;
const day = (at: Date) => at.toISOString().slice(0, 10);
const told = (work: Promise<unknown>) => void work.catch((error: unknown) => toast(asTrouble(error).message));
const tones = { open: 'warn', paid: 'good', credited: 'plain', void: 'plain', draft: 'plain' } as const;

function Funds({ customerId }: { readonly customerId: string }) {
  const w = words();
  const funds = useResource('/customers/{customer_id}/funds', { path: { customer_id: customerId } });
  if (!funds.data) return funds.trouble ? <TroubleNote trouble={funds.trouble} onAgain={funds.again} /> : <Waiting />;
  const { balance, held } = funds.data;
  return (
    <dl class="sums">
      {(
        [
          [w.balance, balance, w.ownBalanceText],
          [w.held, held, w.heldText],
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
  const w = words();
  const list = useResource('/invoices', { query: { limit: pageSize } });
  const save = (invoice: Invoice) =>
    told(download(`/v1/invoices/${invoice.invoice_id}.pdf`, `${invoice.number ?? invoice.invoice_id}.pdf`));
  return (
    <Card title={w.invoices}>
      <Table
        label={w.invoices}
        rows={list.data}
        keyOf={(row) => row.invoice_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={<Empty title={w.noInvoices} />}
        columns={[
          { key: 'number', title: w.number, isTitle: true, cell: (row) => row.number },
          { key: 'kind', title: w.type, cell: (row) => w.invoiceKinds[row.kind] },
          {
            key: 'state',
            title: w.status,
            cell: (row) => <Badge tone={tones[row.state]}>{w.invoiceStates[row.state]}</Badge>,
          },
          { key: 'due', title: w.due, cell: (row) => <Moment at={row.due_on ?? ''} /> },
          { key: 'total', title: w.amount, isNumber: true, cell: (row) => <Money {...row.total} /> },
          {
            key: 'pdf',
            title: w.document,
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

/** A customer's own: what it has paid in, what was taken for what, and the documents that it was sent. */
export function OwnMoney({ customerId }: { readonly customerId: string }) {
  const w = words();
  const { page, go } = useAddress();
  const list = useResource('/customers/{customer_id}/transactions', {
    path: { customer_id: customerId },
    query: { limit: pageSize, page_no: page },
  });
  const saveYear = () => {
    const to = now();
    const from = new Date(to.getTime() - 365 * 86_400_000);
    const address = `/v1/customers/${customerId}/statement/csv?from=${day(from)}&to=${day(to)}`;
    told(download(address, `statement-${day(from)}_${day(to)}.csv`));
  };
  return (
    <>
      <PageHead title={w.money} lead={w.ownLead} actions={<Button onClick={saveYear}>{w.saveYear}</Button>} />
      <Funds customerId={customerId} />
      <Invoices />
      <Card title={w.transactions}>
        <Table
          label={w.transactions}
          rows={list.data}
          keyOf={(row) => row.transaction_id}
          trouble={list.trouble}
          onAgain={list.again}
          empty={<Empty title={w.none}>{w.noneText}</Empty>}
          columns={columns(w)}
        />
        <Pager page={page} size={pageSize} total={totalOf(list)} onPage={(next) => go({ page: String(next) })} />
      </Card>
    </>
  );
}
