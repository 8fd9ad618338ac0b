import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Choice } from '../parts/filter.tsx';
import { Listing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import type { Column } from '../parts/table.tsx';
import { NoticeState } from './state.tsx';
import { words } from './words.ts';

type Notice = Shape<'Notice'>;

const pageSize = 25;
const states = ['queued', 'sent', 'failed', 'bounced'] as const;

const columns = (w: ReturnType<typeof words>): readonly Column<Notice>[] => [
  {
    key: 'subject',
    title: w.subject,
    isTitle: true,
    cell: (row) => (
      <a href={`/app/notices/${row.notice_id}`} lang={row.language}>
        {row.subject}
      </a>
    ),
  },
  { key: 'recipient', title: w.recipient, cell: (row) => `${row.recipient} <${row.address}>` },
  { key: 'kind', title: w.kind, cell: (row) => w.kinds[row.kind] ?? row.kind },
  { key: 'state', title: w.state, cell: (row) => <NoticeState state={row.state} /> },
  { key: 'written', title: w.written, cell: (row) => <Moment at={row.created_at} withTime /> },
];

export default function NoticeList() {
  const w = words();
  const { query, page } = useAddress();
  const state = states.find((each) => each === query.state);
  const list = useResource('/notices', { query: { limit: pageSize, page_no: page, state } });
  return (
    <>
      <PageHead
        title={w.title}
        lead={w.lead}
        actions={<CopyCurl method="get" address={`/v1/notices?limit=${pageSize}`} />}
      />
      <search class="row">
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
        keyOf={(row) => row.notice_id}
        columns={columns(w)}
        narrowed={state !== undefined && { title: w.noneFound, clear: w.clear }}
        none={<Empty title={w.none}>{w.noneText}</Empty>}
      />
    </>
  );
}
