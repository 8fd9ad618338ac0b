import { spawn } from 'node:child_process';
import { allTenants } from '@namehold/base';
import { requeueAlarm, takeUnreportedAlarm, type UnreportedAlarm } from '../core/alarms/notify.sql.ts';
import type { Job } from './scheduler.ts';

export const deliveryLimits = {
  /** A program that has not ended by then is ended. */
  timeoutMs: 30_000,
  tries: 3,
  alarmsPerRun: 20,
};

/** Every new alarm is handed to the program that the operator set, as JSON on its standard input. No shell reads it. */
export const deliverAlarmsJob: Job = {
  name: 'tell-alarms',
  everyMs: 5_000,
  async run(ctx) {
    const program = ctx.config.alarmCommand;
    if (program === undefined) return;
    const autocommit = ctx.db.autocommit(allTenants);
    const failed: string[] = [];
    for (let count = 0; count < deliveryLimits.alarmsPerRun; count += 1) {
      const alarm = await takeUnreportedAlarm(autocommit, deliveryLimits.tries);
      if (!alarm) break;
      const trouble = await runProgram(program, alarm);
      if (trouble === undefined) continue;
      ctx.log.error({ alarm: alarm.key, program, trouble }, 'the program for alarms failed');
      failed.push(alarm.key);
    }
    // Given back only now: within one round each alarm is tried once.
    for (const key of failed) await requeueAlarm(autocommit, key);
  },
};

/** Undefined: it ended well. */
function runProgram(program: string, alarm: UnreportedAlarm): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(program, [], {
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: deliveryLimits.timeoutMs,
    killSignal: 'SIGKILL',
    // It needs to find programs, not to know our secrets.
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
  });
  child.once('error', (error) => resolve(error.message));
  child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `ended with ${code ?? signal}`));
  // A program that does not read its input is no trouble of ours.
  child.stdin.once('error', () => undefined);
  child.stdin.end(`${JSON.stringify({ ...alarm, raised_at: alarm.raised_at.toISOString() })}\n`);
  return promise;
}
