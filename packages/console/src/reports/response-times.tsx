import type { ResponseBody } from '../api/shapes.ts';
import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { FilterSelect } from '../components/filter.tsx';
import { dayText } from '../components/moment.tsx';
import { Plot } from '../components/plot.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { type Resource, useResource } from '../data/resource.ts';
import { locale } from '../messages/locale.ts';
import { currentSession } from '../session/current-session.ts';
import { messages } from './messages.ts';

const spans = [24, 168, 2160] as const;
const hourMs = 3_600_000;

type Series = ResponseBody<'/operator/series/registries', 'get'> | ResponseBody<'/operator/series/nameservers', 'get'>;
type Point = { readonly at: string; readonly p50_ms: number | null; readonly p95_ms: number | null };

/** A localised duration such as 46 ms or 1.2 s. */
function duration(ms: number): string {
  const [value, unit] =
    ms < 1_000 ? [ms, 'millisecond'] : ms < 120_000 ? [ms / 1_000, 'second'] : [ms / 60_000, 'minute'];
  return new Intl.NumberFormat(locale.value, {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'short',
    maximumSignificantDigits: 3,
  }).format(value as number);
}

/** All steps between two times. Steps without data are gaps in the line. */
function stepsOf<P extends Point>({ from, to, step }: Series, points: readonly P[]) {
  const stepMs = step === 'hour' ? hourMs : 24 * hourMs;
  const first = Math.floor(Date.parse(from) / stepMs) * stepMs;
  const count = Math.floor((Date.parse(to) - first) / stepMs) + 1;
  const byTime = new Map(points.map((point) => [Date.parse(point.at), point]));
  const at = Array.from({ length: count }, (_, n) => first + n * stepMs);
  return { at: at.map((each) => each / 1_000), found: at.map((each) => byTime.get(each)) };
}

function showStep(step: Series['step'], at: number): string {
  const date = new Date(at * 1_000);
  // Days begin at midnight in UTC.
  if (step === 'day') return dayText(date);
  const timeZone = currentSession.value?.person.time_zone ?? 'UTC';
  return new Intl.DateTimeFormat(locale.value, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(date);
}

function ResponseTimeChart<P extends Point>({
  series,
  points,
  title,
}: {
  readonly series: Series;
  readonly points: readonly P[];
  readonly title: string;
}) {
  const t = messages();
  const { at, found } = stepsOf(series, points);
  return (
    <Plot
      title={title}
      unit={t.milliseconds}
      at={at}
      dayTitle={t.when}
      showDay={(each) => showStep(series.step, each)}
      showValue={duration}
      lines={[
        { label: t.median, values: found.map((point) => point?.p50_ms ?? null), colour: 1 },
        { label: t.p95, values: found.map((point) => point?.p95_ms ?? null), colour: 2 },
      ]}
    />
  );
}

function useSpan(usual: (typeof spans)[number]) {
  const t = messages();
  const { query } = usePageUrl();
  const hours = spans.find((each) => String(each) === query.hours) ?? usual;
  const choice = (
    <FilterSelect
      name="hours"
      label={t.span}
      value={String(hours)}
      options={spans.map((each) => [String(each), t.spans[each] ?? ''])}
    />
  );
  return { hours, span: t.spans[hours] ?? '', choice };
}

/** The highest 95th percentile of all points. */
const highestP95 = (points: readonly Point[]) => Math.max(0, ...points.map(({ p95_ms }) => p95_ms ?? 0));

function Loaded({ of }: { readonly of: Resource<unknown> }) {
  return of.error ? <ErrorBanner error={of.error} onRetry={of.refetch} /> : <Skeleton />;
}

export function ResponseTimes({ registries }: { readonly registries: readonly string[] }) {
  const t = messages();
  const { query } = usePageUrl();
  const { hours, span, choice } = useSpan(24);
  const registry = registries.find((each) => each === query.registry) ?? registries[0] ?? '';
  const all = useResource('/operator/series/registries', { query: { hours } });
  const each = useResource('/operator/series/registries', { query: { hours, registry_id: registry } });
  const commands = each.data?.lines.map(({ command }) => command ?? '') ?? [];
  const command = commands.find((one) => one === query.command);
  const series = command ? each : all;
  const points =
    series.data?.lines.find((line) => line.registry_id === registry && line.command === (command ?? null))?.points ??
    [];
  const sum = (of: 'answered' | 'failed' | 'unknown') => points.reduce((total, point) => total + point[of], 0);
  const answered = sum('answered');
  const [failed, unknown] = [sum('failed'), sum('unknown')];
  return (
    <Card title={t.times}>
      <p class="faint">{t.timesText}</p>
      <div class="row">
        {registries.length > 1 && (
          <FilterSelect
            name="registry"
            label={t.registry}
            value={registry}
            options={registries.map((one) => [one, one])}
          />
        )}
        <FilterSelect
          name="command"
          label={t.command}
          value={command ?? ''}
          options={[
            ['', t.allCommands],
            ...commands.map((one) => [one, t.commandOf[one] ?? one.replace(':', ': ')] as const),
          ]}
        />
        {choice}
      </div>
      {!series.data && <Loaded of={series} />}
      {series.data && points.length === 0 && <p>{t.noTimes(span)}</p>}
      {series.data && points.length > 0 && (
        <>
          <ResponseTimeChart
            series={series.data}
            points={points}
            title={t.timesFound(duration(highestP95(points)), answered, span)}
          />
          {failed + unknown === 0 ? (
            <p>{t.noFaults}</p>
          ) : (
            <FaultChart series={series.data} points={points} title={t.faults(failed, unknown)} />
          )}
        </>
      )}
    </Card>
  );
}

type Counted = Point & { readonly failed: number; readonly unknown: number };

function FaultChart({
  series,
  points,
  title,
}: {
  readonly series: Series;
  readonly points: readonly Counted[];
  readonly title: string;
}) {
  const t = messages();
  const { at, found } = stepsOf(series, points);
  return (
    <Plot
      title={title}
      unit={t.command}
      at={at}
      dayTitle={t.when}
      showDay={(each) => showStep(series.step, each)}
      showValue={String}
      isCount
      lines={[
        { label: t.failed, values: found.map((point) => point?.failed ?? null), colour: 2 },
        { label: t.unknown, values: found.map((point) => point?.unknown ?? null), colour: 4 },
      ]}
    />
  );
}

export function PublicationTimes() {
  const t = messages();
  const { query } = usePageUrl();
  const { hours, span, choice } = useSpan(168);
  const resource = useResource('/operator/series/nameservers', { query: { hours } });
  const lines = resource.data?.lines ?? [];
  const line = lines.find((each) => each.nameserver_id === query.nameserver) ?? lines[0];
  const published = line?.points.reduce((sum, point) => sum + point.published, 0) ?? 0;
  return (
    <Card title={t.lag}>
      <p class="faint">{t.lagText}</p>
      <div class="row">
        {lines.length > 1 && (
          <FilterSelect
            name="nameserver"
            label={t.nameserver}
            value={line?.nameserver_id ?? ''}
            options={lines.map(({ nameserver_id }) => [nameserver_id, nameserver_id])}
          />
        )}
        {choice}
      </div>
      {!resource.data && <Loaded of={resource} />}
      {resource.data && !line && <p>{t.noLag(span)}</p>}
      {resource.data && line && (
        <ResponseTimeChart
          series={resource.data}
          points={line.points}
          title={t.lagFound(duration(highestP95(line.points)), published, span)}
        />
      )}
    </Card>
  );
}
