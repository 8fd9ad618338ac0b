import { addressOf } from '../api/call.ts';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { Empty } from '../parts/empty.tsx';
import { TextFilter } from '../parts/filter.tsx';
import { Listing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { Details, Id, LogHead, Thing } from './parts.tsx';
import { words } from './words.ts';

const pageSize = 25;

/** The audit log, newest first. */
export default function Changes() {
  const w = words();
  const { query, page, go } = useAddress();
  const inputs = {
    query: {
      limit: pageSize,
      page_no: page,
      action: query.action || undefined,
      object_id: query.object || undefined,
    },
  };
  const list = useResource('/account/audit', inputs);
  return (
    <>
      <LogHead tab="changes" address={addressOf('/account/audit', inputs)} />
      <search class="row">
        <TextFilter label={w.action} value={query.action ?? ''} onText={(action) => go({ action })} />
        <TextFilter label={w.objectId} value={query.object ?? ''} onText={(object) => go({ object })} />
      </search>
      <Listing
        label={w.changes}
        list={list}
        size={pageSize}
        keyOf={(row) => row.audit_id}
        narrowed={
          Boolean(query.action || query.object) && { title: w.noneFound, text: w.noneFoundText, clear: w.clear }
        }
        none={<Empty title={w.noChanges}>{w.leads.changes}</Empty>}
        columns={[
          { key: 'action', title: w.what, isTitle: true, cell: (row) => row.action },
          { key: 'at', title: w.at, cell: (row) => <Moment at={row.at} withTime /> },
          {
            key: 'who',
            title: w.who,
            cell: (row) =>
              row.person_name ?? (row.key_id ? <Id id={row.key_id} /> : <span class="faint">{w.nobody}</span>),
          },
          { key: 'object', title: w.object, cell: (row) => <Thing type={row.object_type} id={row.object_id} /> },
          { key: 'request', title: w.request, cell: (row) => <Id id={row.request_id} /> },
          {
            key: 'details',
            title: w.details,
            cell: (row) => (
              <Details title={row.action} facts={{ before: row.before, after: row.after, address: row.address }} />
            ),
          },
        ]}
      />
    </>
  );
}
