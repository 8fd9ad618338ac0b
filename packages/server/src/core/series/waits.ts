import { dayMs } from '@namehold/base';
import { everything } from '../accounts/everything.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { waitPolicy } from './roll-up-waits.ts';
import { shareWithin } from './wait-classes.ts';
import { rolledUpTo, waitSteps } from './waits.sql.ts';

const hourMs = 3_600_000;

/** Up to a week by the hour, longer ones by the day. */
export const waitLimits = { hours: 90 * 24, byHour: 7 * 24, usualHours: 24 };

interface WaitPoint {
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
  readonly points: readonly WaitPoint[];
}

export interface WaitSeries {
  readonly from: Date;
  readonly to: Date;
  readonly step: 'hour' | 'day';
  readonly lines: readonly WaitLine[];
}

/** How long registries took to answer. Steps without a command are left out. */
export async function readWaits(
  ctx: AppContext,
  actor: Actor,
  query: { readonly kind: 'registry' | 'nameserver'; readonly subject?: string | undefined; readonly hours: number },
): Promise<WaitSeries> {
  const db = everything(ctx, actor);
  const step = query.hours <= waitLimits.byHour ? 'hour' : 'day';
  const stepMs = step === 'hour' ? hourMs : dayMs;
  const to = ctx.wall.now();
  // The running step is the last one.
  const from = new Date((Math.floor(to.getTime() / stepMs) + 1) * stepMs - query.hours * hourMs);
  const rolledUp = await rolledUpTo(db);
  const liveFrom = new Date(Math.max(from.getTime(), rolledUp?.getTime() ?? 0, to.getTime() - waitPolicy.liveMs));
  const steps = await waitSteps(db, { ...query, from, liveFrom, to, step });
  const lines = new Map<string, { subject: string; command: string | null; points: WaitPoint[] }>();
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
