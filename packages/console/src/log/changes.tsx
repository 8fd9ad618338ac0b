import { addressOf } from '../api/call.ts';
import { useAddress } from '../data/address.ts';
import { isMoreOf, totalOf, useResource } from '../data/resource.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';
import { Pager, Table } from '../parts/table.tsx';
import { Details, Id, LogHead, TextFilter, Thing } from './parts.tsx';
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
      <Table
        label={w.changes}
        rows={list.data}
        keyOf={(row) => row.audit_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={
          query.action || query.object ? (
            <Empty title={w.noneFound} action={<ButtonLink href="/app/log">{w.clear}</ButtonLink>}>
              {w.noneFoundText}
            </Empty>
          ) : (
            <Empty title={w.noChanges}>{w.leads.changes}</Empty>
          )
        }
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
      <Pager
        page={page}
        size={pageSize}
        total={totalOf(list)}
        isMore={isMoreOf(list)}
        onPage={(next) => go({ page: String(next) })}
      />
    </>
  );
}
