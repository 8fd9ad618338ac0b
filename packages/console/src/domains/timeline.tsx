import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Moment, momentText, readMoment } from '../components/moment.tsx';
import { Money, moneyText } from '../components/money.tsx';
import { canMove, isMoving, pushClockTo } from '../sandbox/clock.ts';
import { messages as sandboxMessages } from '../sandbox/messages.ts';
import { isCustomer, mayOrder } from '../session/current-session.ts';
import { messages } from './timeline-messages.ts';

type Timeline = Schema<'Timeline'>;
type Milestone = Timeline['milestones'][number];
type Phase = keyof ReturnType<typeof messages>['phases'];

/** Milestones that end a phase, in order. */
const ends: readonly (readonly [what: string, phase: Phase])[] = [
  ['expires', 'term'],
  ['deleted', 'grace'],
  ['redemption_ends', 'redemption'],
  ['dropped', 'leaving'],
];

/** Dates by which an order is due, which some customers can place. */
const orders: ReadonlySet<string> = new Set(['expires', 'renew_by', 'redemption_ends', 'privacy_ends']);

const timeOf = ({ at }: Milestone) => readMoment(at).getTime();
const keyOf = ({ what, at }: Milestone) => `${what} ${at}`;

/** Uses a square-root scale, so that years before expiry and days after it both fit. */
function scaleOf({ as_of, milestones }: Timeline): (at: number) => number {
  const from = readMoment(as_of).getTime();
  const stops = [...new Set([from, ...milestones.map(timeOf)])].sort((a, b) => a - b);
  const places = new Map<number, number>();
  let reached = 0;
  stops.forEach((stop, n) => {
    reached += n === 0 ? 0 : Math.sqrt(stop - (stops[n - 1] ?? stop));
    places.set(stop, reached);
  });
  return (at) => 2 + ((places.get(at) ?? 0) / (reached || 1)) * 96;
}

function phasesOf({ as_of, milestones }: Timeline) {
  let from = readMoment(as_of).getTime();
  return ends.flatMap(([what, phase]) => {
    const end = milestones.find((each) => each.what === what);
    if (!end) return [];
    const part = { phase, from, until: timeOf(end) };
    from = part.until;
    return [part];
  });
}

/** A chart of today and the coming dates. The list below has the same content. */
export function TimelineChart({
  timeline,
  paidUntil,
}: {
  readonly timeline: Timeline;
  /** The end of the paid term; an automatic renewal is not paid yet. */
  readonly paidUntil?: string | null | undefined;
}) {
  const t = messages();
  const place = scaleOf(timeline);
  const phases = phasesOf(timeline);
  const isRenewed = timeline.milestones.some(({ what }) => what === 'renewal');
  const summary = timeline.milestones
    .map((each) => `${momentText(readMoment(each.at))} ${describeMilestone(each, timeline)}`)
    .join(' ');
  return (
    <div class="track">
      <svg role="img" aria-label={`${t.timeline}: ${summary}`}>
        <line x1="2%" y1="22" x2="98%" y2="22" />
        {phases.map(({ phase, from, until }) => (
          <rect
            key={phase}
            class={phase}
            x={`${place(from)}%`}
            width={`${Math.max(0, place(until) - place(from))}%`}
            y="15"
            height="14"
          />
        ))}
        <circle class="today" cx="2%" cy="22" r="9" />
        {timeline.milestones.map((each) => (
          <circle key={keyOf(each)} class={each.who} cx={`${place(timeOf(each))}%`} cy="22" r="6">
            <title>{`${momentText(readMoment(each.at))}: ${describeMilestone(each, timeline)}`}</title>
          </circle>
        ))}
      </svg>
      <ul class="phases">
        <li class="today">
          {t.today}, {momentText(readMoment(timeline.as_of))}
        </li>
        {phases.map(({ phase, until }) => (
          <li key={phase} class={phase}>
            {isRenewed && phase === 'term'
              ? paidUntil && t.paidUntil(momentText(readMoment(paidUntil)), momentText(new Date(until)))
              : t.phaseUntil(t.phases[phase], momentText(new Date(until)))}
          </li>
        ))}
      </ul>
      <ol class="milestones">
        {timeline.milestones.map((each) => (
          <Row key={keyOf(each)} milestone={each} timeline={timeline} />
        ))}
      </ol>
    </div>
  );
}

/** Some dates have a different meaning in other renewal modes. */
function describeMilestone({ what, sentence }: Milestone, { renewal_mode, milestones }: Timeline): string {
  const translated = messages().milestones;
  const isFailing = milestones.some((each) => each.what === 'renewal_fails');
  // Only the sentence says whether the rules of the TLD suspend the domain.
  if (what === 'verify_by' && /suspended/.test(sentence)) return translated['verify_by suspends'] ?? sentence;
  const address = /email forwarding to (\S+@\S+) expires/.exec(sentence)?.[1];
  if (address) return translated['mail_target_lapses to']?.replace('ADDRESS', address) ?? sentence;
  return (isFailing ? undefined : translated[`${renewal_mode} ${what}`]) ?? translated[what] ?? sentence;
}

/** What a price consists of: "Renewal", or with amounts if there are several parts. */
function describeLines(lines: Milestone['price_lines']): string {
  const labels = messages().priceLines;
  const labelOf = (line: string) => labels[line] ?? line;
  if (lines.length === 1) return lines.map(({ line }) => labelOf(line)).join('');
  return lines
    .map(({ line, amount: { amount, currency } }) => `${labelOf(line)} ${moneyText(amount, currency)}`)
    .join(' + ');
}

function Row({ milestone, timeline }: { readonly milestone: Milestone; readonly timeline: Timeline }) {
  const t = messages();
  const { at, what, who, price, price_lines } = milestone;
  const s = sandboxMessages();
  const day = momentText(readMoment(at));
  return (
    <li class={who}>
      <Moment at={at} isRelative from={readMoment(timeline.as_of)} isBusiness />
      <span>{describeMilestone(milestone, timeline)}</span>
      <span class="faint">
        {t.actorsOfMilestones[what] ??
          (who === 'reseller' && isCustomer() && !(mayOrder() && orders.has(what)) ? t.byProvider : t.actors[who])}
      </span>
      <span class="number">
        {price && <Money {...price} />}
        {price && <small class="faint">{describeLines(price_lines)}</small>}
      </span>
      {canMove() && (
        <Button
          small
          aria-label={s.jumpTo(day)}
          title={s.jumpTo(day)}
          disabled={isMoving.value}
          onClick={() => void pushClockTo(readMoment(at))}
        >
          {s.jump}
        </Button>
      )}
    </li>
  );
}
