import type { AnswerOf } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { type Resource, useResource } from '../data/resource.ts';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Choice } from '../parts/filter.tsx';
import { momentText } from '../parts/moment.tsx';
import { Plot } from '../parts/plot.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { who } from '../session/who.ts';
import { language } from '../words/speak.ts';
import { words } from './words.ts';

const spans = [24, 168, 2160] as const;
const hourMs = 3_600_000;

type Series = AnswerOf<'/operator/series/registries', 'get'> | AnswerOf<'/operator/series/nameservers', 'get'>;
type Point = { readonly at: string; readonly p50_ms: number | null; readonly p95_ms: number | null };

/** 46 ms, 1.2 s: as a person says it, in its language. */
function duration(ms: number): string {
  const [value, unit] =
    ms < 1_000 ? [ms, 'millisecond'] : ms < 120_000 ? [ms / 1_000, 'second'] : [ms / 60_000, 'minute'];
  return new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'short',
    maximumSignificantDigits: 3,
  }).format(value as number);
}

/** Each step between two moments, also those in which nothing happened: a line does not lead through silence. */
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
  if (step === 'day') return momentText(date);
  const timeZone = who.value?.person.time_zone ?? 'UTC';
  return new Intl.DateTimeFormat(language.value, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(date);
}

function Waits<P extends Point>({
  series,
  points,
  title,
}: {
  readonly series: Series;
  readonly points: readonly P[];
  readonly title: string;
}) {
  const w = words();
  const { at, found } = stepsOf(series, points);
  return (
    <Plot
      title={title}
      unit={w.milliseconds}
      at={at}
      dayTitle={w.when}
      showDay={(each) => showStep(series.step, each)}
      showValue={duration}
      lines={[
        { label: w.half, values: found.map((point) => point?.p50_ms ?? null), look: 1 },
        { label: w.most, values: found.map((point) => point?.p95_ms ?? null), look: 2 },
      ]}
    />
  );
}

function useSpan(usual: (typeof spans)[number]) {
  const w = words();
  const { query } = useAddress();
  const hours = spans.find((each) => String(each) === query.hours) ?? usual;
  const choice = (
    <Choice
      name="hours"
      label={w.span}
      value={String(hours)}
      options={spans.map((each) => [String(each), w.spans[each] ?? ''])}
    />
  );
  return { hours, span: w.spans[hours] ?? '', choice };
}

/** The worst that is still usual: of the points, the one that nearly all stay below. */
const worst = (points: readonly Point[]) => Math.max(0, ...points.map(({ p95_ms }) => p95_ms ?? 0));

function Said({ of }: { readonly of: Resource<unknown> }) {
  return of.trouble ? <TroubleNote trouble={of.trouble} onAgain={of.again} /> : <Waiting />;
}

export function AnswerTimes({ registries }: { readonly registries: readonly string[] }) {
  const w = words();
  const { query } = useAddress();
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
    <Card title={w.times}>
      <p class="faint">{w.timesText}</p>
      <div class="row">
        {registries.length > 1 && (
          <Choice name="registry" label={w.registry} value={registry} options={registries.map((one) => [one, one])} />
        )}
        <Choice
          name="command"
          label={w.command}
          value={command ?? ''}
          options={[
            ['', w.allCommands],
            ...commands.map((one) => [one, w.commandOf[one] ?? one.replace(':', ': ')] as const),
          ]}
        />
        {choice}
      </div>
      {!series.data && <Said of={series} />}
      {series.data && points.length === 0 && <p>{w.noTimes(span)}</p>}
      {series.data && points.length > 0 && (
        <>
          <Waits series={series.data} points={points} title={w.timesFound(duration(worst(points)), answered, span)} />
          {failed + unknown === 0 ? (
            <p>{w.noFaults}</p>
          ) : (
            <Faults series={series.data} points={points} title={w.faults(failed, unknown)} />
          )}
        </>
      )}
    </Card>
  );
}

type Counted = Point & { readonly failed: number; readonly unknown: number };

function Faults({
  series,
  points,
  title,
}: {
  readonly series: Series;
  readonly points: readonly Counted[];
  readonly title: string;
}) {
  const w = words();
  const { at, found } = stepsOf(series, points);
  return (
    <Plot
      title={title}
      unit={w.command}
      at={at}
      dayTitle={w.when}
      showDay={(each) => showStep(series.step, each)}
      showValue={String}
      isCount
      lines={[
        { label: w.failed, values: found.map((point) => point?.failed ?? null), look: 2 },
        { label: w.unknown, values: found.map((point) => point?.unknown ?? null), look: 4 },
      ]}
    />
  );
}

export function PublicationTimes() {
  const w = words();
  const { query } = useAddress();
  const { hours, span, choice } = useSpan(168);
  const said = useResource('/operator/series/nameservers', { query: { hours } });
  const lines = said.data?.lines ?? [];
  const line = lines.find((each) => each.nameserver_id === query.nameserver) ?? lines[0];
  const published = line?.points.reduce((sum, point) => sum + point.published, 0) ?? 0;
  return (
    <Card title={w.lag}>
      <p class="faint">{w.lagText}</p>
      <div class="row">
        {lines.length > 1 && (
          <Choice
            name="nameserver"
            label={w.nameserver}
            value={line?.nameserver_id ?? ''}
            options={lines.map(({ nameserver_id }) => [nameserver_id, nameserver_id])}
          />
        )}
        {choice}
      </div>
      {!said.data && <Said of={said} />}
      {said.data && !line && <p>{w.noLag(span)}</p>}
      {said.data && line && (
        <Waits
          series={said.data}
          points={line.points}
          title={w.lagFound(duration(worst(line.points)), published, span)}
        />
      )}
    </Card>
  );
}
