import type { Schema } from '../api/shapes.ts';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterSelect } from '../components/filter.tsx';
import { Listing } from '../components/listing.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { Column } from '../components/table.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { messages } from './messages.ts';
import { NoticeState, recipientText } from './state.tsx';

type Notice = Schema<'Notice'>;

const pageSize = 25;
const states = ['queued', 'sent', 'failed', 'bounced'] as const;

const columns = (t: ReturnType<typeof messages>): readonly Column<Notice>[] => [
  {
    key: 'subject',
    title: t.subject,
    isTitle: true,
    cell: (row) => (
      <a href={`/app/notices/${row.notice_id}`} lang={row.language}>
        {row.subject}
      </a>
    ),
  },
  { key: 'recipient', title: t.recipient, cell: recipientText },
  { key: 'kind', title: t.kind, cell: (row) => t.kinds[row.kind] ?? row.kind },
  { key: 'state', title: t.state, cell: (row) => <NoticeState state={row.state} /> },
  { key: 'written', title: t.written, cell: (row) => <Moment at={row.created_at} withTime /> },
];

export default function NoticeList() {
  const t = messages();
  const { query, page } = usePageUrl();
  const state = states.find((each) => each === query.state);
  const list = useResource('/notices', { query: { limit: pageSize, page_no: page, state } });
  return (
    <>
      <PageHead
        title={t.title}
        lead={t.lead}
        actions={<CopyCurl method="get" address={`/v1/notices?limit=${pageSize}`} />}
      />
      <search class="row">
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
        keyOf={(row) => row.notice_id}
        columns={columns(t)}
        narrowed={state !== undefined && { title: t.noneFound, clear: t.clear }}
        none={<Empty title={t.none}>{t.noneText}</Empty>}
      />
    </>
  );
}
