import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { decode, encode } from 'dns-packet';
import type { SnippetPart } from '../../src/cli/snippets/snippet.ts';

/** A resolver with these TXT records only. */
export async function serveTxt(port: number, records: ReadonlyMap<string, string>): Promise<() => void> {
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const query = decode(message);
    const [question] = query.questions ?? [];
    const text = question?.type === 'TXT' ? records.get(question.name.toLowerCase()) : undefined;
    const data = text?.match(/.{1,250}/g) ?? [];
    const reply = encode({
      type: 'response',
      id: query.id!,
      flags: 0x0180 | (text === undefined ? 3 : 0),
      questions: query.questions!,
      answers: text === undefined ? [] : [{ type: 'TXT', name: question!.name, ttl: 60, data }],
    });
    socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  return () => socket.close();
}

/** Debian's rspamd with the files of the snippet, on loopback. */
export class RspamdCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'namehold-rspamd-'));
  readonly #process: ChildProcess;

  constructor(
    snippet: readonly SnippetPart[],
    options: { port: number; dnsPort: number; arcKey: string; domain: string; more?: Record<string, string> },
  ) {
    execFileSync('chmod', ['755', this.folder]);
    const at = (...names: string[]) => join(this.folder, ...names);
    cpSync('/etc/rspamd', at('etc'), { recursive: true });
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, '_rspamd'], { encoding: 'utf8' })));
    for (const name of ['lib', 'run', 'log', 'arc']) {
      mkdirSync(at(name));
      chownSync(at(name), uid!, gid!);
    }
    for (const { file, text } of snippet.filter(({ file }) => file.startsWith('/etc/rspamd/local.d/')))
      writeFileSync(
        at('etc', 'local.d', basename(file)),
        text.replace('127.0.0.1:11332', `127.0.0.1:${options.port}`).replace('/var/lib/rspamd/arc', at('arc')),
      );
    for (const [file, text] of Object.entries(options.more ?? {})) writeFileSync(at('etc', file), text);
    const key = at('arc', `${options.domain}.arc.key`);
    writeFileSync(key, options.arcKey);
    chownSync(key, uid!, gid!);
    writeFileSync(at('etc', 'local.d', 'worker-controller.inc'), 'enabled = false;\n');
    writeFileSync(at('etc', 'override.d', 'options.inc'), `dns { nameserver = ["127.0.0.1:${options.dnsPort}"]; }\n`);
    const vars = { CONFDIR: 'etc', LOCAL_CONFDIR: 'etc', DBDIR: 'lib', RUNDIR: 'run', LOGDIR: 'log' };
    const varOptions = Object.entries(vars).map(([name, folder]) => `--var=${name}=${at(folder)}`);
    this.#process = spawn(
      'rspamd',
      ['-f', '-u', '_rspamd', '-g', '_rspamd', '-c', at('etc', 'rspamd.conf'), ...varOptions],
      {
        stdio: 'ignore',
      },
    );
  }

  log(): string {
    return readFileSync(join(this.folder, 'log', 'rspamd.log'), 'utf8');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
