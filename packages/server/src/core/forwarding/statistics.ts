import type { Domain } from '../domains/domain.ts';
import { badField } from '../errors.ts';
import type { House } from '../house.ts';
import { type ClickPeriod, type ClickStep, clickSteps, clicksOfRules, type RuleClicks } from './clicks.sql.ts';
import { forwardingLimits } from './rule.ts';

const day = 86_400_000;
const longest = { hour: 31 * day, day: 400 * day } as const;
const usual = 30 * day;

export interface Statistics extends ClickPeriod {
  readonly steps: readonly ClickStep[];
  readonly rules: readonly RuleClicks[];
}

type Asked = { readonly [K in keyof ClickPeriod]?: ClickPeriod[K] | undefined };

/** What is counted over a time: not too long for its steps. `to` is not within it. */
export function periodOf(house: Pick<House, 'wall'>, asked: Asked): ClickPeriod {
  const step = asked.step ?? 'day';
  const to = asked.to ?? house.wall.now();
  const from = asked.from ?? new Date(to.getTime() - usual);
  if (from >= to) throw badField('from', 'Must be before to.');
  if (to.getTime() - from.getTime() > longest[step])
    throw badField(
      'from',
      `Must be at most ${longest[step] / day} days before to. Request a shorter period, or ${step === 'hour' ? 'steps of a day' : 'several parts'}.`,
    );
  return { from, to, step };
}

/** How often a name was asked for. */
export async function readStatistics(house: House, domain: Domain, asked: Asked): Promise<Statistics> {
  const period = periodOf(house, asked);
  const db = house.db.as(domain.reseller_id);
  const [steps, rules] = await Promise.all([
    clickSteps(db, domain, period),
    clicksOfRules(db, domain, period, forwardingLimits.rulesPerDomain),
  ]);
  return { ...period, steps, rules };
}
