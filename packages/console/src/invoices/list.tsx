import type { Schema } from '../api/shapes.ts';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterSelect } from '../components/filter.tsx';
import { Listing } from '../components/listing.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { Column } from '../components/table.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { messages } from './messages.ts';
import { InvoiceState } from './state.tsx';

type Invoice = Schema<'Invoice'>;

const pageSize = 25;
const states = ['draft', 'open', 'paid', 'void', 'credited'] as const;

function columns(t: ReturnType<typeof messages>, isReceived: boolean): readonly Column<Invoice>[] {
  return [
    {
      key: 'number',
      title: t.number,
      isTitle: true,
      cell: (row) => (
        <a href={`/app/invoices/${row.invoice_id}`}>{row.number ?? (row.state === 'void' ? '–' : t.draft)}</a>
      ),
    },
    { key: 'kind', title: t.kind, cell: (row) => t.kinds[row.kind] },
    {
      key: 'party',
      title: isReceived ? t.seller : t.buyer,
      cell: (row) => (isReceived ? row.seller : row.buyer).name,
    },
    { key: 'state', title: t.state, cell: (row) => <InvoiceState state={row.state} /> },
    { key: 'issued', title: t.issued, cell: (row) => <Moment at={row.issued_on ?? ''} /> },
    { key: 'due', title: t.due, cell: (row) => <Moment at={row.due_on ?? ''} /> },
    { key: 'total', title: t.total, isNumber: true, cell: (row) => <Money {...row.total} /> },
  ];
}

export default function InvoiceList() {
  const t = messages();
  const { query, page } = usePageUrl();
  const state = states.find((each) => each === query.state);
  const isReceived = query.whose === 'received';
  const list = useResource('/invoices', {
    query: { limit: pageSize, page_no: page, state, received: isReceived || undefined },
  });
  return (
    <>
      <PageHead
        title={t.title}
        lead={t.lead}
        actions={<CopyCurl method="get" address={`/v1/invoices?limit=${pageSize}`} />}
      />
      <search class="row">
        <FilterSelect
          name="whose"
          label={t.direction}
          value={isReceived ? 'received' : ''}
          options={[
            ['', t.sent],
            ['received', t.received],
          ]}
        />
        <FilterSelect
          name="state"
          label={t.state}
          value={state}
          options={[['', t.anyState], ...states.map((each) => [each, t.states[each]] as const)]}
        />
      </search>
      <Listing
        label={t.title}
        list={list}
        size={pageSize}
        keyOf={(row) => row.invoice_id}
        columns={columns(t, isReceived)}
        narrowed={(state !== undefined || isReceived) && { title: t.noneFound, clear: t.clear }}
        none={<Empty title={t.none}>{t.noneText}</Empty>}
      />
    </>
  );
}
