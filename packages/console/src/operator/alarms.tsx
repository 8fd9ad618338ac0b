import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Choice } from '../parts/filter.tsx';
import { Badge } from '../parts/light.tsx';
import { Listing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import type { Column } from '../parts/table.tsx';
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
  const { query, page } = useAddress();
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
        <Choice
          name="state"
          label={w.state}
          value={state}
          options={states.map((each) => [each, w.states[each]] as const)}
        />
      </search>
      <Listing
        label={w.alarms}
        list={list}
        size={pageSize}
        keyOf={(row) => `${row.key} ${row.raised_at}`}
        columns={columns(w, canChange, choose)}
        none={<Empty title={w.noAlarms}>{w.noAlarmsText}</Empty>}
      />
      {chosen && <Acknowledge alarm={chosen} onClose={() => choose(undefined)} />}
    </>
  );
}
