import type { AnswerOf } from '../api/shapes.ts';
import { type Resource, useResource } from '../data/resource.ts';
import { Bars } from '../parts/bars.tsx';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { language } from '../words/speak.ts';
import { words } from './words.ts';

const monthCount = 24;

const monthText = (month: string) =>
  new Intl.DateTimeFormat(language.value, { year: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

function Names({ of }: { readonly of: Resource<AnswerOf<'/account/series/names', 'get'>> }) {
  const w = words();
  if (!of.data)
    return (
      <Card title={w.names}>{of.trouble ? <TroubleNote trouble={of.trouble} onAgain={of.again} /> : <Waiting />}</Card>
    );
  const { months } = of.data;
  const whats = ['registered', 'arrived', 'renewed', 'lost'] as const;
  const sum = (what: (typeof whats)[number]) => months.reduce((total, month) => total + month[what], 0);
  const came = sum('registered') + sum('arrived');
  const looks = { registered: 3, arrived: 1, renewed: 5, lost: 2 } as const;
  const shown = whats.filter((what) => what !== 'arrived' || sum(what) > 0);
  const found = came + sum('lost') === 0 ? w.noNames(monthCount) : w.namesFound(came, sum('lost'), monthCount);
  return (
    <Card title={w.names}>
      <Bars
        title={`${found} ${w.renewedIn(sum('renewed'))}`}
        head={w.month}
        keys={shown.map((what) => ({ label: w[what], look: looks[what] }))}
        bars={months.map((month) => ({ label: monthText(month.month), counts: shown.map((what) => month[what]) }))}
      />
    </Card>
  );
}

export function OwnNames() {
  return <Names of={useResource('/account/series/names', { query: { months: monthCount } })} />;
}

export function AllNames() {
  return <Names of={useResource('/operator/series/names', { query: { months: monthCount } })} />;
}
