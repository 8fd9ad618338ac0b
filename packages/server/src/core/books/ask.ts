import type { Actor, House } from '../house.ts';
import { hastenTurn } from '../jobs/job-lease.sql.ts';
import { lookAtBooks } from '../operator/look.ts';

export const verifyTurn = 'verify-books';
export const verifyStates = ['due', 'running', 'recent'] as const;
const recentMs = 60_000;

/** Has the books compared now, by the clockwork and not by who asks; not twice at once, nor again within a minute. */
export async function askForVerify(house: House, actor: Actor): Promise<(typeof verifyStates)[number]> {
  const { run, runningSince } = await lookAtBooks(house, actor);
  if (runningSince) return 'running';
  if (run && house.wall.now().getTime() - run.started_at.getTime() < recentMs) return 'recent';
  await hastenTurn(house, verifyTurn);
  return 'due';
}
