import { addressOf } from '../api/call.ts';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextFilter } from '../parts/filter.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { Details, Id, LogHead, Thing } from './parts.tsx';
import { words } from './words.ts';

const pageSize = 50;

/** The log of events, in the order in which they became true: it is read on from a place, as programs do. */
export default function Events() {
  const w = words();
  const { query, go } = useAddress();
  const inputs = { query: { limit: pageSize, after: query.after || undefined, type: query.type || undefined } };
  const list = useResource('/events', inputs);
  const isNarrowed = Boolean(query.type || query.after);
  return (
    <>
      <LogHead tab="events" address={addressOf('/events', inputs)} />
      <search class="row">
        <TextFilter label={w.type} value={query.type ?? ''} onText={(type) => go({ type, after: '' })} />
      </search>
      <Table
        label={w.events}
        rows={list.data?.events}
        keyOf={(row) => row.event_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={
          isNarrowed ? (
            <Empty title={w.noneFound} action={<ButtonLink href="/app/log/events">{w.clear}</ButtonLink>}>
              {w.noneFoundText}
            </Empty>
          ) : (
            <Empty title={w.noEvents}>{w.leads.events}</Empty>
          )
        }
        columns={[
          { key: 'type', title: w.what, isTitle: true, cell: (row) => row.type },
          { key: 'at', title: w.at, cell: (row) => <Moment at={row.at} withTime /> },
          { key: 'object', title: w.object, cell: (row) => <Thing type={row.object_type} id={row.object_id} /> },
          { key: 'request', title: w.request, cell: (row) => <Id id={row.request_id} /> },
          { key: 'details', title: w.details, cell: (row) => <Details title={row.type} facts={row.payload} /> },
        ]}
      />
      <div class="row">
        {query.after && <Button onClick={() => go({ after: '' })}>{w.beginning}</Button>}
        {list.data?.has_more && <Button onClick={() => go({ after: list.data?.next_after ?? '' })}>{w.readOn}</Button>}
      </div>
    </>
  );
}
