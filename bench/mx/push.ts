import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { PostfixCopy } from '../../packages/server/test/support/postfix.ts';

const limitMs = 120_000;
const msPerTick = 10;

/** Processor time of a Postfix so far, in milliseconds: its master with all ended processes, and the running ones. */
function busyMs(postfix: PostfixCopy): number {
  const master = readFileSync(postfix.at('queue', 'pid', 'master.pid'), 'utf8').trim();
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (pid === master || fields[1] === master) ticks += Number(fields[11]) + Number(fields[12]);
      if (pid === master) ticks += Number(fields[13]) + Number(fields[14]);
    } catch {
      // It has ended, and its master includes its time.
    }
  }
  return ticks * msPerTick;
}

function isEmpty(postfix: PostfixCopy): boolean {
  return ['maildrop', 'incoming', 'active', 'deferred'].every((queue) =>
    readdirSync(postfix.at('queue', queue), { recursive: true, withFileTypes: true }).every((each) =>
      each.isDirectory(),
    ),
  );
}

export interface Pushed {
  readonly perSecond: number;
  /** Processor time for one message. */
  readonly busyMs: number;
}

/** From the first message until the last one was delivered: leftover mail would slow the next round. */
export async function push(
  postfix: PostfixCopy,
  wanted: { readonly messages: number; readonly sessions: number; readonly to: string },
): Promise<Pushed> {
  const [began, busy] = [performance.now(), busyMs(postfix)];
  const words = ['-s', String(wanted.sessions), '-m', String(wanted.messages), '-f', 'author@sender.example'];
  await promisify(execFile)('smtp-source', [...words, '-t', wanted.to, `inet:127.0.0.1:${postfix.port}`], {
    timeout: limitMs,
  });
  while (!isEmpty(postfix)) {
    if (performance.now() - began > limitMs) throw new Error(`mail is not delivered:\n${postfix.log().slice(-2_000)}`);
    await sleep(5);
  }
  return {
    perSecond: (1_000 * wanted.messages) / (performance.now() - began),
    busyMs: (busyMs(postfix) - busy) / wanted.messages,
  };
}
