import { useResource } from '../data/resource.ts';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { momentText } from '../parts/moment.tsx';
import { moneyText } from '../parts/money.tsx';
import { Plot } from '../parts/plot.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import './money.css';
import { placesOf, textOf, wholeOf } from './sums.ts';
import { words } from './words.ts';

const dayCount = 90;

/** Balance and spending of the last days. Figures of a picture may be floats; sums in words are added in whole numbers. */
export function MoneySeries() {
  const w = words();
  const said = useResource('/account/series', { query: { days: dayCount } });
  const funds = useResource('/account/funds', {});
  if (!said.data)
    return (
      <Card title={w.series}>
        {said.trouble ? <TroubleNote trouble={said.trouble} onAgain={said.again} /> : <Waiting />}
      </Card>
    );
  const { currency, days, runway_days: runway } = said.data;
  const places = placesOf(days[0]?.spent ?? '');
  const spent = days.reduce((sum, day) => sum + wholeOf(day.spent, places), 0n);
  const balance = wholeOf(days.at(-1)?.balance ?? '0', places);
  const shown = (sum: bigint) => moneyText(textOf(sum, places), currency);
  const credit = Number(funds.data?.credit_limit.amount ?? 0);
  const frame = {
    unit: currency,
    // Noon, so that a day has the same name in every zone but the farthest.
    at: days.map(({ date }) => Date.parse(`${date}T12:00:00Z`) / 1_000),
    dayTitle: w.date,
    showDay: (at: number) => momentText(new Date(at * 1_000)),
    showValue: (value: number) => moneyText(value.toFixed(places), currency),
  };
  return (
    <Card title={w.series}>
      <Plot
        {...frame}
        title={runway === null ? w.balanceIs(shown(balance)) : w.lastsFor(shown(balance), runway)}
        lines={[
          { label: w.balance, values: days.map((day) => Number(day.balance)), look: 1 },
          ...(credit > 0 ? [{ label: w.credit, values: days.map(() => -credit), look: 5 as const }] : []),
        ]}
      />
      <Plot
        {...frame}
        title={spent === 0n ? w.nothingSpent(dayCount) : w.spentIn(shown(spent), dayCount)}
        lines={[{ label: w.spent, values: days.map((day) => Number(day.spent)), look: 2, isBar: true }]}
      />
    </Card>
  );
}
