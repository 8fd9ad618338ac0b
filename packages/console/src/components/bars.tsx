import { useLocation } from 'preact-iso';
import { Figure, Figures, type Key } from './figure.tsx';

interface Bar {
  readonly label: string;
  /** The list behind the bar. */
  readonly href?: string;
  /** One value for each key, stacked. */
  readonly counts: readonly number[];
  /** Additional information, such as the amount. */
  readonly note?: string;
}

interface Props {
  readonly title: string;
  readonly head: string;
  readonly keys: readonly Key[];
  readonly bars: readonly Bar[];
  /** The table head for notes. */
  readonly noteHead?: string;
}

const top = 12;
const bottom = 108;
/** Up to this number of bars, each bar has a label. */
const fewBars = 6;

/** One stacked bar. */
function BarShape({
  bar,
  keys,
  high,
  x,
  width,
  description,
}: {
  readonly bar: Bar;
  readonly keys: readonly Key[];
  readonly high: (count: number) => number;
  readonly x: number;
  readonly width: number;
  readonly description: string;
}) {
  let reached = bottom;
  return (
    <>
      {keys.map(({ colour }, k) => {
        const height = high(bar.counts[k] ?? 0);
        reached -= height;
        return (
          <rect key={colour} class={`look-${colour}`} x={`${x}%`} width={`${width}%`} y={reached} height={height} />
        );
      })}
      <title>{`${bar.label}: ${description}`}</title>
    </>
  );
}

/** Labels every bar of a few, otherwise the first and the last. */
function Names({ bars, width }: { readonly bars: readonly Bar[]; readonly width: number }) {
  if (bars.length <= fewBars)
    return (
      <>
        {bars.map((bar, n) => (
          <text key={bar.label} x={`${7 + (n + 0.4) * width}%`} y="126" text-anchor="middle">
            {bar.label}
          </text>
        ))}
      </>
    );
  return (
    <>
      <text x="6%" y="126">
        {bars[0]?.label}
      </text>
      <text x="100%" y="126" text-anchor="end">
        {bars.at(-1)?.label}
      </text>
    </>
  );
}

/** A stacked bar chart whose bars link to lists. It uses SVG attributes because the policy forbids inline styles. */
export function Bars({ title, head, keys, bars, noteHead }: Props) {
  const { route } = useLocation();
  const sumOf = ({ counts }: Bar) => counts.reduce((sum, each) => sum + each, 0);
  const most = Math.max(1, ...bars.map(sumOf));
  const high = (count: number) => (count / most) * (bottom - top);
  const width = 92 / bars.length;
  return (
    <Figure
      title={title}
      keys={keys.map((key) => ({ ...key, isBar: true }))}
      table={() => (
        <Figures
          title={title}
          heads={[head, ...keys.map(({ label }) => label), ...(noteHead ? [noteHead] : [])]}
          rows={bars
            .filter((bar) => sumOf(bar) > 0)
            .map((bar) => [
              bar.href ? <a href={bar.href}>{bar.label}</a> : bar.label,
              ...bar.counts,
              ...(noteHead ? [bar.note] : []),
            ])}
        />
      )}
    >
      {() => (
        <svg class="bars-place" aria-label={title}>
          {[0, most].map((tick) => (
            <g key={tick}>
              <line x1="6%" x2="100%" y1={bottom - high(tick)} y2={bottom - high(tick)} />
              <text x="4.5%" y={bottom - high(tick) + 4} text-anchor="end">
                {tick}
              </text>
            </g>
          ))}
          {bars.map((bar, n) => {
            if (sumOf(bar) === 0) return null;
            const { href } = bar;
            const description = [
              ...keys.map(({ label }, k) => `${bar.counts[k] ?? 0} ${label}`),
              ...(bar.note ? [bar.note] : []),
            ].join(', ');
            const size = { high, x: 7 + n * width, width: width * 0.8 };
            const drawn = <BarShape {...size} bar={bar} keys={keys} description={description} />;
            if (!href) return <g key={bar.label}>{drawn}</g>;
            return (
              <a
                key={bar.label}
                href={href}
                aria-label={`${bar.label}: ${description}`}
                onClick={(event) => {
                  event.preventDefault();
                  route(href);
                }}
              >
                {drawn}
              </a>
            );
          })}
          <Names bars={bars} width={width} />
        </svg>
      )}
    </Figure>
  );
}
