import type { Schema } from '../api/shapes.ts';
import { BulkBar, useSelection } from '../bulk/bar.tsx';
import { label as newName } from '../buy/label.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterSelect, TextFilter } from '../components/filter.tsx';
import { Listing } from '../components/listing.tsx';
import { dayText, Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { Column } from '../components/table.tsx';
import { businessNow } from '../data/clock.ts';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { label as moves } from '../moves/label.ts';
import { isCustomer, may, mayOrder } from '../session/current-session.ts';
import { label as transferIn } from '../transfers/label.ts';
import { statusText } from './format-status.ts';
import { label } from './label.ts';
import { messages } from './messages.ts';
import { Status, statuses } from './status.tsx';

const pageSize = 25;
const sorts = ['name', '-name', 'expiry', '-expiry'] as const;
const spans = ['30', '60', '90'] as const;

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** Uses the business clock, which can differ from the browser's. */
const endOf = (days: string) =>
  new Date(businessNow().getTime() + Number(days) * 86_400_000).toISOString().slice(0, 10);

function Filters() {
  const t = messages();
  const { query, go } = usePageUrl();
  return (
    <search class="row">
      <TextFilter label={t.filterName} value={query.has ?? ''} onText={(has) => go({ has })} />
      <FilterSelect
        name="status"
        label={t.status}
        value={query.status}
        options={[['', t.anyStatus], ...statuses.map((each) => [each, statusText(each)] as const)]}
      />
      <FilterSelect
        name="ends"
        label={t.endsWithin}
        value={query.ends}
        options={[['', t.endsAnyTime], ...spans.map((each) => [each, t.endsDays(Number(each))] as const)]}
      />
    </search>
  );
}

/** The domains that match the filters in the address. */
function useDomainList() {
  const { query, page } = usePageUrl();
  const status = statuses.find((each) => each === query.status);
  const sort = sorts.find((each) => each === query.sort);
  const ends = spans.find((each) => each === query.ends);
  const customerId = /^\d{1,18}$/.test(query.customer ?? '') ? query.customer : undefined;
  const [from, to] = [query.from, query.to].map((text) => (dayPattern.test(text ?? '') ? text : undefined));
  const names = useResource('/domains', {
    query: {
      limit: pageSize,
      page_no: page,
      domain_name: query.has || undefined,
      customer_id: customerId,
      status,
      sort,
      expiry_date_start: from,
      expiry_date_end: ends ? endOf(ends) : to && `${to} 23:59:59`,
    },
  });
  return {
    names,
    sort,
    isFiltered: Boolean(query.has || status || ends || from || to || customerId),
    from,
    to,
    customerId,
  };
}

/** The customer whose domains are listed, with a way to list all. */
function OfCustomer({ customerId }: { readonly customerId: string }) {
  const t = messages();
  const { go } = usePageUrl();
  const customer = useResource('/customers/{customer_id}', { path: { customer_id: customerId } });
  return (
    <p class="row">
      {t.ofCustomer(customer.data?.name ?? customerId)}
      <Button small onClick={() => go({ customer: '' })}>
        {t.clear}
      </Button>
    </p>
  );
}

const columns = (t: ReturnType<typeof messages>): readonly Column<Schema<'Domain'>>[] => [
  {
    key: 'name',
    title: t.name,
    isTitle: true,
    isSortable: true,
    cell: (row) => (
      <a href={`/app/domains/${row.domain_name}`}>
        <DomainName name={row.domain_name} />
      </a>
    ),
  },
  { key: 'status', title: t.status, cell: (row) => <Status of={row} /> },
  {
    key: 'expiry',
    title: t.expires,
    isSortable: true,
    cell: (row) => <Moment at={row.expiry_date ?? ''} isBusiness />,
  },
  ...(isCustomer() ? [] : [{ key: 'customer', title: t.customer, cell: (row: Schema<'Domain'>) => row.customer_name }]),
  { key: 'mode', title: t.mode, cell: (row) => t.modes[row.renewal_mode] },
];

export default function DomainList() {
  const t = messages();
  const { go } = usePageUrl();
  const { names, sort, isFiltered, from, to, customerId } = useDomainList();
  const many = useSelection(names.data);
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
      {customerId && <OfCustomer customerId={customerId} />}
      {(from || to) && (
        <p class="row">
          {t.endsBetween(from && dayText(new Date(from)), to && dayText(new Date(to)))}
          <ButtonLink small href="/app/domains">
            {t.clear}
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
        columns={columns(t)}
        narrowed={
          isFiltered && {
            title: t.noneFound,
            text: many.chosen.size > 0 ? t.noneFoundSelected : t.noneFoundText,
            clear: t.clear,
          }
        }
        none={
          <Empty title={t.none} action={make}>
            {t.noneText}
          </Empty>
        }
      />
      {isMany && <BulkBar {...many} />}
    </>
  );
}
