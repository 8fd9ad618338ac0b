import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { clockFromFile, onTerminationSignal, startWatchdog } from '@namehold/base';
import { writePrivateFile } from './identity/private-file.ts';
import { logEvent, logLine } from './log.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { readSettings } from './settings.ts';

/** Why this process must end, or undefined: its folder is gone, or another process has replaced it. */
function supersededBy(folder: string, stateFile: string, ownPid: number): string | undefined {
  if (!existsSync(folder)) return 'the folder is gone';
  try {
    const { pid } = JSON.parse(readFileSync(stateFile, 'utf8')) as { pid: number };
    return pid === ownPid ? undefined : `process ${pid} took over`;
  } catch {
    // The state file is missing or being written: no other process has taken over yet.
    return undefined;
  }
}

const successionCheckMs = 2_000;
const eventLoopLimitMs = 30_000;

/** The registry as a separate process, which outlives a killed service. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  // If that process is killed, the input ends too; a database query then shows whether the database runs.
  if (settings.waitsForInputEnd) await once(process.stdin.resume(), 'end').catch(() => undefined);
  const sandbox = await startSandbox({
    databaseUrl: settings.databaseUrl,
    folder: settings.folder,
    clock: clockFromFile(settings.clockFile),
    port: settings.port,
    controlPort: settings.controlPort,
    ...(settings.chaosSeed === undefined ? {} : { chaosSeed: settings.chaosSeed }),
    onEvent(event) {
      logEvent(event);
      if (event.type === 'password-changed') writeState();
    },
  });
  const stateFile = join(settings.folder, 'sandbox.json');
  const writeState = () => writePrivateFile(stateFile, JSON.stringify(stateOf(sandbox), null, 2));
  writeState();
  logLine('info', 'listening', { port: sandbox.port, control_port: sandbox.controlPort });
  let stopping = false;
  const stop = (why: string) => {
    if (stopping) return;
    stopping = true;
    logLine('info', 'stopping', { why });
    sandbox.stop().then(
      () => {
        if (supersededBy(settings.folder, stateFile, process.pid) === undefined) rmSync(stateFile, { force: true });
        process.exit(0);
      },
      (error: unknown) => {
        logLine('error', 'stop failed', { error: String(error) });
        process.exit(1);
      },
    );
  };
  onTerminationSignal(() => stop('a signal'));
  startWatchdog({ limitMs: eventLoopLimitMs });
  // It outlives its parent intentionally, but must end when its folder is gone or replaced.
  setInterval(() => {
    const why = supersededBy(settings.folder, stateFile, process.pid);
    if (why !== undefined) stop(why);
  }, successionCheckMs);
}

const stateOf = (sandbox: Sandbox) => ({
  pid: process.pid,
  host: sandbox.host,
  port: sandbox.port,
  control_port: sandbox.controlPort,
  ca_file: sandbox.caFile,
  accounts: sandbox.accounts,
  systems: sandbox.systems,
});

// The terminal and the reader of its output may be closed; the registry keeps running.
process.on('SIGHUP', () => {});
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

main().catch((error: unknown) => {
  logLine('error', 'start failed', { error: error instanceof Error ? error.message : String(error) });
  process.exit(1);
});
