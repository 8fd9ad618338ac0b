import { useState } from 'preact/hooks';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Listing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { may } from '../session/who.ts';
import { MakeCustomer } from './make.tsx';
import { words } from './words.ts';

const pageSize = 25;

function Filter() {
  const w = words();
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
          aria-label={w.filter}
          placeholder={w.filter}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={() => go({ has: text.trim() })}
        />
      </form>
    </search>
  );
}

export default function CustomerList() {
  const w = words();
  const { query, page } = useAddress();
  const [isMaking, setMaking] = useState(false);
  const list = useResource('/customers', {
    query: { limit: pageSize, page_no: page, name: query.has || undefined },
  });
  const make = may('customers:write') && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {w.make}
    </Button>
  );
  return (
    <>
      <PageHead
        title={w.customers}
        lead={w.lead}
        actions={
          <>
            {make}
            <CopyCurl method="get" address={`/v1/customers?limit=${pageSize}`} />
          </>
        }
      />
      <Filter />
      <Listing
        label={w.customers}
        list={list}
        size={pageSize}
        keyOf={(row) => row.customer_id}
        narrowed={Boolean(query.has) && { title: w.noneFound, clear: w.clear }}
        none={
          <Empty title={w.none} action={make}>
            {w.noneText}
          </Empty>
        }
        columns={[
          {
            key: 'name',
            title: w.name,
            isTitle: true,
            cell: (row) => <a href={`/app/customers/${row.customer_id}`}>{row.name}</a>,
          },
          { key: 'company', title: w.company, cell: (row) => row.company },
          { key: 'email', title: w.email, cell: (row) => row.email },
          {
            key: 'status',
            title: w.status,
            cell: (row) => <Badge tone={row.status === 'Active' ? 'good' : 'warn'}>{w.statuses[row.status]}</Badge>,
          },
          { key: 'since', title: w.since, cell: (row) => <Moment at={row.creation_date} /> },
        ]}
      />
      {isMaking && <MakeCustomer onClose={() => setMaking(false)} />}
    </>
  );
}
