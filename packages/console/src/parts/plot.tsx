import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from '../shell/theme.ts';
import { language } from '../words/speak.ts';
import { Figure, Figures, type Key } from './figure.tsx';

interface Line extends Key {
  readonly values: readonly number[];
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

async function draw(into: HTMLElement, { unit, at, lines, showDay }: Given): Promise<() => void> {
  const [{ default: UPlot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  const axis = { stroke: colour(into, '--ink-faint'), grid: { stroke: colour(into, '--line'), width: 1 } };
  const plot = new UPlot(
    {
      width: into.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, low, high) => [Math.min(0, low), Math.max(high, 1) * 1.05] } },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map(showDay), space: 90, size: 32 },
        { ...axis, label: unit, labelSize: 18, size: 64 },
      ],
      series: [
        {},
        ...lines.map(({ label, look, isBar }) => ({
          label,
          stroke: colour(into, `--plot-${look}`),
          width: 2,
          points: { show: false },
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
          rows={at.map((each, n) => [showDay(each), ...lines.map(({ values }) => showValue(values[n] ?? 0))])}
        />
      )}
    >
      {(giveUp) => <Canvas given={given} giveUp={giveUp} />}
    </Figure>
  );
}
