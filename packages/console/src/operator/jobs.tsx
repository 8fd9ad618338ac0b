import { useResource } from '../data/resource.ts';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { words } from './words.ts';

const tones = { ok: 'good', failing: 'bad', still: 'bad', not_reported: 'warn' } as const;

export default function Jobs() {
  const w = words();
  const list = useResource('/operator/jobs', {}, { everyMs: 10_000 });
  // What needs somebody stands first; the rest by name, as it is told.
  const jobs = list.data && [...list.data.jobs].sort((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok'));
  const still = jobs?.filter(({ state }) => state !== 'ok').length;
  return (
    <>
      <PageHead
        title={w.jobs}
        lead={still === undefined ? w.jobsLead : `${w.jobsLead} ${w.jobsFound(still)}`}
        actions={<CopyCurl method="get" address="/v1/operator/jobs" />}
      />
      <Table
        label={w.jobs}
        rows={jobs}
        keyOf={(row) => row.name}
        trouble={list.trouble}
        onAgain={list.again}
        empty={<Empty title={w.noJobs} />}
        columns={[
          { key: 'job', title: w.job, isTitle: true, cell: (row) => row.name },
          {
            key: 'state',
            title: w.state,
            cell: (row) => <Badge tone={tones[row.state]}>{w.jobStates[row.state]}</Badge>,
          },
          { key: 'every', title: w.every, isNumber: true, cell: (row) => w.span(row.every_seconds) },
          { key: 'last', title: w.last, cell: (row) => <Moment at={row.last_run_at ?? ''} withTime /> },
          {
            key: 'took',
            title: w.took,
            isNumber: true,
            cell: (row) => (row.took_ms === null ? <span class="faint">–</span> : w.milliseconds(row.took_ms)),
          },
          { key: 'next', title: w.next, cell: (row) => <Moment at={row.next_run_at ?? ''} withTime /> },
          { key: 'error', title: w.error, cell: (row) => row.last_error ?? <span class="faint">–</span> },
        ]}
      />
    </>
  );
}
