import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { label as newName } from '../buy/label.ts';
import { useAddress } from '../data/address.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { ButtonLink } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';
import { NameText } from '../parts/name-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Pager, Table } from '../parts/table.tsx';
import { isCustomer, may } from '../session/who.ts';
import { label } from './label.ts';
import { Status, statuses } from './status.tsx';
import { words } from './words.ts';

const pageSize = 25;

function Filters() {
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
          aria-label={w.filterName}
          placeholder={w.filterName}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={() => go({ has: text.trim() })}
        />
        <select
          class="filter"
          aria-label={w.status}
          value={query.status ?? ''}
          onChange={(event) => go({ status: event.currentTarget.value })}
        >
          <option value="">{w.anyStatus}</option>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </form>
    </search>
  );
}

export default function DomainList() {
  const w = words();
  const { query, page, go } = useAddress();
  const status = statuses.find((each) => each === query.status);
  const names = useResource('/domains', {
    query: { limit: pageSize, page_no: page, domain_name: query.has || undefined, status },
  });
  const make = may('domains:write') && (
    <ButtonLink kind="primary" icon="plus" href="/app/domains/new">
      {newName().title}
    </ButtonLink>
  );
  const isFiltered = Boolean(query.has || status);
  return (
    <>
      <PageHead
        title={label().domains}
        lead={w.lead}
        actions={
          <>
            {make}
            <CopyCurl method="get" address="/v1/domains?limit=25" />
          </>
        }
      />
      <Filters />
      <Table
        label={label().domains}
        rows={names.data}
        keyOf={(row) => row.domain_id}
        trouble={names.trouble}
        onAgain={names.again}
        empty={
          isFiltered ? (
            <Empty title={w.noneFound} action={<ButtonLink href="/app/domains">{w.clear}</ButtonLink>}>
              {w.noneFoundText}
            </Empty>
          ) : (
            <Empty title={w.none} action={make}>
              {w.noneText}
            </Empty>
          )
        }
        columns={[
          {
            key: 'name',
            title: w.name,
            isTitle: true,
            cell: (row) => (
              <a href={`/app/domains/${row.domain_name}`}>
                <NameText name={row.domain_name} />
              </a>
            ),
          },
          { key: 'status', title: w.status, cell: (row) => <Status status={row.order_status} /> },
          { key: 'expiry', title: w.expires, cell: (row) => <Moment at={row.expiry_date ?? ''} /> },
          ...(isCustomer()
            ? []
            : [{ key: 'customer', title: w.customer, cell: (row: Shape<'Domain'>) => row.customer_name }]),
          { key: 'mode', title: w.mode, cell: (row) => w.modes[row.renewal_mode] },
        ]}
      />
      <Pager page={page} size={pageSize} total={totalOf(names)} onPage={(next) => go({ page: String(next) })} />
    </>
  );
}
