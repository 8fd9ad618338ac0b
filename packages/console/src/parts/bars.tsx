import { useLocation } from 'preact-iso';
import { Figure, Figures, type Key } from './figure.tsx';

interface Bar {
  readonly label: string;
  /** The list that it counts. */
  readonly href: string;
  /** One for each key, drawn on top of each other. */
  readonly counts: readonly number[];
}

interface Given {
  readonly title: string;
  readonly head: string;
  readonly keys: readonly Key[];
  readonly bars: readonly Bar[];
}

const top = 12;
const bottom = 108;

/** Counts side by side; each bar leads to what it counts. Drawn by attributes, for a policy without inline style. */
export function Bars({ title, head, keys, bars }: Given) {
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
          heads={[head, ...keys.map(({ label }) => label)]}
          rows={bars.filter((bar) => sumOf(bar) > 0).map((bar) => [<a href={bar.href}>{bar.label}</a>, ...bar.counts])}
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
            let reached = bottom;
            if (sumOf(bar) === 0) return null;
            return (
              <a
                key={bar.label}
                href={bar.href}
                aria-label={`${bar.label}: ${keys.map(({ label }, k) => `${bar.counts[k] ?? 0} ${label}`).join(', ')}`}
                onClick={(event) => {
                  event.preventDefault();
                  route(bar.href);
                }}
              >
                {keys.map(({ look }, k) => {
                  const height = high(bar.counts[k] ?? 0);
                  reached -= height;
                  return (
                    <rect
                      key={look}
                      class={`look-${look}`}
                      x={`${7 + n * width}%`}
                      width={`${width * 0.8}%`}
                      y={reached}
                      height={height}
                    />
                  );
                })}
                <title>{bar.label}</title>
              </a>
            );
          })}
          <text x="6%" y="126">
            {bars[0]?.label}
          </text>
          <text x="100%" y="126" text-anchor="end">
            {bars.at(-1)?.label}
          </text>
        </svg>
      )}
    </Figure>
  );
}
