import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { isMoreOf, totalOf, useResource } from '../data/resource.ts';
import { ButtonLink } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { InvoiceState } from './state.tsx';
import { words } from './words.ts';

type Invoice = Shape<'Invoice'>;

const pageSize = 25;
const states = ['draft', 'open', 'paid', 'void', 'credited'] as const;

function columns(w: ReturnType<typeof words>, isReceived: boolean): readonly Column<Invoice>[] {
  return [
    {
      key: 'number',
      title: w.number,
      isTitle: true,
      cell: (row) => <a href={`/app/invoices/${row.invoice_id}`}>{row.number ?? w.draft}</a>,
    },
    { key: 'kind', title: w.kind, cell: (row) => w.kinds[row.kind] },
    {
      key: 'party',
      title: isReceived ? w.seller : w.buyer,
      cell: (row) => (isReceived ? row.seller : row.buyer).name,
    },
    { key: 'state', title: w.state, cell: (row) => <InvoiceState state={row.state} /> },
    { key: 'issued', title: w.issued, cell: (row) => <Moment at={row.issued_on ?? ''} /> },
    { key: 'due', title: w.due, cell: (row) => <Moment at={row.due_on ?? ''} /> },
    { key: 'total', title: w.total, isNumber: true, cell: (row) => <Money {...row.total} /> },
  ];
}

export default function InvoiceList() {
  const w = words();
  const { query, page, go } = useAddress();
  const state = states.find((each) => each === query.state);
  const isReceived = query.whose === 'received';
  const list = useResource('/invoices', {
    query: { limit: pageSize, page_no: page, state, received: isReceived || undefined },
  });
  return (
    <>
      <PageHead
        title={w.title}
        lead={w.lead}
        actions={<CopyCurl method="get" address={`/v1/invoices?limit=${pageSize}`} />}
      />
      <search class="row">
        <select
          class="filter"
          aria-label={w.whose}
          value={isReceived ? 'received' : ''}
          onChange={(event) => go({ whose: event.currentTarget.value })}
        >
          <option value="">{w.sent}</option>
          <option value="received">{w.received}</option>
        </select>
        <select
          class="filter"
          aria-label={w.state}
          value={state ?? ''}
          onChange={(event) => go({ state: event.currentTarget.value })}
        >
          <option value="">{w.anyState}</option>
          {states.map((each) => (
            <option key={each} value={each}>
              {w.states[each]}
            </option>
          ))}
        </select>
      </search>
      <Table
        label={w.title}
        rows={list.data}
        keyOf={(row) => row.invoice_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={
          state || isReceived ? (
            <Empty title={w.noneFound} action={<ButtonLink href="/app/invoices">{w.clear}</ButtonLink>} />
          ) : (
            <Empty title={w.none}>{w.noneText}</Empty>
          )
        }
        columns={columns(w, isReceived)}
      />
      <Pager
        page={page}
        size={pageSize}
        total={totalOf(list)}
        isMore={isMoreOf(list)}
        onPage={(next) => go({ page: String(next) })}
      />
    </>
  );
}
