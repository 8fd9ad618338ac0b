import { useEffect, useRef, useState } from 'preact/hooks';
import { locale } from '../messages/locale.ts';
import { theme } from '../shell/theme.ts';
import { Figure, Figures, type Key } from './figure.tsx';

interface Line extends Key {
  /** Null: no value. The line has a gap. */
  readonly values: readonly (number | null)[];
}

interface Props {
  /** The finding, for screen readers. */
  readonly title: string;
  /** The unit of the axis. */
  readonly unit: string;
  /** Unix times in seconds, ascending. */
  readonly at: readonly number[];
  readonly lines: readonly Line[];
  readonly dayTitle: string;
  readonly showDay: (at: number) => string;
  readonly showValue: (value: number) => string;
  /** The axis has whole numbers only. */
  readonly isCount?: boolean;
}

/** Reads a colour of the style sheet, because a canvas cannot use CSS variables. */
function colour(within: Element, name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const dashes: Readonly<Record<number, number[]>> = { 2: [6, 4], 3: [2, 3], 4: [8, 3, 2, 3], 5: [12, 4], 6: [4, 2] };
const height = 180;
const wholeSteps = Array.from({ length: 24 }, (_, n) => [1, 2, 5][n % 3]! * 10 ** Math.floor(n / 3));

async function draw(into: HTMLElement, { unit, at, lines, showDay, isCount }: Props): Promise<() => void> {
  const [{ default: UPlot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  const numbers = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 2 });
  const axis = { stroke: colour(into, '--ink-faint'), grid: { stroke: colour(into, '--line'), width: 1 } };
  const plot = new UPlot(
    {
      width: into.clientWidth,
      height,
      // Space for the last axis label.
      padding: [8, 40, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, low, high) => [Math.min(0, low), Math.max(high, 1) * 1.05] } },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map(showDay), space: 90, size: 32 },
        {
          ...axis,
          label: unit,
          labelSize: 18,
          size: 64,
          ...(isCount ? { incrs: wholeSteps } : {}),
          values: (_, ticks) => ticks.map((tick) => numbers.format(tick)),
        },
      ],
      series: [
        {},
        ...lines.map(({ label, colour: number, isBar, values }) => ({
          label,
          stroke: colour(into, `--plot-${number}`),
          width: 2,
          // A value between two gaps is drawn as a point.
          points: { show: !isBar && (values.length === 1 || values.includes(null)), size: 6 },
          ...(isBar
            ? { fill: colour(into, `--plot-${number}`), paths: UPlot.paths.bars?.({ size: [0.7, 24, 1] }) }
            : { dash: dashes[number] ?? [] }),
        })),
      ],
    },
    [[...at], ...lines.map(({ values }) => [...values])],
    into,
  );
  const watch = new ResizeObserver(() => plot.setSize({ width: into.clientWidth, height }));
  watch.observe(into);
  return () => {
    watch.disconnect();
    plot.destroy();
  };
}

/** Follows a media query, which can change while the page is open. */
function useMedia(query: string): boolean {
  const [isSo, setSo] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setSo(media.matches);
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, [query]);
  return isSo;
}

function Canvas({ plot: props, onFailure }: { readonly plot: Props; readonly onFailure: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useMedia('(prefers-color-scheme: dark)');
  const isForced = useMedia('(forced-colors: active)');
  const shape = JSON.stringify([props.at, props.lines, props.unit, theme.value, locale.value, isDark, isForced]);
  useEffect(() => {
    let end: (() => void) | undefined;
    let isGone = false;
    if (place.current)
      void draw(place.current, props).then((done) => {
        if (isGone) done();
        else end = done;
        // If the chart library cannot be loaded, the table is shown.
      }, onFailure);
    return () => {
      isGone = true;
      end?.();
    };
  }, [shape]);
  return <div ref={place} class="plot-place" role="img" aria-label={props.title} />;
}

/** A line or bar chart over time. */
export function Plot(props: Props) {
  const { title, at, lines, dayTitle, showDay, showValue } = props;
  return (
    <Figure
      title={title}
      keys={lines}
      table={() => (
        <Figures
          title={title}
          heads={[dayTitle, ...lines.map(({ label }) => label)]}
          rows={at.flatMap((each, n) => {
            const cells = lines.map(({ values }) => values[n] ?? null);
            // A day without a value, or without a bar.
            if (cells.every((value, k) => value === null || (value === 0 && lines[k]?.isBar))) return [];
            return [[showDay(each), ...cells.map((value) => (value === null ? '–' : showValue(value)))]];
          })}
        />
      )}
    >
      {(onFailure) => <Canvas plot={props} onFailure={onFailure} />}
    </Figure>
  );
}
