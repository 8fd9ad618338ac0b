import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from '../shell/theme.ts';
import { language } from '../words/speak.ts';
import { Figure, Figures, type Key } from './figure.tsx';

interface Line extends Key {
  /** Null: nothing was measured then, and no line leads through it. */
  readonly values: readonly (number | null)[];
}

interface Given {
  /** States the finding, not the subject. */
  readonly title: string;
  /** Stands at the axis. */
  readonly unit: string;
  /** Seconds since 1970, in order. */
  readonly at: readonly number[];
  readonly lines: readonly Line[];
  readonly dayTitle: string;
  readonly showDay: (at: number) => string;
  readonly showValue: (value: number) => string;
  /** Whole things are counted: the axis has no parts of them. */
  readonly isCount?: boolean;
}

/** As the page has it: a canvas does not know the words of the style sheet. */
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
/** 1, 2, 5, 10 and so on. */
const wholeSteps = Array.from({ length: 24 }, (_, n) => [1, 2, 5][n % 3]! * 10 ** Math.floor(n / 3));

async function draw(into: HTMLElement, { unit, at, lines, showDay, isCount }: Given): Promise<() => void> {
  const [{ default: UPlot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  const numbers = new Intl.NumberFormat(language.value, { maximumFractionDigits: 2 });
  const axis = { stroke: colour(into, '--ink-faint'), grid: { stroke: colour(into, '--line'), width: 1 } };
  const plot = new UPlot(
    {
      width: into.clientWidth,
      height,
      // Room for half of the last label.
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
        ...lines.map(({ label, look, isBar, values }) => ({
          label,
          stroke: colour(into, `--plot-${look}`),
          width: 2,
          // A value between two silences has no line: it is a point.
          points: { show: !isBar && (values.length === 1 || values.includes(null)), size: 6 },
          ...(isBar
            ? { fill: colour(into, `--plot-${look}`), paths: UPlot.paths.bars?.({ size: [0.7, 24, 1] }) }
            : { dash: dashes[look] ?? [] }),
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

/** Follows the system: who reads with its colours may change them while the page is open. */
function useMedia(query: string): boolean {
  const [isSo, setSo] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const hear = () => setSo(media.matches);
    media.addEventListener('change', hear);
    return () => media.removeEventListener('change', hear);
  }, [query]);
  return isSo;
}

function Canvas({ given, giveUp }: { readonly given: Given; readonly giveUp: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useMedia('(prefers-color-scheme: dark)');
  const isForced = useMedia('(forced-colors: active)');
  const shape = JSON.stringify([given.at, given.lines, given.unit, theme.value, language.value, isDark, isForced]);
  useEffect(() => {
    let end: (() => void) | undefined;
    let isGone = false;
    if (place.current)
      void draw(place.current, given).then((done) => {
        if (isGone) done();
        else end = done;
        // A picture that cannot be loaded: its table is there.
      }, giveUp);
    return () => {
      isGone = true;
      end?.();
    };
  }, [shape]);
  return <div ref={place} class="plot-place" role="img" aria-label={given.title} />;
}

/** Figures by day. */
export function Plot(given: Given) {
  const { title, at, lines, dayTitle, showDay, showValue } = given;
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
            if (cells.every((value) => value === null)) return [];
            return [[showDay(each), ...cells.map((value) => (value === null ? '–' : showValue(value)))]];
          })}
        />
      )}
    >
      {(giveUp) => <Canvas given={given} giveUp={giveUp} />}
    </Figure>
  );
}
