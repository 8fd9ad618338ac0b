import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Crowd } from './few-sessions.ts';

const leaseMs = 4_000;
const queued = 6;

let crowd: Crowd;
/** A login of the database owner: sees every session, and locks the account's money. */
let owner: pg.Client;
beforeAll(async () => {
  crowd = await Crowd.open(2, leaseMs);
  owner = new pg.Client({ connectionString: crowd.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  crowd.processes[0]!.resume();
  await owner.end();
  await crowd.close();
});

const numbers = async (question: string): Promise<number[]> => {
  const { rows } = await owner.query<{ pid: number }>(question);
  return rows.map(({ pid }) => pid);
};
const waiting = () =>
  numbers(`
    select distinct pid from pg_locks where not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`);
/** These transactions hold the money row, and their process hangs. Its other locks (leases of operations) block no queue. */
const silent = () =>
  numbers(`
    select distinct s.pid from pg_stat_activity w, unnest(pg_blocking_pids(w.pid)) b (pid) join pg_stat_activity s on s.pid = b.pid
    where w.datname = current_database() and w.query ~ 'ledger_(hold|capture)' and s.state = 'idle in transaction'`);

test('delays other orders of an account once for a hung process, not once per transaction', async () => {
  const first = await crowd.buy('still-warm', 0, 1);
  await owner.query('begin');
  await owner.query(`select from ledger_account where reseller_id = 1000 and kind = 'available' for update`);
  const stopped = Array.from({ length: queued }, (_, n) => crowd.buy(`still-stopped${n}`, 0, 1));
  // Waits are short and repeated: on a slow machine all of them never wait at the same time.
  await expect.poll(async () => (await waiting()).length).toBeGreaterThanOrEqual(3);
  crowd.processes[0]!.pause();
  const ofStopped = new Set(await waiting());
  const going = Array.from({ length: 3 }, (_, n) => crowd.buy(`still-going${n}`, 1, 1));
  await expect.poll(async () => (await waiting()).some((pid) => !ofStopped.has(pid))).toBe(true);
  await owner.query('commit');

  let isGoing = true;
  const gone = Promise.all(going).finally(() => {
    isGoing = false;
  });
  const kept = new Set<number>();
  for (; isGoing; await sleep(50)) for (const pid of await silent()) if (ofStopped.has(pid)) kept.add(pid);
  expect(
    kept.size,
    'transactions of the stopped process that held the money row, one after another',
  ).toBeLessThanOrEqual(1);

  crowd.processes[0]!.resume();
  const names = [first, ...(await gone), ...(await Promise.all(stopped))].flat();
  await crowd.endsWell('still', names);
  await crowd.expectReconciled();
});
