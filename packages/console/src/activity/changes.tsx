import { resourcePathOf } from '../api/call.ts';
import { Empty } from '../components/empty.tsx';
import { FilterSelect, TextFilter } from '../components/filter.tsx';
import { Listing } from '../components/listing.tsx';
import { Moment } from '../components/moment.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { actionChoices, actionText } from './action-messages.ts';
import { Actor, changeRows, Details, Id, LogHead, ObjectLink, useNames } from './entry.tsx';
import { messages } from './messages.ts';

const pageSize = 25;

export default function Changes() {
  const t = messages();
  const { query, page, go } = usePageUrl();
  const inputs = {
    query: {
      limit: pageSize,
      page_no: page,
      action: query.action || undefined,
      object_id: query.object || undefined,
    },
  };
  const list = useResource('/account/audit', inputs);
  const nameOf = useNames();
  return (
    <>
      <LogHead tab="changes" address={resourcePathOf('/account/audit', inputs)} />
      <search class="row">
        <FilterSelect
          name="action"
          label={t.actionColumn}
          value={query.action}
          options={[['', t.anyAction], ...actionChoices()]}
        />
        <TextFilter label={t.objectId} value={query.object ?? ''} onText={(object) => go({ object })} />
      </search>
      <Listing
        label={t.changes}
        list={list}
        size={pageSize}
        keyOf={(row) => row.audit_id}
        narrowed={
          Boolean(query.action || query.object) && { title: t.noneFound, text: t.noneFoundText, clear: t.clear }
        }
        none={<Empty title={t.noChanges}>{t.leads.changes}</Empty>}
        columns={[
          {
            key: 'action',
            title: t.actionColumn,
            isTitle: true,
            cell: (row) => <span title={row.action}>{actionText(row.action, row.after)}</span>,
          },
          { key: 'at', title: t.at, cell: (row) => <Moment at={row.at} withTime /> },
          {
            key: 'who',
            title: t.actor,
            cell: (row) => <Actor of={row} keyLabel={nameOf(row.key_id ?? '')} />,
          },
          {
            key: 'object',
            title: t.object,
            cell: (row) => (
              <ObjectLink type={row.object_type} id={row.object_id} name={row.object_name ?? nameOf(row.object_id)} />
            ),
          },
          { key: 'request', title: t.request, cell: (row) => <Id id={row.request_id} /> },
          {
            key: 'details',
            title: t.details,
            cell: (row) => <Details title={actionText(row.action, row.after)} rows={changeRows(row)} />,
          },
        ]}
      />
    </>
  );
}
