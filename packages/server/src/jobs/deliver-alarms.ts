import { spawn } from 'node:child_process';
import { allTenants } from '@namehold/postgres';
import { requeueAlarm, takeUnreportedAlarm, type UnreportedAlarm } from '../core/alarms/notify.sql.ts';
import type { AppContext } from '../core/app-context.ts';

export const deliveryLimits = {
  /** After this time the alarm program is killed. */
  timeoutMs: 30_000,
  tries: 3,
  alarmsPerRun: 20,
};

/** Passes every new alarm to the program in NAMEHOLD_ALARM_COMMAND, as JSON on its standard input. No shell is involved. */
export async function deliverAlarms(ctx: AppContext): Promise<void> {
  const program = ctx.config.alarmCommand;
  if (program === undefined) return;
  const autocommit = ctx.db.autocommit(allTenants);
  const failed: string[] = [];
  for (let count = 0; count < deliveryLimits.alarmsPerRun; count += 1) {
    const alarm = await takeUnreportedAlarm(autocommit, deliveryLimits.tries);
    if (!alarm) break;
    const error = await runProgram(program, alarm);
    if (error === undefined) continue;
    ctx.log.error({ alarm: alarm.key, program, error }, 'alarm program failed, will retry');
    failed.push(alarm.key);
  }
  // Failed alarms are released after the round, so that each alarm is tried once per round.
  for (const key of failed) await requeueAlarm(autocommit, key);
}

/** Resolves to undefined on success, otherwise to the error. */
function runProgram(program: string, alarm: UnreportedAlarm): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(program, [], {
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: deliveryLimits.timeoutMs,
    killSignal: 'SIGKILL',
    // The program gets only PATH and LANG, because the environment of the service contains secrets.
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
  });
  child.once('error', (error) => resolve(error.message));
  child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `ended with ${code ?? signal}`));
  // A program may exit without reading its input.
  child.stdin.once('error', () => undefined);
  child.stdin.end(`${JSON.stringify({ ...alarm, raised_at: alarm.raised_at.toISOString() })}\n`);
  return promise;
}
