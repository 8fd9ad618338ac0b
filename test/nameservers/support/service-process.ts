import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '../../../packages/server/src/embedded/data-folder.ts';
import { bareEnv } from '../../support/bare-env.ts';
import { program } from '../../support/program.ts';

/** The whole service as operators run it, in a process that a test may kill. */
export class ServiceProcess {
  readonly env: Record<string, string>;
  readonly folder: string;
  #child: ChildProcess | undefined;
  #exit: Promise<void> = Promise.resolve();

  constructor(folder: string, env: Record<string, string>) {
    this.folder = folder;
    this.env = env;
  }

  get credentials(): Credentials {
    return JSON.parse(readFileSync(join(this.folder, 'credentials.json'), 'utf8')) as Credentials;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** `faults` names the failpoints at which it dies. */
  async start(faults: readonly string[] = []): Promise<void> {
    const child = spawn(process.execPath, [program, 'serve'], {
      env: { ...bareEnv(), ...this.env, NAMEHOLD_TEST_FAULTS: faults.join(',') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    this.#exit = promise;
    let output = '';
    await new Promise<void>((listening, reject) => {
      child.stdout!.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (process.env.TEST_LOG_LEVEL) process.stdout.write(chunk);
        if (output.includes('Namehold is running')) listening();
      });
      child.once('exit', () => reject(new Error(`the service did not start: ${output}`)));
    });
  }

  async died(): Promise<void> {
    await this.#exit;
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exit;
  }

  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM');
    await this.#exit;
  }
}
