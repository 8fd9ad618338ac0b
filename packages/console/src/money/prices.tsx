import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextFilter } from '../parts/filter.tsx';
import { Money } from '../parts/money.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { may } from '../session/who.ts';
import { ImportPrices } from './import.tsx';
import './money.css';
import { Rules } from './rules.tsx';
import { words } from './words.ts';

type Entry = Shape<'PriceList'>[string];
const pageSize = 50;
const actions = ['create', 'renew', 'transfer', 'restore'] as const;

interface Row {
  readonly tld: string;
  readonly label: string;
  readonly pay: Entry;
  readonly charge: Entry | undefined;
}

function Price({ of, action }: { readonly of: Entry | undefined; readonly action: (typeof actions)[number] }) {
  const [years, amount] = Object.entries(of?.[action] ?? {})[0] ?? [];
  if (!of || !amount) return <span class="faint">–</span>;
  return (
    <>
      <Money amount={amount} currency={of.currency} />
      {years !== '1' && <span class="faint"> / {years}</span>}
    </>
  );
}

function columns(w: ReturnType<typeof words>): readonly Column<Row>[] {
  return [
    { key: 'tld', title: w.tld, isTitle: true, cell: (row) => row.label },
    ...actions.map((action) => ({
      key: action,
      title: w.actions[action],
      isNumber: true,
      cell: (row: Row) => (
        <div class="two-prices">
          <span>
            <span class="faint">{w.pay}</span> <Price of={row.pay} action={action} />
          </span>
          <span>
            <span class="faint">{w.charge}</span> <Price of={row.charge} action={action} />
          </span>
        </div>
      ),
    })),
  ];
}

/** What the account pays, and what its customers are charged, side by side. */
export default function Prices() {
  const w = words();
  const { query, page, go } = useAddress();
  const [isImporting, setImporting] = useState(false);
  const pay = useResource('/account/prices', {});
  const charge = useResource('/customers/prices', may('customers:read') ? {} : undefined);
  const has = (query.has ?? '').toLowerCase().replace(/^\./, '');
  const rows = pay.data
    ? Object.entries(pay.data)
        .map(([tld, entry]) => ({ tld, label: entry.tld_label, pay: entry, charge: charge.data?.[tld] }))
        .filter(({ tld, label }) => `${tld} ${label}`.includes(has))
    : undefined;
  return (
    <>
      <PageHead
        title={w.prices}
        lead={w.pricesLead}
        actions={
          <>
            {may('account:write') && <Button onClick={() => setImporting(true)}>{w.importTitle}</Button>}
            <CopyCurl method="get" address="/v1/account/prices" />
          </>
        }
      />
      {isImporting && <ImportPrices onClose={() => setImporting(false)} />}
      <Rules pay={pay.data} charge={charge.data} />
      <search class="row">
        <TextFilter label={w.searchTld} value={query.has ?? ''} onText={(text) => go({ has: text })} />
      </search>
      <Table
        label={w.prices}
        rows={rows?.slice((page - 1) * pageSize, page * pageSize)}
        keyOf={(row) => row.tld}
        trouble={pay.trouble ?? charge.trouble}
        onAgain={pay.again}
        empty={<Empty title={w.noPrices}>{w.noPricesText}</Empty>}
        columns={columns(w)}
      />
      <Pager page={page} size={pageSize} total={rows?.length ?? 0} onPage={(next) => go({ page: String(next) })} />
    </>
  );
}
