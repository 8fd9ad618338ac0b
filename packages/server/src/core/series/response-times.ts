import { dayMs } from '@namehold/base';
import { everything } from '../accounts/everything.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { responseTimeSteps, rolledUpTo } from './response-times.sql.ts';
import { responseTimePolicy } from './roll-up-response-times.ts';
import { shareWithin } from './wait-classes.ts';

const hourMs = 3_600_000;

/** Up to a week by the hour, longer ones by the day. */
export const responseTimeLimits = { hours: 90 * 24, byHour: 7 * 24, usualHours: 24 };

interface ResponseTimePoint {
  readonly at: Date;
  readonly answered: number;
  readonly failed: number;
  readonly unknown: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

interface WaitLine {
  readonly subject: string;
  readonly command: string | null;
  readonly points: readonly ResponseTimePoint[];
}

export interface ResponseTimeSeries {
  readonly from: Date;
  readonly to: Date;
  readonly step: 'hour' | 'day';
  readonly lines: readonly WaitLine[];
}

/** How long registries took to answer. Steps without a command are left out. */
export async function readResponseTimes(
  ctx: AppContext,
  actor: Actor,
  query: { readonly kind: 'registry' | 'nameserver'; readonly subject?: string | undefined; readonly hours: number },
): Promise<ResponseTimeSeries> {
  const db = everything(ctx, actor);
  const step = query.hours <= responseTimeLimits.byHour ? 'hour' : 'day';
  const stepMs = step === 'hour' ? hourMs : dayMs;
  const to = ctx.wall.now();
  // The running step is the last one.
  const from = new Date((Math.floor(to.getTime() / stepMs) + 1) * stepMs - query.hours * hourMs);
  const rolledUp = await rolledUpTo(db);
  const liveFrom = new Date(
    Math.max(from.getTime(), rolledUp?.getTime() ?? 0, to.getTime() - responseTimePolicy.liveMs),
  );
  const steps = await responseTimeSteps(db, { ...query, from, liveFrom, to, step });
  const lines = new Map<string, { subject: string; command: string | null; points: ResponseTimePoint[] }>();
  for (const { subject, command, at, answered, failed, unknown, waits } of steps) {
    const key = `${subject} ${command}`;
    const line = lines.get(key) ?? { subject, command, points: [] };
    lines.set(key, line);
    line.points.push({
      at,
      answered: Number(answered),
      failed: Number(failed),
      unknown: Number(unknown),
      p50: shareWithin(waits, 0.5),
      p95: shareWithin(waits, 0.95),
    });
  }
  return { from, to, step, lines: [...lines.values()] };
}
