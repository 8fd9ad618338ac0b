import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { CopyText } from '../components/copy-text.tsx';
import { Empty } from '../components/empty.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { useResource } from '../data/resource.ts';
import { PublicationTimes } from '../reports/response-times.tsx';
import './operator.css';
import { messages } from './messages.ts';

export default function Nameservers() {
  const t = messages();
  const list = useResource('/operator/nameservers', {}, { everyMs: 10_000 });
  return (
    <>
      <PageHead
        title={t.nameservers}
        lead={t.nameserversLead}
        actions={<CopyCurl method="get" address="/v1/operator/nameservers" />}
      />
      <Table
        label={t.nameservers}
        rows={list.data?.nameservers}
        keyOf={(row) => row.nameserver_id}
        error={list.error}
        onRetry={list.refetch}
        empty={<Empty title={t.noNameservers}>{t.noNameserversText}</Empty>}
        columns={[
          { key: 'nameserver', title: t.nameserver, isTitle: true, cell: (row) => row.nameserver_id },
          {
            key: 'state',
            title: t.state,
            cell: (row) =>
              row.is_active ? (
                <StatusIcon kind={row.error ? 'bad' : row.zones_behind === 0 ? 'good' : 'warning'}>
                  {row.zones_behind === 0 ? t.served : t.behind(row.zones_behind)}
                </StatusIcon>
              ) : (
                <StatusIcon kind="none">{t.inactive}</StatusIcon>
              ),
          },
          { key: 'lag', title: t.longestDelay, isNumber: true, cell: (row) => t.seconds(row.lag_seconds) },
          { key: 'engine', title: t.engine, cell: (row) => t.engines[row.engine] },
          {
            key: 'signed',
            title: t.transfers,
            cell: (row) => (row.engine === 'embedded' ? '–' : row.is_signed ? t.signed : t.unsigned),
          },
          { key: 'address', title: t.address, cell: (row) => <code>{`${row.address} ${row.port}`}</code> },
          { key: 'checked', title: t.checked, cell: (row) => <Moment at={row.checked_at ?? ''} withTime /> },
          { key: 'error', title: t.error, cell: (row) => row.error ?? <span class="faint">–</span> },
        ]}
      />
      <PublicationTimes />
      <Card title={t.addOne}>
        <p>{t.addOneText}</p>
        <ol class="say-how">
          <li>
            <CopyText text="namehold nameserver add ns1 --engine knot --address 192.0.2.53" />
          </li>
          <li>
            <CopyText text="namehold nameserver snippet ns1" />
          </li>
        </ol>
        <p class="faint">{t.snippetText}</p>
      </Card>
    </>
  );
}
