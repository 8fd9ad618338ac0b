import type { Schema } from '../api/shapes.ts';
import { Bars } from '../components/bars.tsx';
import { Card } from '../components/card.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Moment, momentText, readMoment } from '../components/moment.tsx';
import { Money, moneyText } from '../components/money.tsx';
import { businessNow } from '../data/clock.ts';
import { totalOf, useResource } from '../data/resource.ts';
import './money.css';
import { messages } from './messages.ts';
import { placesOf, textOf, wholeOf } from './sums.ts';

const weekMs = 7 * 86_400_000;
const weekCount = 26;
const soonDays = 90;
/** The forecast includes the first page of domains only. */
const most = 100;

interface Due {
  readonly row: Schema<'Domain'>;
  readonly at: Date;
  readonly price: string;
  readonly isCovered: boolean;
  readonly isSoon: boolean;
}

const day = (at: Date) => at.toISOString().slice(0, 10);

/** Upcoming renewals in order, with whether the balance covers them. It uses list prices for the shortest term. */
function renewalsDue(names: readonly Schema<'Domain'>[], prices: Schema<'PriceList'>, funds: Schema<'Funds'>) {
  const { amount, currency } = funds.balance;
  const places = placesOf(amount);
  const whole = (text: string) => wholeOf(text, places);
  const has = whole(amount) + whole(funds.credit_limit.amount);
  const soon = businessNow().getTime() + soonDays * 86_400_000;
  let needed = 0n;
  let neededSoon = 0n;
  const dues = names.flatMap((row): Due[] => {
    const price = Object.values(prices[row.tld_id]?.renew ?? {})[0];
    // Domains set to expire are not renewed.
    if (!price || row.state !== 'live' || row.renewal_mode === 'delete' || !row.expiry_date) return [];
    const at = readMoment(row.expiry_date);
    const isSoon = at.getTime() <= soon;
    needed += whole(price);
    if (isSoon) neededSoon += whole(price);
    return [{ row, at, price, isSoon, isCovered: needed <= has }];
  });
  const format = (sum: bigint) => moneyText(textOf(sum, places), currency);
  return { dues, currency, needed: format(neededSoon), isEnough: neededSoon <= has, missing: format(neededSoon - has) };
}

function weeksOf(dues: readonly Due[], from: Date) {
  return Array.from({ length: weekCount }, (_, n) => {
    const begins = new Date(from.getTime() + n * weekMs);
    const ends = new Date(begins.getTime() + weekMs - 1);
    // Expired domains that can still be renewed count in the first week.
    const own = dues.filter(({ at }) => (n === 0 || at >= begins) && at <= ends);
    const covered = own.filter(({ isCovered }) => isCovered).length;
    const since = n === 0 ? '' : `from=${day(begins)}&`;
    return {
      label: momentText(begins),
      href: `/app/domains?sort=expiry&${since}to=${day(ends)}`,
      counts: [covered, own.length - covered],
    };
  });
}

/** Whether the balance covers the upcoming renewals, and the missing amount. */
export function RenewalForecast() {
  const t = messages();
  const from = businessNow();
  const until = new Date(from.getTime() + weekCount * weekMs);
  const names = useResource('/domains', { query: { limit: most, sort: 'expiry', expiry_date_end: day(until) } });
  const isWanted = (names.data?.length ?? 0) > 0;
  const prices = useResource('/account/prices', isWanted ? {} : undefined);
  const funds = useResource('/account/funds', {});
  const error = names.error ?? prices.error ?? funds.error;
  const isKnown = names.data && funds.data && (prices.data || !isWanted);
  if (!isKnown) return <Card title={t.renewalsAhead}>{error ? <ErrorBanner error={error} /> : <Skeleton />}</Card>;
  const found = renewalsDue(names.data ?? [], prices.data ?? {}, funds.data!);
  const soon = found.dues.filter(({ isSoon }) => isSoon);
  const covered = soon.filter(({ isCovered }) => isCovered).length;
  const title =
    soon.length === 0
      ? t.noRenewals(soonDays)
      : found.isEnough
        ? t.allCovered(soon.length, soonDays, found.needed)
        : t.notAllCovered(covered, soon.length, soonDays, found.missing);
  return (
    <Card title={t.renewalsAhead}>
      {found.dues.length === 0 ? (
        <p>{title}</p>
      ) : (
        <Bars
          title={title}
          head={t.week}
          keys={[
            { label: t.covered, colour: 3 },
            { label: t.uncovered, colour: 2 },
          ]}
          bars={weeksOf(found.dues, from)}
        />
      )}
      {soon.length > 0 && (
        <details>
          <summary>{t.listByDomain}</summary>
          <dl class="facts">
            {soon.map(({ row, at, price, isCovered }) => (
              <div key={row.domain_id}>
                <dt>
                  <a href={`/app/domains/${row.domain_name}`}>
                    <DomainName name={row.domain_name} />
                  </a>
                </dt>
                <dd>
                  <Moment at={at} isBusiness /> · <Money amount={price} currency={found.currency} /> ·{' '}
                  {isCovered ? t.covered : t.uncovered}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <p class="faint">
        {t.renewalsText}
        {totalOf(names) > most && ` ${t.onlyFirst(most)}`}
      </p>
    </Card>
  );
}
