import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { TextFilter } from '../components/filter.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Table } from '../components/table.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { messages } from './messages.ts';

export default function Tlds() {
  const t = messages();
  const { query, go } = usePageUrl();
  const all = useResource('/tlds', {});
  const registries = useResource('/operator/registries', {});
  const served = new Map(
    registries.data?.registries.flatMap(({ registry_id: id, routes }) => routes.map((tld) => [tld, id] as const)),
  );
  const has = (query.has ?? '').toLowerCase().replace(/^\./, '');
  const rows =
    all.data &&
    Object.values(all.data)
      .flat()
      .filter(({ tld_name }) => tld_name.includes(has));
  return (
    <>
      <PageHead title={t.tlds} lead={t.tldsLead} actions={<CopyCurl method="get" address="/v1/tlds" />} />
      <search class="row">
        <TextFilter label={t.searchTld} value={query.has ?? ''} onText={(text) => go({ has: text })} />
      </search>
      <Table
        label={t.tlds}
        rows={rows}
        keyOf={(row) => row.tld_key}
        error={all.error}
        onRetry={all.refetch}
        empty={<Empty title={t.noTlds} />}
        columns={[
          { key: 'tld', title: t.tld, isTitle: true, cell: (row) => row.tld_label },
          { key: 'term', title: t.term, cell: (row) => t.years(Number.parseInt(row.min_duration, 10)) },
          {
            key: 'registry',
            title: t.registry,
            cell: (row) => served.get(row.tld_name) ?? <span class="faint">–</span>,
          },
        ]}
      />
    </>
  );
}
