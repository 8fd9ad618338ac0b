import type { Shape } from '../api/shapes.ts';
import { useResource } from '../data/resource.ts';
import { placesOf, textOf, wholeOf } from '../money/sums.ts';
import { Bars } from '../parts/bars.tsx';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { moneyText } from '../parts/money.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { words } from './words.ts';

const weekHours = 168;

function Held({ of: { currency, classes }, href }: { readonly of: Shape<'HeldMoney'>; readonly href?: string }) {
  const w = words();
  const places = placesOf(classes[0]?.amount ?? '');
  const sum = classes.reduce((total, { amount }) => total + wholeOf(amount, places), 0n);
  const orders = classes.reduce((total, { count }) => total + count, 0);
  const old = classes
    .filter(({ from_hours }) => from_hours >= weekHours)
    .reduce((total, { count }) => total + count, 0);
  if (orders === 0) return <p>{w.noHolds}</p>;
  const found = w.holdsFound(moneyText(textOf(sum, places), currency), orders);
  return (
    <Bars
      title={old === 0 ? found : `${found} ${w.holdsOld(old)}`}
      head={w.age}
      noteHead={w.sum}
      keys={[{ label: w.orders, look: 3 }]}
      bars={classes.map(({ count, amount }, n) => ({
        label: w.ages[n] ?? '',
        ...(href ? { href } : {}),
        counts: [count],
        note: moneyText(amount, currency),
      }))}
    />
  );
}

export function OwnHolds() {
  const w = words();
  const said = useResource('/account/series/holds', {});
  return (
    <Card title={w.holds}>
      <p class="faint">{w.holdsText}</p>
      {said.data ? (
        <Held of={said.data} href="/app/operations" />
      ) : said.trouble ? (
        <TroubleNote trouble={said.trouble} onAgain={said.again} />
      ) : (
        <Waiting />
      )}
    </Card>
  );
}

export function AllHolds() {
  const w = words();
  const said = useResource('/operator/series/holds', {});
  return (
    <Card title={w.holds}>
      <p class="faint">{w.holdsText}</p>
      {!said.data && (said.trouble ? <TroubleNote trouble={said.trouble} onAgain={said.again} /> : <Waiting />)}
      {said.data?.held.length === 0 && <p>{w.noHolds}</p>}
      {said.data?.held.map((each) => (
        <Held key={each.currency} of={each} />
      ))}
    </Card>
  );
}
