import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { Badge } from '../components/light.tsx';
import { Listing } from '../components/listing.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { MakeCustomer } from './make.tsx';
import { messages } from './messages.ts';

const pageSize = 25;

function Filter() {
  const t = messages();
  const { query, go } = useAddress();
  const [text, setText] = useState(query.has ?? '');
  return (
    <search>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          go({ has: text.trim() });
        }}
      >
        <input
          type="search"
          class="filter"
          aria-label={t.filter}
          placeholder={t.filter}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={() => go({ has: text.trim() })}
        />
      </form>
    </search>
  );
}

export default function CustomerList() {
  const t = messages();
  const { query, page } = useAddress();
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
      <Filter />
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
