import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextFilter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Table } from '../parts/table.tsx';
import { words } from './words.ts';

export default function Tlds() {
  const w = words();
  const { query, go } = useAddress();
  const all = useResource('/tlds', {});
  const registries = useResource('/operator/registries', {});
  const served = new Map(
    registries.data?.registries.flatMap(({ registry_id: id, tlds }) => tlds.map((tld) => [tld, id] as const)),
  );
  const has = (query.has ?? '').toLowerCase().replace(/^\./, '');
  const rows =
    all.data &&
    Object.values(all.data)
      .flat()
      .filter(({ tld_name }) => tld_name.includes(has));
  return (
    <>
      <PageHead title={w.tlds} lead={w.tldsLead} actions={<CopyCurl method="get" address="/v1/tlds" />} />
      <search class="row">
        <TextFilter label={w.searchTld} value={query.has ?? ''} onText={(text) => go({ has: text })} />
      </search>
      <Table
        label={w.tlds}
        rows={rows}
        keyOf={(row) => row.tld_key}
        trouble={all.trouble}
        onAgain={all.again}
        empty={<Empty title={w.noTlds} />}
        columns={[
          { key: 'tld', title: w.tld, isTitle: true, cell: (row) => row.tld_label },
          { key: 'term', title: w.term, cell: (row) => w.years(Number.parseInt(row.min_duration, 10)) },
          {
            key: 'registry',
            title: w.registry,
            cell: (row) => served.get(row.tld_name) ?? <span class="faint">–</span>,
          },
        ]}
      />
    </>
  );
}
