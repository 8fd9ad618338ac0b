import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { TextFilter } from '../components/filter.tsx';
import { Listing } from '../components/listing.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { MakeCustomer } from './make.tsx';
import { messages } from './messages.ts';

const pageSize = 25;

export default function CustomerList() {
  const t = messages();
  const { query, page, go } = usePageUrl();
  const [isMaking, setMaking] = useState(false);
  const list = useResource('/customers', {
    query: { limit: pageSize, page_no: page, name: query.has || undefined },
  });
  const make = may('customers:write') && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t.customers}
        lead={t.lead}
        actions={
          <>
            {make}
            <CopyCurl method="get" address={`/v1/customers?limit=${pageSize}`} />
          </>
        }
      />
      <search class="row">
        <TextFilter label={t.filter} value={query.has ?? ''} onText={(has) => go({ has })} />
      </search>
      <Listing
        label={t.customers}
        list={list}
        size={pageSize}
        keyOf={(row) => row.customer_id}
        narrowed={Boolean(query.has) && { title: t.noneFound, clear: t.clear }}
        none={
          <Empty title={t.none} action={make}>
            {t.noneText}
          </Empty>
        }
        columns={[
          {
            key: 'name',
            title: t.name,
            isTitle: true,
            cell: (row) => <a href={`/app/customers/${row.customer_id}`}>{row.name}</a>,
          },
          { key: 'company', title: t.company, cell: (row) => row.company },
          { key: 'email', title: t.email, cell: (row) => row.email },
          {
            key: 'status',
            title: t.status,
            cell: (row) => <Badge tone={row.status === 'Active' ? 'good' : 'warn'}>{t.statuses[row.status]}</Badge>,
          },
          { key: 'since', title: t.since, cell: (row) => <Moment at={row.creation_date} /> },
        ]}
      />
      {isMaking && <MakeCustomer onClose={() => setMaking(false)} />}
    </>
  );
}
