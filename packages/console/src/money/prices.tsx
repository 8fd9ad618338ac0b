import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { TextFilter } from '../components/filter.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { type Column, Pager, Table } from '../components/table.tsx';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { ImportPrices } from './import.tsx';
import './money.css';
import { messages } from './messages.ts';
import { Rules } from './rules.tsx';

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

function columns(t: ReturnType<typeof messages>): readonly Column<Row>[] {
  return [
    { key: 'tld', title: t.tld, isTitle: true, cell: (row) => row.label },
    ...actions.map((action) => ({
      key: action,
      title: t.actions[action],
      isNumber: true,
      cell: (row: Row) => (
        <div class="two-prices">
          <span>
            <span class="faint">{t.cost}</span> <Price of={row.pay} action={action} />
          </span>
          <span>
            <span class="faint">{t.price}</span> <Price of={row.charge} action={action} />
          </span>
        </div>
      ),
    })),
  ];
}

/** The cost and the customer price of each TLD. */
export default function Prices() {
  const t = messages();
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
        title={t.prices}
        lead={t.pricesLead}
        actions={
          <>
            {may('account:write') && <Button onClick={() => setImporting(true)}>{t.importTitle}</Button>}
            <CopyCurl method="get" address="/v1/account/prices" />
          </>
        }
      />
      {isImporting && <ImportPrices onClose={() => setImporting(false)} />}
      <Rules pay={pay.data} charge={charge.data} />
      <search class="row">
        <TextFilter label={t.searchTld} value={query.has ?? ''} onText={(text) => go({ has: text })} />
      </search>
      <Table
        label={t.prices}
        rows={rows?.slice((page - 1) * pageSize, page * pageSize)}
        keyOf={(row) => row.tld}
        error={pay.error ?? charge.error}
        onRetry={pay.again}
        empty={<Empty title={t.noPrices}>{t.noPricesText}</Empty>}
        columns={columns(t)}
      />
      <Pager page={page} size={pageSize} total={rows?.length ?? 0} onPage={(next) => go({ page: String(next) })} />
    </>
  );
}
