import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { TextFilter } from '../components/filter.tsx';
import { Badge } from '../components/light.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { type Column, Pager, Table } from '../components/table.tsx';
import { useAddress } from '../data/address.ts';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { isBelowCost, type PricedAction, pricedActions } from './below-cost.ts';
import { ImportPrices } from './import.tsx';
import './money.css';
import { messages } from './messages.ts';
import { Rules } from './rules.tsx';
import { placesOf, wholeOf } from './sums.ts';

type Entry = Shape<'PriceList'>[string];
const pageSize = 50;

interface Row {
  readonly tld: string;
  readonly label: string;
  readonly pay: Entry;
  readonly charge: Entry | undefined;
}

/** The price of the shortest term, and the terms that are not a multiple of it. */
function termsOf(of: Entry | undefined, action: PricedAction): readonly (readonly [years: string, amount: string])[] {
  const [first, ...longer] = Object.entries(of?.[action] ?? {});
  if (!first) return [];
  const [shortest, amount] = first;
  const perTerm = (sum: string, years: string) => wholeOf(sum, placesOf(amount)) * BigInt(years);
  return [first, ...longer.filter(([years, sum]) => perTerm(sum, shortest) !== perTerm(amount, years))];
}

function Price({
  of,
  cost,
  action,
}: {
  readonly of: Entry | undefined;
  /** If given, prices below the cost are marked. */
  readonly cost?: Entry;
  readonly action: PricedAction;
}) {
  const t = messages();
  const terms = termsOf(of, action);
  if (!of || terms.length === 0) return <span class="faint">–</span>;
  return terms.map(([years, amount]) => (
    <span key={years} class="priced">
      {cost && isBelowCost(cost, of, action, years) && <Badge tone="bad">{t.belowCost}</Badge>}
      <Money amount={amount} currency={of.currency} />
      {years !== '1' && <span class="faint">{t.perTerm(Number(years))}</span>}
    </span>
  ));
}

function columns(t: ReturnType<typeof messages>): readonly Column<Row>[] {
  return [
    { key: 'tld', title: t.tld, isTitle: true, cell: (row) => row.label },
    ...pricedActions.map((action) => ({
      key: action,
      title: t.actions[action],
      isNumber: true,
      cell: (row: Row) => (
        <div class="two-prices">
          <span>
            <span class="faint">{t.cost}</span> <Price of={row.pay} action={action} />
          </span>
          <span>
            <span class="faint">{t.price}</span> <Price of={row.charge} cost={row.pay} action={action} />
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
