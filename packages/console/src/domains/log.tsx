import { useRoute } from 'preact-iso';
import type { Shape } from '../api/shapes.ts';
import { useResource } from '../data/resource.ts';
import { Details, Id } from '../log/parts.tsx';
import { words as logWords } from '../log/words.ts';
import { State } from '../operations/state.tsx';
import { words as operationWords } from '../operations/words.ts';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import './domains.css';
import { NameHead } from './name-head.tsx';
import { words } from './words.ts';

type Domain = Shape<'DomainDetail'>;

/** What was ordered of the registry for this name. */
function Orders({ domainId }: { readonly domainId: string }) {
  const w = operationWords();
  const list = useResource('/operations', { query: { domain_id: domainId, limit: 25 } });
  return (
    <Card title={w.operations}>
      <Table
        label={w.operations}
        rows={list.data}
        keyOf={(row) => row.operation_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={<p class="faint">{w.none}</p>}
        columns={[
          {
            key: 'kind',
            title: w.order,
            isTitle: true,
            cell: (row) => <a href={`/app/operations/${row.operation_id}`}>{w.kindOf(row.kind)}</a>,
          },
          { key: 'state', title: w.state, cell: (row) => <State state={row.state} /> },
          { key: 'at', title: w.placedAt, cell: (row) => <Moment at={row.created_at} withTime /> },
        ]}
      />
    </Card>
  );
}

/** Who changed what of it here. */
function Changes({ domainId }: { readonly domainId: string }) {
  const w = logWords();
  const list = useResource('/account/audit', { query: { object_id: domainId, object_type: 'domain', limit: 25 } });
  return (
    <Card title={w.changes}>
      <Table
        label={w.changes}
        rows={list.data}
        keyOf={(row) => row.audit_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={<p class="faint">{w.noChanges}</p>}
        columns={[
          { key: 'action', title: w.what, isTitle: true, cell: (row) => row.action },
          { key: 'at', title: w.at, cell: (row) => <Moment at={row.at} withTime /> },
          {
            key: 'who',
            title: w.who,
            cell: (row) =>
              row.person_name ?? (row.key_id ? <Id id={row.key_id} /> : <span class="faint">{w.nobody}</span>),
          },
          {
            key: 'details',
            title: w.details,
            cell: (row) => (
              <Details title={row.action} facts={{ before: row.before, after: row.after, address: row.address }} />
            ),
          },
        ]}
      />
    </Card>
  );
}

export default function NameLog() {
  const name = useRoute().params.name ?? '';
  const domain = useResource('/domains/{domain_id}', { path: { domain_id: name } });
  const known = domain.data as Domain | undefined;
  return (
    <>
      <NameHead
        name={name}
        at="log"
        actions={<CopyCurl method="get" address={`/v1/operations?domain_id=${known?.domain_id ?? ''}`} />}
      />
      {domain.trouble && <TroubleNote trouble={domain.trouble} onAgain={domain.again} />}
      {known && <Orders domainId={known.domain_id} />}
      {known && may('account:read') && <Changes domainId={known.domain_id} />}
      {!known && !domain.trouble && <p class="faint">{words().places.log}</p>}
    </>
  );
}
