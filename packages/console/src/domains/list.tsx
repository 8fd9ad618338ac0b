import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { BulkBar, useChosen } from '../bulk/bar.tsx';
import { label as newName } from '../buy/label.ts';
import { useAddress } from '../data/address.ts';
import { businessNow } from '../data/clock.ts';
import { useResource } from '../data/resource.ts';
import { label as moves } from '../moves/label.ts';
import { ButtonLink } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Choice } from '../parts/filter.tsx';
import { Listing } from '../parts/listing.tsx';
import { Moment, momentText } from '../parts/moment.tsx';
import { NameText } from '../parts/name-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import type { Column } from '../parts/table.tsx';
import { isCustomer, may, mayOrder } from '../session/who.ts';
import { label as transferIn } from '../transfers/label.ts';
import { label } from './label.ts';
import { statusText } from './said.ts';
import { Status, statuses } from './status.tsx';
import { words } from './words.ts';

const pageSize = 25;
const sorts = ['name', '-name', 'expiry', '-expiry'] as const;
const spans = ['30', '60', '90'] as const;

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** By the business clock: the browser's may be another day. */
const endOf = (days: string) =>
  new Date(businessNow().getTime() + Number(days) * 86_400_000).toISOString().slice(0, 10);

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
        <Choice
          name="status"
          label={w.status}
          value={query.status}
          options={[['', w.anyStatus], ...statuses.map((each) => [each, statusText(each)] as const)]}
        />
        <Choice
          name="ends"
          label={w.endsWithin}
          value={query.ends}
          options={[['', w.endsAnyTime], ...spans.map((each) => [each, w.endsDays(Number(each))] as const)]}
        />
      </form>
    </search>
  );
}

/** The list that the address asks for. */
function useNames() {
  const { query, page } = useAddress();
  const status = statuses.find((each) => each === query.status);
  const sort = sorts.find((each) => each === query.sort);
  const ends = spans.find((each) => each === query.ends);
  const [from, to] = [query.from, query.to].map((text) => (dayPattern.test(text ?? '') ? text : undefined));
  const names = useResource('/domains', {
    query: {
      limit: pageSize,
      page_no: page,
      domain_name: query.has || undefined,
      status,
      sort,
      expiry_date_start: from,
      expiry_date_end: ends ? endOf(ends) : to && `${to} 23:59:59`,
    },
  });
  return { names, sort, isFiltered: Boolean(query.has || status || ends || from || to), from, to };
}

const columns = (w: ReturnType<typeof words>): readonly Column<Shape<'Domain'>>[] => [
  {
    key: 'name',
    title: w.name,
    isTitle: true,
    isSortable: true,
    cell: (row) => (
      <a href={`/app/domains/${row.domain_name}`}>
        <NameText name={row.domain_name} />
      </a>
    ),
  },
  { key: 'status', title: w.status, cell: (row) => <Status status={row.order_status} /> },
  {
    key: 'expiry',
    title: w.expires,
    isSortable: true,
    cell: (row) => <Moment at={row.expiry_date ?? ''} isBusiness />,
  },
  ...(isCustomer() ? [] : [{ key: 'customer', title: w.customer, cell: (row: Shape<'Domain'>) => row.customer_name }]),
  { key: 'mode', title: w.mode, cell: (row) => w.modes[row.renewal_mode] },
];

export default function DomainList() {
  const w = words();
  const { go } = useAddress();
  const { names, sort, isFiltered, from, to } = useNames();
  const many = useChosen(names.data);
  const isMany = may('domains:write') && !isCustomer();
  const make = mayOrder() && (
    <ButtonLink kind="primary" icon="plus" href="/app/domains/new">
      {newName().title}
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title={label().domains}
        lead={w.lead}
        actions={
          <>
            {make}
            {isMany && (
              <>
                <ButtonLink href="/app/transfers">{transferIn().title}</ButtonLink>
                <ButtonLink href="/app/moves">{moves().title}</ButtonLink>
              </>
            )}
            <CopyCurl method="get" address="/v1/domains?limit=25" />
          </>
        }
      />
      <Filters />
      {(from || to) && (
        <p class="row">
          {w.endsBetween(from && momentText(new Date(from)), to && momentText(new Date(to)))}
          <ButtonLink small href="/app/domains">
            {w.clear}
          </ButtonLink>
        </p>
      )}
      <Listing
        label={label().domains}
        list={names}
        size={pageSize}
        keyOf={(row) => row.domain_name}
        selection={isMany ? many.selection : undefined}
        sort={sort}
        onSort={(next) => go({ sort: next })}
        columns={columns(w)}
        narrowed={isFiltered && { title: w.noneFound, text: w.noneFoundText, clear: w.clear }}
        none={
          <Empty title={w.none} action={make}>
            {w.noneText}
          </Empty>
        }
      />
      {isMany && <BulkBar {...many} />}
    </>
  );
}
