import { useState } from 'preact/hooks';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterSelect } from '../components/filter.tsx';
import { Listing } from '../components/listing.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import type { Column } from '../components/table.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { Acknowledge, Acknowledgement } from './acknowledge.tsx';
import { describeAlarm } from './describe-alarm.ts';
import './operator.css';
import { messages } from './messages.ts';

const pageSize = 25;
const states = ['open', 'acknowledged', 'cleared', 'all'] as const;

function columns(
  t: ReturnType<typeof messages>,
  canChange: boolean,
  choose: (alarm: Schema<'Alarm'>) => void,
): readonly Column<Schema<'Alarm'>>[] {
  return [
    {
      key: 'what',
      title: t.alert,
      isTitle: true,
      cell: (row) => (
        <>
          {describeAlarm(row)}
          <br />
          {describeAlarm(row) !== row.sentence && <span class="setting-meaning">{row.sentence}</span>}
          <code class="faint">{row.key}</code>
          <Acknowledgement alarm={row} canChange={canChange} />
        </>
      ),
    },
    {
      key: 'severity',
      title: t.state,
      cell: (row) => (
        <Badge tone={row.cleared_at || row.acknowledged ? 'plain' : row.severity === 'critical' ? 'bad' : 'warn'}>
          {row.cleared_at ? t.cleared : row.acknowledged ? t.acknowledged : t.severity[row.severity]}
        </Badge>
      ),
    },
    { key: 'raised', title: t.raised, cell: (row) => <Moment at={row.raised_at} withTime /> },
    { key: 'seen', title: t.seen, cell: (row) => <Moment at={row.cleared_at ?? row.seen_at} withTime /> },
    ...(canChange
      ? [
          {
            key: 'act',
            title: t.acknowledge,
            cell: (row: Schema<'Alarm'>) =>
              !row.cleared_at &&
              !row.acknowledged && (
                <Button small aria-label={t.acknowledgeOf(describeAlarm(row))} onClick={() => choose(row)}>
                  {t.acknowledge}
                </Button>
              ),
          },
        ]
      : []),
  ];
}

export default function Alarms() {
  const t = messages();
  const { query, page } = usePageUrl();
  const [chosen, choose] = useState<Schema<'Alarm'>>();
  const canChange = may('account:write');
  const state = states.find((each) => each === query.state) ?? 'open';
  const list = useResource(
    '/operator/alarms',
    { query: { limit: pageSize, page_no: page, state } },
    { everyMs: 15_000 },
  );
  return (
    <>
      <PageHead
        title={t.alarms}
        lead={t.alarmsLead}
        actions={<CopyCurl method="get" address="/v1/operator/alarms" />}
      />
      <search class="row">
        <FilterSelect
          name="state"
          label={t.state}
          value={state}
          options={states.map((each) => [each, t.states[each]] as const)}
        />
      </search>
      <Listing
        label={t.alarms}
        list={list}
        size={pageSize}
        keyOf={(row) => `${row.key} ${row.raised_at}`}
        columns={columns(t, canChange, choose)}
        none={<Empty title={t.noAlarms}>{t.noAlarmsText}</Empty>}
      />
      {chosen && <Acknowledge alarm={chosen} onClose={() => choose(undefined)} />}
    </>
  );
}
