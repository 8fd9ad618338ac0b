import type { Shape } from '../api/shapes.ts';
import { Moment, momentText, readMoment } from '../parts/moment.tsx';
import { Money } from '../parts/money.tsx';
import { isCustomer } from '../session/who.ts';
import { words } from './words.ts';

type Milestone = Shape<'Timeline'>['milestones'][number];

/** The future as a picture: today and what comes, each at its place in time. The list below it says the same. */
export function Track({ timeline }: { readonly timeline: Shape<'Timeline'> }) {
  const w = words();
  const from = readMoment(timeline.as_of).getTime();
  const dates = timeline.milestones.map(({ at }) => readMoment(at).getTime());
  const until = Math.max(from + 86_400_000, ...dates);
  const place = (at: number) => `${2 + (Math.max(0, at - from) / (until - from)) * 96}%`;
  return (
    <div class="track">
      <svg role="img" aria-label={`${w.ahead}: ${summary(timeline)}`}>
        <line x1="2%" y1="22" x2="98%" y2="22" />
        <circle class="today" cx="2%" cy="22" r="7" />
        {timeline.milestones.map((each) => (
          <circle
            key={`${each.what}${each.at}`}
            class={each.who}
            cx={place(readMoment(each.at).getTime())}
            cy="22"
            r="6"
          >
            <title>{`${momentText(readMoment(each.at))}: ${each.sentence}`}</title>
          </circle>
        ))}
      </svg>
      <ol class="milestones">
        {timeline.milestones.map((each) => (
          <Row key={`${each.what}${each.at}`} milestone={each} from={new Date(from)} />
        ))}
      </ol>
    </div>
  );
}

const summary = ({ milestones }: Shape<'Timeline'>) =>
  milestones.map(({ at, sentence }) => `${momentText(readMoment(at))} ${sentence}`).join(' ');

function Row({ milestone, from }: { readonly milestone: Milestone; readonly from: Date }) {
  const w = words();
  const { at, sentence, who, price } = milestone;
  return (
    <li class={who}>
      <Moment at={at} isRelative from={from} />
      <span>{sentence}</span>
      <span class="faint">{isCustomer() ? w.turnForCustomer[who] : w.turn[who]}</span>
      <span class="number">{price && <Money {...price} />}</span>
    </li>
  );
}
