import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { useResource } from '../data/resource.ts';
import { messages } from './messages.ts';

const tones = { ok: 'good', failing: 'bad', still: 'bad', not_reported: 'warn' } as const;

export default function Jobs() {
  const t = messages();
  const list = useResource('/operator/jobs', {}, { everyMs: 10_000 });
  // Jobs with problems come first.
  const jobs = list.data && [...list.data.jobs].sort((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok'));
  const still = jobs?.filter(({ state }) => state !== 'ok').length;
  return (
    <>
      <PageHead
        title={t.jobs}
        lead={still === undefined ? t.jobsLead : `${t.jobsLead} ${t.jobsFound(still)}`}
        actions={<CopyCurl method="get" address="/v1/operator/jobs" />}
      />
      <Table
        label={t.jobs}
        rows={jobs}
        keyOf={(row) => row.name}
        error={list.error}
        onRetry={list.refetch}
        empty={<Empty title={t.noJobs} />}
        columns={[
          { key: 'job', title: t.job, isTitle: true, cell: (row) => row.name },
          {
            key: 'state',
            title: t.state,
            cell: (row) => <Badge tone={tones[row.state]}>{t.jobStates[row.state]}</Badge>,
          },
          { key: 'every', title: t.every, isNumber: true, cell: (row) => t.span(row.every_seconds) },
          { key: 'last', title: t.last, cell: (row) => <Moment at={row.last_run_at ?? ''} withTime /> },
          {
            key: 'took',
            title: t.took,
            isNumber: true,
            cell: (row) => (row.took_ms === null ? <span class="faint">–</span> : t.milliseconds(row.took_ms)),
          },
          { key: 'next', title: t.next, cell: (row) => <Moment at={row.next_run_at ?? ''} withTime /> },
          { key: 'error', title: t.error, cell: (row) => row.last_error ?? <span class="faint">–</span> },
        ]}
      />
    </>
  );
}
