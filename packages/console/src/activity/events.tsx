import { resourcePathOf } from '../api/call.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { TextFilter } from '../components/filter.tsx';
import { Moment } from '../components/moment.tsx';
import { Table } from '../components/table.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { Details, dataRows, Id, LogHead, ObjectLink } from './entry.tsx';
import { eventText } from './event-messages.ts';
import { messages } from './messages.ts';

const pageSize = 50;

/** Lists events in order. The next page starts after the last event shown. */
export default function Events() {
  const t = messages();
  const { query, go } = usePageUrl();
  const inputs = { query: { limit: pageSize, after: query.after || undefined, type: query.type || undefined } };
  const list = useResource('/events', inputs);
  const isNarrowed = Boolean(query.type || query.after);
  return (
    <>
      <LogHead tab="events" address={resourcePathOf('/events', inputs)} />
      <search class="row">
        <TextFilter label={t.type} value={query.type ?? ''} onText={(type) => go({ type, after: '' })} />
      </search>
      <Table
        label={t.events}
        rows={list.data?.events}
        keyOf={(row) => row.event_id}
        error={list.error}
        onRetry={list.refetch}
        empty={
          isNarrowed ? (
            <Empty title={t.noneFound} action={<ButtonLink href="/app/log/events">{t.clear}</ButtonLink>}>
              {t.noneFoundText}
            </Empty>
          ) : (
            <Empty title={t.noEvents}>{t.leads.events}</Empty>
          )
        }
        columns={[
          {
            key: 'type',
            title: t.actionColumn,
            isTitle: true,
            cell: (row) => <span title={row.type}>{eventText(row.type)}</span>,
          },
          { key: 'at', title: t.at, cell: (row) => <Moment at={row.at} withTime /> },
          { key: 'object', title: t.object, cell: (row) => <ObjectLink type={row.object_type} id={row.object_id} /> },
          { key: 'request', title: t.request, cell: (row) => <Id id={row.request_id} /> },
          {
            key: 'details',
            title: t.details,
            cell: (row) => <Details title={eventText(row.type)} rows={dataRows(row.payload)} />,
          },
        ]}
      />
      <div class="row">
        {query.after && <Button onClick={() => go({ after: '' })}>{t.backToStart}</Button>}
        {list.data?.has_more && (
          <Button onClick={() => go({ after: list.data?.next_after ?? '' })}>{t.loadMore}</Button>
        )}
      </div>
    </>
  );
}
