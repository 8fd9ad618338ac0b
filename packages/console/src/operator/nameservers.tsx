import { useResource } from '../data/resource.ts';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Empty } from '../parts/empty.tsx';
import { Light } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { PublicationTimes } from '../series/waits.tsx';
import './operator.css';
import { words } from './words.ts';

export default function Nameservers() {
  const w = words();
  const list = useResource('/operator/nameservers', {}, { everyMs: 10_000 });
  return (
    <>
      <PageHead
        title={w.nameservers}
        lead={w.nameserversLead}
        actions={<CopyCurl method="get" address="/v1/operator/nameservers" />}
      />
      <Table
        label={w.nameservers}
        rows={list.data?.nameservers}
        keyOf={(row) => row.nameserver_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={<Empty title={w.noNameservers}>{w.noNameserversText}</Empty>}
        columns={[
          { key: 'nameserver', title: w.nameserver, isTitle: true, cell: (row) => row.nameserver_id },
          {
            key: 'state',
            title: w.state,
            cell: (row) =>
              row.is_active ? (
                <Light kind={row.error ? 'bad' : row.zones_behind === 0 ? 'good' : 'half'}>
                  {row.zones_behind === 0 ? w.served : w.behind(row.zones_behind)}
                </Light>
              ) : (
                <Light kind="none">{w.inactive}</Light>
              ),
          },
          { key: 'lag', title: w.lag, isNumber: true, cell: (row) => w.seconds(row.lag_seconds) },
          { key: 'engine', title: w.engine, cell: (row) => w.engines[row.engine] },
          {
            key: 'signed',
            title: w.transfers,
            cell: (row) => (row.engine === 'embedded' ? '–' : row.is_signed ? w.signed : w.unsigned),
          },
          { key: 'address', title: w.address, cell: (row) => <code>{`${row.address} ${row.port}`}</code> },
          { key: 'checked', title: w.checked, cell: (row) => <Moment at={row.checked_at ?? ''} withTime /> },
          { key: 'error', title: w.error, cell: (row) => row.error ?? <span class="faint">–</span> },
        ]}
      />
      <PublicationTimes />
      <Card title={w.addOne}>
        <p>{w.addOneText}</p>
        <ol class="say-how">
          <li>
            <CopyText text="namehold nameserver add ns1 --engine knot --address 192.0.2.53" />
          </li>
          <li>
            <CopyText text="namehold nameserver snippet ns1" />
          </li>
        </ol>
        <p class="faint">{w.snippetText}</p>
      </Card>
    </>
  );
}
