import { setTimeout as sleep } from 'node:timers/promises';
import { connectUnpooled, endConnection, isConnectionLoss } from '@namehold/postgres';
import { SettingError } from './config.ts';
import { placesOf } from './unreachable.ts';

/** `limitMs` must be longer than a failover takes to close connections, and short enough for a cron job. */
const watchTimes = { everyMs: 5_000, limitMs: 15_000 };

/** Runs a command, and ends it with an error if the database stops answering: a frozen server closes no connection, so queries wait for ever. */
export async function whileAnswering<T>(url: string, work: () => Promise<T>, times = watchTimes): Promise<T> {
  const done = new AbortController();
  try {
    return await Promise.race([work(), untilSilent(url, times, done.signal)]);
  } finally {
    done.abort();
  }
}

async function untilSilent(url: string, { everyMs, limitMs }: typeof watchTimes, done: AbortSignal): Promise<never> {
  for (;;) {
    await sleep(everyMs, undefined, { ref: false });
    if (done.aborted) return new Promise<never>(() => undefined);
    const answer = await Promise.race([answers(url), sleep(limitMs, 'late' as const, { ref: false })]);
    if (answer === 'late' && !done.aborted)
      throw new SettingError(
        `the database at ${placesOf(url)} has not answered for ${limitMs / 1_000} seconds: check that PostgreSQL is not stopped or overloaded, then run the command again`,
      );
  }
}

/** A refused connection is an answer: the command itself reports it. */
async function answers(url: string): Promise<'answered'> {
  try {
    const client = await connectUnpooled(url, 'namehold-watch');
    await client.query('select 1').finally(() => endConnection(client));
  } catch (error) {
    if (!isConnectionLoss(error) && /timeout/.test((error as Error).message)) return new Promise(() => undefined);
  }
  return 'answered';
}
