import type { Schema } from '../api/shapes.ts';
import { Bars } from '../components/bars.tsx';
import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { moneyText } from '../components/money.tsx';
import { useResource } from '../data/resource.ts';
import { placesOf, textOf, wholeOf } from '../money/sums.ts';
import { messages } from './messages.ts';

const weekHours = 168;

function HoldsChart({ of: { currency, classes }, href }: { readonly of: Schema<'HeldMoney'>; readonly href?: string }) {
  const t = messages();
  const places = placesOf(classes[0]?.amount ?? '');
  const sum = classes.reduce((total, { amount }) => total + wholeOf(amount, places), 0n);
  const orders = classes.reduce((total, { count }) => total + count, 0);
  const old = classes
    .filter(({ from_hours }) => from_hours >= weekHours)
    .reduce((total, { count }) => total + count, 0);
  if (orders === 0) return <p>{t.noHolds}</p>;
  const found = t.holdsFound(moneyText(textOf(sum, places), currency), orders);
  return (
    <Bars
      title={old === 0 ? found : `${found} ${t.holdsOld(old)}`}
      head={t.age}
      noteHead={t.sum}
      keys={[{ label: t.orders, colour: 3 }]}
      bars={classes.map(({ count, amount }, n) => ({
        label: t.ages[n] ?? '',
        ...(href ? { href } : {}),
        counts: [count],
        note: moneyText(amount, currency),
      }))}
    />
  );
}

export function AccountHolds() {
  const t = messages();
  const holds = useResource('/account/series/holds', {});
  return (
    <Card title={t.holds}>
      <p class="faint">{t.holdsText}</p>
      {holds.data ? (
        <HoldsChart of={holds.data} href="/app/operations" />
      ) : holds.error ? (
        <ErrorBanner error={holds.error} onRetry={holds.refetch} />
      ) : (
        <Skeleton />
      )}
    </Card>
  );
}

export function PlatformHolds() {
  const t = messages();
  const holds = useResource('/operator/series/holds', {});
  return (
    <Card title={t.holds}>
      <p class="faint">{t.holdsText}</p>
      {!holds.data && (holds.error ? <ErrorBanner error={holds.error} onRetry={holds.refetch} /> : <Skeleton />)}
      {holds.data?.held.length === 0 && <p>{t.noHolds}</p>}
      {holds.data?.held.map((each) => (
        <HoldsChart key={each.currency} of={each} />
      ))}
    </Card>
  );
}
