import { useAddress } from '../data/address.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pager, Table } from '../parts/table.tsx';
import { words } from './words.ts';

const pageSize = 25;
const states = ['open', 'cleared', 'all'] as const;

export default function Alarms() {
  const w = words();
  const { query, page, go } = useAddress();
  const state = states.find((each) => each === query.state) ?? 'open';
  const list = useResource(
    '/operator/alarms',
    { query: { limit: pageSize, page_no: page, state } },
    { everyMs: 15_000 },
  );
  return (
    <>
      <PageHead
        title={w.alarms}
        lead={w.alarmsLead}
        actions={<CopyCurl method="get" address="/v1/operator/alarms" />}
      />
      <search class="row">
        <select
          class="filter"
          aria-label={w.state}
          value={state}
          onChange={(event) => go({ state: event.currentTarget.value })}
        >
          {states.map((each) => (
            <option key={each} value={each}>
              {w.states[each]}
            </option>
          ))}
        </select>
      </search>
      <Table
        label={w.alarms}
        rows={list.data}
        keyOf={(row) => `${row.key} ${row.raised_at}`}
        trouble={list.trouble}
        onAgain={list.again}
        empty={<Empty title={w.noAlarms}>{w.noAlarmsText}</Empty>}
        columns={[
          {
            key: 'what',
            title: w.what,
            isTitle: true,
            cell: (row) => (
              <>
                {row.sentence}
                <br />
                <code class="faint">{row.key}</code>
              </>
            ),
          },
          {
            key: 'severity',
            title: w.state,
            cell: (row) => (
              <Badge tone={row.cleared_at ? 'plain' : row.severity === 'critical' ? 'bad' : 'warn'}>
                {row.cleared_at ? w.cleared : w.severity[row.severity]}
              </Badge>
            ),
          },
          { key: 'raised', title: w.raised, cell: (row) => <Moment at={row.raised_at} withTime /> },
          { key: 'seen', title: w.seen, cell: (row) => <Moment at={row.cleared_at ?? row.seen_at} withTime /> },
        ]}
      />
      <Pager page={page} size={pageSize} total={totalOf(list)} onPage={(next) => go({ page: String(next) })} />
    </>
  );
}
