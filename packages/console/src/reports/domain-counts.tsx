import type { ResponseBody } from '../api/shapes.ts';
import { Bars } from '../components/bars.tsx';
import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { type Resource, useResource } from '../data/resource.ts';
import { locale } from '../messages/locale.ts';
import { messages } from './messages.ts';

const monthCount = 24;

const monthText = (month: string) =>
  new Intl.DateTimeFormat(locale.value, { year: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

function Names({ of }: { readonly of: Resource<ResponseBody<'/account/series/domains', 'get'>> }) {
  const t = messages();
  if (!of.data)
    return (
      <Card title={t.names}>{of.error ? <ErrorBanner error={of.error} onRetry={of.refetch} /> : <Skeleton />}</Card>
    );
  const { months } = of.data;
  const kinds = ['registered', 'arrived', 'renewed', 'lost'] as const;
  const sum = (what: (typeof kinds)[number]) => months.reduce((total, month) => total + month[what], 0);
  const came = sum('registered') + sum('arrived');
  const colours = { registered: 3, arrived: 1, renewed: 5, lost: 2 } as const;
  const visible = kinds.filter((what) => what !== 'arrived' || sum(what) > 0);
  const found = came + sum('lost') === 0 ? t.noNames(monthCount) : t.namesFound(came, sum('lost'), monthCount);
  return (
    <Card title={t.names}>
      <Bars
        title={`${found} ${t.renewedIn(sum('renewed'))}`}
        head={t.month}
        keys={visible.map((what) => ({ label: t.domainChanges[what], colour: colours[what] }))}
        bars={months.map((month) => ({ label: monthText(month.month), counts: visible.map((what) => month[what]) }))}
      />
    </Card>
  );
}

export function AccountDomainCounts() {
  return <Names of={useResource('/account/series/domains', { query: { months: monthCount } })} />;
}

export function PlatformDomainCounts() {
  return <Names of={useResource('/operator/series/domains', { query: { months: monthCount } })} />;
}
