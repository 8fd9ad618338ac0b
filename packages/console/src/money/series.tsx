import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { dayText } from '../components/moment.tsx';
import { moneyText } from '../components/money.tsx';
import { Plot } from '../components/plot.tsx';
import { useResource } from '../data/resource.ts';
import './money.css';
import { messages } from './messages.ts';
import { placesOf, textOf, wholeOf } from './sums.ts';

const dayCount = 90;

/** Balance and spending of the last days. The chart uses floats; the totals do not. */
export function MoneySeries() {
  const t = messages();
  const resource = useResource('/account/series', { query: { days: dayCount } });
  const funds = useResource('/account/funds', {});
  if (!resource.data)
    return (
      <Card title={t.series}>
        {resource.error ? <ErrorBanner error={resource.error} onRetry={resource.refetch} /> : <Skeleton />}
      </Card>
    );
  const { currency, days, runway_days: runway } = resource.data;
  const places = placesOf(days[0]?.spent ?? '');
  const spent = days.reduce((sum, day) => sum + wholeOf(day.spent, places), 0n);
  const balance = wholeOf(days.at(-1)?.balance ?? '0', places);
  const format = (sum: bigint) => moneyText(textOf(sum, places), currency);
  const credit = Number(funds.data?.credit_limit.amount ?? 0);
  const frame = {
    unit: currency,
    at: days.map(({ date }) => Date.parse(date) / 1_000),
    dayTitle: t.date,
    showDay: (at: number) => dayText(new Date(at * 1_000)),
    showValue: (value: number) => moneyText(value.toFixed(places), currency),
  };
  return (
    <Card title={t.series}>
      <Plot
        {...frame}
        title={runway === null ? t.balanceIs(format(balance)) : t.balanceLasts(format(balance), runway)}
        lines={[
          { label: t.balance, values: days.map((day) => Number(day.balance)), colour: 1 },
          ...(credit > 0 ? [{ label: t.credit, values: days.map(() => -credit), colour: 5 as const }] : []),
        ]}
      />
      <Plot
        {...frame}
        title={spent === 0n ? t.nothingSpent(dayCount) : t.spentIn(format(spent), dayCount)}
        lines={[{ label: t.spent, values: days.map((day) => Number(day.spent)), colour: 2, isBar: true }]}
      />
    </Card>
  );
}
