import { useRoute } from 'preact-iso';
import { actionText } from '../activity/action-messages.ts';
import { Actor, changeRows, Details, useNames } from '../activity/entry.tsx';
import { messages as activityMessages } from '../activity/messages.ts';
import type { Schema } from '../api/shapes.ts';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Moment } from '../components/moment.tsx';
import { Table } from '../components/table.tsx';
import { useResource } from '../data/resource.ts';
import { kindText } from '../operations/line.ts';
import { messages as operationMessages } from '../operations/messages.ts';
import { State } from '../operations/state.tsx';
import { may } from '../session/current-session.ts';
import './domains.css';
import { DomainHead } from './domain-head.tsx';
import { messages } from './messages.ts';

type Domain = Schema<'DomainDetail'>;

/** Registry operations of this domain. */
function Orders({ domainId }: { readonly domainId: string }) {
  const t = operationMessages();
  const list = useResource('/operations', { query: { domain_id: domainId, limit: 25 } });
  return (
    <Card title={t.operations}>
      <Table
        label={t.operations}
        rows={list.data}
        keyOf={(row) => row.operation_id}
        error={list.error}
        onRetry={list.refetch}
        empty={<p class="faint">{t.none}</p>}
        columns={[
          {
            key: 'kind',
            title: t.order,
            isTitle: true,
            cell: (row) => <a href={`/app/operations/${row.operation_id}`}>{kindText(row)}</a>,
          },
          { key: 'state', title: t.state, cell: (row) => <State of={row} /> },
          { key: 'at', title: t.placedAt, cell: (row) => <Moment at={row.created_at} withTime /> },
        ]}
      />
    </Card>
  );
}

/** Audit log entries of this domain. */
function Changes({ domainId }: { readonly domainId: string }) {
  const t = activityMessages();
  const nameOf = useNames();
  const list = useResource('/account/audit', { query: { object_id: domainId, object_type: 'domain', limit: 25 } });
  return (
    <Card title={t.changes}>
      <Table
        label={t.changes}
        rows={list.data}
        keyOf={(row) => row.audit_id}
        error={list.error}
        onRetry={list.refetch}
        empty={<p class="faint">{t.noChanges}</p>}
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
            key: 'details',
            title: t.details,
            cell: (row) => <Details title={actionText(row.action, row.after)} rows={changeRows(row)} />,
          },
        ]}
      />
    </Card>
  );
}

export default function DomainActivity() {
  const name = useRoute().params.name ?? '';
  const domain = useResource('/domains/{domain_id}', { path: { domain_id: name } });
  const known = domain.data as Domain | undefined;
  return (
    <>
      <DomainHead
        name={name}
        at="log"
        actions={<CopyCurl method="get" address={`/v1/operations?domain_id=${known?.domain_id ?? ''}`} />}
      />
      {domain.error && <ErrorBanner error={domain.error} onRetry={domain.refetch} />}
      {known && <Orders domainId={known.domain_id} />}
      {known && may('account:read') && <Changes domainId={known.domain_id} />}
      {!known && !domain.error && <p class="faint">{messages().places.log}</p>}
    </>
  );
}
