import { useState } from 'preact/hooks';
import { useAddress } from '../data/address.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Badge } from '../parts/light.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pager, Table } from '../parts/table.tsx';
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
  const { query, page, go } = useAddress();
  const [isMaking, setMaking] = useState(false);
  const list = useResource('/customers', {
    query: { limit: pageSize, page_no: page, name: query.has || undefined },
  });
  const make = may('customers:write') && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {w.make}
    </Button>
  );
  const none = query.has ? (
    <Empty title={w.noneFound} action={<ButtonLink href="/app/customers">{w.clear}</ButtonLink>} />
  ) : (
    <Empty title={w.none} action={make}>
      {w.noneText}
    </Empty>
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
      <Table
        label={w.customers}
        rows={list.data}
        keyOf={(row) => row.customer_id}
        trouble={list.trouble}
        onAgain={list.again}
        empty={none}
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
      <Pager page={page} size={pageSize} total={totalOf(list)} onPage={(next) => go({ page: String(next) })} />
      {isMaking && <MakeCustomer onClose={() => setMaking(false)} />}
    </>
  );
}
