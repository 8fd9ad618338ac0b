import { useState } from 'preact/hooks';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { Empty } from '../components/empty.tsx';
import { TextFilter } from '../components/filter.tsx';
import { Money } from '../components/money.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Badge } from '../components/status-icon.tsx';
import { type Column, Pager, Table } from '../components/table.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { isBelowCost, type PricedAction, pricedActions } from './below-cost.ts';
import { ImportPrices } from './import.tsx';
import './money.css';
import { messages } from './messages.ts';
import { Rules } from './rules.tsx';
import { placesOf, wholeOf } from './sums.ts';

type Entry = Schema<'PriceList'>[string];
const pageSize = 50;

interface Row {
  readonly tld: string;
  readonly label: string;
  readonly pay: Entry;
  readonly charge: Entry | undefined;
}

/** Further terms in the cell of a price; more of them are collapsed. */
const mostFurther = 2;

/** The price of the shortest term, and the terms that are not a multiple of it, apart from rounding to the smallest unit. */
function termsOf(of: Entry | undefined, action: PricedAction): readonly (readonly [years: string, amount: string])[] {
  const [first, ...longer] = Object.entries(of?.[action] ?? {});
  if (!first) return [];
  const [shortest, amount] = first;
  const perTerm = (sum: string, years: string) => wholeOf(sum, placesOf(amount)) * BigInt(years);
  const isOther = ([years, sum]: readonly [string, string]) => {
    const difference = Number(perTerm(sum, shortest) - perTerm(amount, years));
    return Math.abs(difference) > (Number(shortest) + Number(years)) / 2;
  };
  return [first, ...longer.filter(isOther)];
}

interface PriceProps {
  readonly label: string;
  readonly of: Entry | undefined;
  /** If given, prices below the cost are marked. */
  readonly cost?: Entry;
  readonly action: PricedAction;
}

function Price({ label, of, cost, action }: PriceProps) {
  const t = messages();
  const [first, ...further] = termsOf(of, action);
  const line = ([years, amount]: readonly [string, string], heading?: string) => (
    <span key={years} class="priced">
      {cost && isBelowCost(cost, of, action, years) && <Badge tone="bad">{t.belowCost}</Badge>}
      {heading && <span class="faint">{heading}</span>}
      <Money amount={amount} currency={of?.currency ?? ''} />
      {years !== '1' && <span class="faint">{t.perTerm(Number(years))}</span>}
    </span>
  );
  if (!first) return <span class="faint">{label} –</span>;
  const lines = further.map((each) => line(each));
  return (
    <>
      {line(first, label)}
      {lines.length <= mostFurther ? (
        lines
      ) : (
        <details>
          <summary>{t.otherTerms(lines.length)}</summary>
          <div class="two-prices">{lines}</div>
        </details>
      )}
    </>
  );
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
          <Price label={t.cost} of={row.pay} action={action} />
          <Price label={t.price} of={row.charge} cost={row.pay} action={action} />
        </div>
      ),
    })),
  ];
}

/** The cost and the customer price of each TLD. */
export default function Prices() {
  const t = messages();
  const { query, page, go } = usePageUrl();
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
        onRetry={() => {
          pay.refetch();
          charge.refetch();
        }}
        empty={<Empty title={t.noPrices}>{t.noPricesText}</Empty>}
        columns={columns(t)}
      />
      <Pager page={page} size={pageSize} total={rows?.length ?? 0} onPage={(next) => go({ page: String(next) })} />
    </>
  );
}
