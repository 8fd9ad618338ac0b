import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { allTenants } from '@namehold/postgres';
import { snippetFor } from '../../../packages/server/src/cli/snippets/index.ts';
import type { SnippetPart } from '../../../packages/server/src/cli/snippets/snippet.ts';
import { addNameserver } from '../../../packages/server/src/core/nameservers/add.ts';
import { openNameserver } from '../../../packages/server/src/core/nameservers/list.ts';
import { findNameserver } from '../../../packages/server/src/core/nameservers/nameserver.sql.ts';
import type { Engine } from '../../../packages/server/src/core/nameservers/nameserver.ts';
import { freePort } from '../../support/ports.ts';
import { askUdp, until } from './ask.ts';
import type { Lab } from './lab.ts';

interface PeerProgram {
  readonly command: string;
  readonly args: readonly string[];
}

interface PeerPlan {
  readonly folder: string;
  readonly port: number;
  /** The output of `namehold nameserver snippet`, with its folders replaced by ours. */
  readonly parts: readonly SnippetPart[];
}

/** A real nameserver of Debian on loopback, configured with the snippet for operators. */
export class Peer {
  readonly id: string;
  readonly engine: Engine;
  readonly address = '127.0.0.1';
  readonly port: number;
  readonly folder: string;
  readonly #program: PeerProgram;
  #child: ChildProcess | undefined;
  #exit: Promise<void> = Promise.resolve();

  constructor(engine: Engine, plan: PeerPlan, program: PeerProgram) {
    this.id = `${engine}1`;
    this.engine = engine;
    this.port = plan.port;
    this.folder = plan.folder;
    this.#program = program;
  }

  async start(): Promise<void> {
    const log = openSync(join(this.folder, 'log'), 'a');
    const child = spawn(this.#program.command, this.#program.args, {
      stdio: ['ignore', log, log],
      // NSD forks: the whole process group is killed at once.
      detached: true,
    });
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
    this.#exit = promise;
    await until(
      `${this.id} answers`,
      async () => {
        if (child.exitCode !== null) throw new Error(`${this.id} did not start: ${this.log()}`);
        return askUdp(this, 'nothing.invalid.', 'SOA', 200);
      },
      (answer) => answer !== undefined,
    );
  }

  log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8').slice(-4_000);
  }

  #signal(signal: 'SIGKILL' | 'SIGTERM'): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error;
    }
  }

  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#exit;
  }

  async stop(): Promise<void> {
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), 3_000);
    await this.#exit;
    clearTimeout(timer);
  }
}

/** Registers a nameserver and prepares its folder; `prepare` writes the rest of its configuration. */
export async function planPeer(lab: Lab, engine: Engine, primaryPort: number): Promise<PeerPlan> {
  const folder = join(lab.folder, engine);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  await addNameserver(lab.ctx, lab.actor, {
    id: `${engine}1`,
    engine,
    address: '127.0.0.1',
    port,
    tsig: { name: `${engine}1.namehold` },
    allowUnsigned: engine === 'powerdns',
    isPublic: true,
  });
  const row = await findNameserver(lab.ctx.db.as(allTenants), `${engine}1`);
  const parts = snippetFor({
    nameserver: openNameserver(lab.ctx, row!),
    primaryAddress: '127.0.0.1',
    primaryPort,
    catalogZone: lab.ctx.config.catalogZone.slice(0, -1),
  })!;
  const own = parts.map(({ file, text }) => ({
    file,
    text: text.replaceAll('/var/lib/knot', folder).replaceAll('/var/cache/bind/namehold', folder),
  }));
  return { folder, port, parts: own };
}

export function run(command: string, args: readonly string[], input = ''): string {
  return execFileSync(command, args, { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] });
}
