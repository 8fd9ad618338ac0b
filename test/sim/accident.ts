import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readRegistered } from './facts.ts';
import type { Play } from './player.ts';
import type { Step } from './script.ts';

/** Accidents of processes, the database and clocks. */
export async function accident(play: Play, step: Step): Promise<void> {
  const { installation, ledger } = play;
  const { services, database, tally } = installation;
  switch (step.do) {
    case 'kill':
      tally.kills += 1;
      await services[step.service]?.kill();
      return;
    case 'pause': {
      tally.pauses += 1;
      services[step.service]?.pause();
      await sleep(step.ms);
      services[step.service]?.resume();
      return;
    }
    case 'kill-database':
      tally.databaseDeaths += 1;
      await database.kill();
      return database.restart();
    case 'kill-database-at-act':
      if (!(await hasActed(play, ledger.names[step.name] ?? ''))) return;
      tally.databaseDeaths += 1;
      await database.kill();
      return database.restart();
    case 'kill-database-at-claim':
      if (!(await isClaimed(play, ledger.names[step.name] ?? ''))) return;
      tally.databaseDeaths += 1;
      await database.kill();
      return database.restart();
    case 'freeze-database':
      tally.databaseFreezes += 1;
      database.freeze();
      await sleep(step.ms);
      return database.thaw();
    case 'jump':
      tally.clockJumps += 1;
      ledger.skewMs = Math.max(ledger.skewMs, Math.abs(step.byS) * 1_000);
      services[step.service]?.shiftClock(step.byS * 1_000);
      return;
    case 'silence':
      tally.registryFaults += 1;
      return silence(play);
    default:
      throw new Error(`no such step: ${JSON.stringify(step)}`);
  }
}

const silenceMs = 1_500;

/** Suspends the registry at any point and resumes it later, while the script continues. */
function silence({ installation, pending }: Play): void {
  installation.silenceRegistry();
  pending.push(sleep(silenceMs).then(() => installation.wakeRegistry()));
}

/** Maximum wait for the moment of an accident. */
const tries = 400;
const pauseMs = 5;

/** Waits for the next change of the domain at the registry; false if there is none. */
async function hasActed({ installation }: Play, name: string): Promise<boolean> {
  const seen = async () => {
    const there = await readRegistered(installation, name);
    return `${there?.updatedAt} ${there?.expiresAt} ${there?.phase}`;
  };
  const before = await seen();
  for (let left = tries; left > 0; left--) {
    if ((await seen()) !== before) return true;
    await sleep(pauseMs);
  }
  return false;
}

/** Waits until a process has claimed an open order for the domain, which need not be flushed yet; false if none does. */
async function isClaimed({ installation }: Play, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: installation.database.url });
  // Ends with its server.
  client.on('error', () => undefined);
  await client.connect();
  for (let left = tries; left > 0; left--) {
    const { rowCount } = await client.query(
      'select from operation o join domain d on d.id = o.domain_id where d.name = $1 and o.attempts > 0 and o.finished_at is null',
      [name],
    );
    if (rowCount !== 0) return true;
    await sleep(pauseMs);
  }
  await client.end();
  return false;
}
