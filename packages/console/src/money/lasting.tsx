import type { Shape } from '../api/shapes.ts';
import { businessNow } from '../data/clock.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { Bars } from '../parts/bars.tsx';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Moment, momentText, readMoment } from '../parts/moment.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { NameText } from '../parts/name-text.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import './money.css';
import { placesOf, textOf, wholeOf } from './sums.ts';
import { words } from './words.ts';

const weekMs = 7 * 86_400_000;
const weekCount = 26;
const soonDays = 90;
/** A page of the list: more names are not looked at from here. */
const most = 100;

interface Due {
  readonly row: Shape<'Domain'>;
  readonly at: Date;
  readonly price: string;
  readonly isCovered: boolean;
  readonly isSoon: boolean;
}

const day = (at: Date) => at.toISOString().slice(0, 10);

/** Renewals in the order in which they come, each with whether the money reaches as far. By list price, for the shortest term. */
function duesOf(names: readonly Shape<'Domain'>[], prices: Shape<'PriceList'>, funds: Shape<'Funds'>) {
  const { amount, currency } = funds.balance;
  const places = placesOf(amount);
  const whole = (text: string) => wholeOf(text, places);
  const has = whole(amount) + whole(funds.credit_limit.amount);
  const soon = businessNow().getTime() + soonDays * 86_400_000;
  let needed = 0n;
  let neededSoon = 0n;
  const dues = names.flatMap((row): Due[] => {
    const price = Object.values(prices[row.tld_id]?.renew ?? {})[0];
    // A domain that is let expire is not renewed.
    if (!price || row.state !== 'live' || row.renewal_mode === 'delete' || !row.expiry_date) return [];
    const at = readMoment(row.expiry_date);
    const isSoon = at.getTime() <= soon;
    needed += whole(price);
    if (isSoon) neededSoon += whole(price);
    return [{ row, at, price, isSoon, isCovered: needed <= has }];
  });
  const shown = (sum: bigint) => moneyText(textOf(sum, places), currency);
  return { dues, currency, needed: shown(neededSoon), isEnough: neededSoon <= has, missing: shown(neededSoon - has) };
}

function weeksOf(dues: readonly Due[], from: Date) {
  return Array.from({ length: weekCount }, (_, n) => {
    const begins = new Date(from.getTime() + n * weekMs);
    const ends = new Date(begins.getTime() + weekMs - 1);
    // What is over already and can still be renewed stands in the first week.
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

/** Whether the money lasts for the renewals ahead, and what would be missing. */
export function WillItLast() {
  const w = words();
  const from = businessNow();
  const until = new Date(from.getTime() + weekCount * weekMs);
  const names = useResource('/domains', { query: { limit: most, sort: 'expiry', expiry_date_end: day(until) } });
  const isWanted = (names.data?.length ?? 0) > 0;
  const prices = useResource('/account/prices', isWanted ? {} : undefined);
  const funds = useResource('/account/funds', {});
  const trouble = names.trouble ?? prices.trouble ?? funds.trouble;
  const isKnown = names.data && funds.data && (prices.data || !isWanted);
  if (!isKnown) return <Card title={w.lasting}>{trouble ? <TroubleNote trouble={trouble} /> : <Waiting />}</Card>;
  const found = duesOf(names.data ?? [], prices.data ?? {}, funds.data!);
  const soon = found.dues.filter(({ isSoon }) => isSoon);
  const covered = soon.filter(({ isCovered }) => isCovered).length;
  const title =
    soon.length === 0
      ? w.lastsNone(soonDays)
      : found.isEnough
        ? w.lastsAll(soon.length, soonDays, found.needed)
        : w.lastsNot(covered, soon.length, soonDays, found.missing);
  return (
    <Card title={w.lasting}>
      {found.dues.length === 0 ? (
        <p>{title}</p>
      ) : (
        <Bars
          title={title}
          head={w.week}
          keys={[
            { label: w.covered, look: 3 },
            { label: w.uncovered, look: 2 },
          ]}
          bars={weeksOf(found.dues, from)}
        />
      )}
      {soon.length > 0 && (
        <details>
          <summary>{w.byName}</summary>
          <dl class="facts">
            {soon.map(({ row, at, price, isCovered }) => (
              <div key={row.domain_id}>
                <dt>
                  <a href={`/app/domains/${row.domain_name}`}>
                    <NameText name={row.domain_name} />
                  </a>
                </dt>
                <dd>
                  <Moment at={at} isBusiness /> · <Money amount={price} currency={found.currency} /> ·{' '}
                  {isCovered ? w.covered : w.uncovered}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <p class="faint">
        {w.lastsText}
        {totalOf(names) > most && ` ${w.onlyFirst(most)}`}
      </p>
    </Card>
  );
}
