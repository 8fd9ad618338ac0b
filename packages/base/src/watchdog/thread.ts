import { write } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import { type WatchdogStart, watched } from './watchdog.ts';

const limits = {
  /** A main thread that is blocked in a system call does not pause; then no stack is available. */
  stackMs: 2_000,
  /** The log may be a pipe without a reader. */
  logMs: 1_000,
  /** On a busy machine the exit takes time, and its exit code shows the cause to a supervisor. */
  exitMs: 5_000,
  frames: 50,
};
/** EX_SOFTWARE of sysexits.h. */
const exitCode = 70;

const { shared, limitMs, checkMs, logFd } = workerData as WatchdogStart;
let ticks = -1;
let missed = 0;
const timer = setInterval(check, checkMs);

function check(): void {
  const now = Atomics.load(shared, watched.ticks);
  const isDebugged = Atomics.load(shared, watched.isDebugged) === 1;
  missed = now === ticks && !isDebugged ? missed + 1 : 0;
  ticks = now;
  if (missed * checkMs < limitMs) return;
  clearInterval(timer);
  end();
}

function end(): void {
  pauseMainThread((stack, exit) => {
    const line = {
      level: 'fatal',
      time: systemClock.now().toISOString(),
      limit_ms: limitMs,
      stack: stack ?? '(not available: the main thread runs no JavaScript)',
      msg: 'event loop blocked; exiting',
    };
    const ended = once(() => {
      exit();
      // If the process cannot exit on its own.
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), limits.exitMs);
    });
    write(logFd, `${JSON.stringify(line)}\n`, ended);
    setTimeout(ended, limits.logMs);
  });
}

/** Calls back once: with the stack and a way to exit from the paused frame, or without them after a timeout. */
function pauseMainThread(paused: (stack: string | undefined, exit: () => void) => void): void {
  const answer = once(paused);
  const kill = () => void process.kill(process.pid, 'SIGKILL');
  setTimeout(() => answer(undefined, kill), limits.stackMs);
  const session = new Session();
  const scripts = new Map<string, string>();
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params }) => void scripts.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    const [top] = callFrames;
    // `process.exit` also works for PID 1 of a container, which its own signals do not kill.
    const exit = () =>
      session.post('Debugger.evaluateOnCallFrame', {
        callFrameId: top!.callFrameId,
        expression: `process.exit(${exitCode})`,
      });
    answer(
      callFrames
        .slice(0, limits.frames)
        .map((frame) => lineOf(frame, scripts))
        .join('\n'),
      exit,
    );
  });
  session.post('Debugger.enable', () => session.post('Debugger.pause'));
}

function lineOf({ functionName, location }: Debugger.CallFrame, scripts: ReadonlyMap<string, string>): string {
  const { scriptId, lineNumber, columnNumber = 0 } = location;
  return `at ${functionName || '(anonymous)'} (${scripts.get(scriptId) ?? scriptId}:${lineNumber + 1}:${columnNumber + 1})`;
}

function once<A extends readonly unknown[]>(act: (...given: A) => void): (...given: A) => void {
  let isDone = false;
  return (...given) => {
    if (isDone) return;
    isDone = true;
    act(...given);
  };
}
