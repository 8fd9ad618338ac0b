import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { may } from '../session/who.ts';
import { Acknowledge, Resting } from './acknowledge.tsx';
import { sayAlarm } from './say-alarm.ts';
import './operator.css';
import { words } from './words.ts';

const pageSize = 25;
const states = ['open', 'acknowledged', 'cleared', 'all'] as const;

function columns(
  w: ReturnType<typeof words>,
  canChange: boolean,
  choose: (alarm: Shape<'Alarm'>) => void,
): readonly Column<Shape<'Alarm'>>[] {
  return [
    {
      key: 'what',
      title: w.what,
      isTitle: true,
      cell: (row) => (
        <>
          {sayAlarm(row)}
          <br />
          {sayAlarm(row) !== row.sentence && <span class="setting-meaning">{row.sentence}</span>}
          <code class="faint">{row.key}</code>
          <Resting alarm={row} canChange={canChange} />
        </>
      ),
    },
    {
      key: 'severity',
      title: w.state,
      cell: (row) => (
        <Badge tone={row.cleared_at || row.acknowledged ? 'plain' : row.severity === 'critical' ? 'bad' : 'warn'}>
          {row.cleared_at ? w.cleared : row.acknowledged ? w.rested : w.severity[row.severity]}
        </Badge>
      ),
    },
    { key: 'raised', title: w.raised, cell: (row) => <Moment at={row.raised_at} withTime /> },
    { key: 'seen', title: w.seen, cell: (row) => <Moment at={row.cleared_at ?? row.seen_at} withTime /> },
    ...(canChange
      ? [
          {
            key: 'act',
            title: w.acknowledge,
            cell: (row: Shape<'Alarm'>) =>
              !row.cleared_at &&
              !row.acknowledged && (
                <Button small aria-label={w.acknowledgeOf(sayAlarm(row))} onClick={() => choose(row)}>
                  {w.acknowledge}
                </Button>
              ),
          },
        ]
      : []),
  ];
}

export default function Alarms() {
  const w = words();
  const { query, page, go } = useAddress();
  const [chosen, choose] = useState<Shape<'Alarm'>>();
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
        columns={columns(w, canChange, choose)}
      />
      {chosen && <Acknowledge alarm={chosen} onClose={() => choose(undefined)} />}
      <Pager page={page} size={pageSize} total={totalOf(list)} onPage={(next) => go({ page: String(next) })} />
    </>
  );
}
