import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Choice } from '../parts/filter.tsx';
import { Listing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import type { Column } from '../parts/table.tsx';
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
  const { query, page } = useAddress();
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
        <Choice
          name="whose"
          label={w.whose}
          value={isReceived ? 'received' : ''}
          options={[
            ['', w.sent],
            ['received', w.received],
          ]}
        />
        <Choice
          name="state"
          label={w.state}
          value={state}
          options={[['', w.anyState], ...states.map((each) => [each, w.states[each]] as const)]}
        />
      </search>
      <Listing
        label={w.title}
        list={list}
        size={pageSize}
        keyOf={(row) => row.invoice_id}
        columns={columns(w, isReceived)}
        narrowed={(state !== undefined || isReceived) && { title: w.noneFound, clear: w.clear }}
        none={<Empty title={w.none}>{w.noneText}</Empty>}
      />
    </>
  );
}
