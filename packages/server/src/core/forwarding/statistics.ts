import type { AppContext } from '../app-context.ts';
import { badField } from '../errors.ts';
import type { Domain } from '../model/domain.ts';
import { type ClickPeriod, type ClickStep, clickSteps, clicksOfRules, type RuleClicks } from './clicks.sql.ts';
import { forwardingLimits } from './rule.ts';

const day = 86_400_000;
const longest = { hour: 31 * day, day: 400 * day } as const;
const usual = 30 * day;

export interface Statistics extends ClickPeriod {
  readonly steps: readonly ClickStep[];
  readonly rules: readonly RuleClicks[];
}

type RequestedPeriod = { readonly [K in keyof ClickPeriod]?: ClickPeriod[K] | undefined };

/** The period and step of a count; the number of steps is limited. `to` is exclusive. */
export function periodOf(ctx: Pick<AppContext, 'wall'>, request: RequestedPeriod): ClickPeriod {
  const step = request.step ?? 'day';
  const to = request.to ?? ctx.wall.now();
  const from = request.from ?? new Date(to.getTime() - usual);
  if (from >= to) throw badField('from', 'Must be before to.');
  if (to.getTime() - from.getTime() > longest[step])
    throw badField(
      'from',
      `Must be at most ${longest[step] / day} days before to. Request a shorter period, or ${step === 'hour' ? 'steps of a day' : 'several parts'}.`,
    );
  return { from, to, step };
}

/** Requests for a domain over time. */
export async function readStatistics(ctx: AppContext, domain: Domain, request: RequestedPeriod): Promise<Statistics> {
  const period = periodOf(ctx, request);
  const db = ctx.db.as(domain.reseller_id);
  const [steps, rules] = await Promise.all([
    clickSteps(db, domain, period),
    clicksOfRules(db, domain, period, forwardingLimits.rulesPerDomain),
  ]);
  return { ...period, steps, rules };
}
