import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const services = [
  'pickup unix n - n 60 1 pickup',
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'flush unix n - n 1000? 0 flush',
  'proxymap unix - - n - - proxymap',
  'smtp unix - - n - - smtp',
  'lmtp unix - - n - - lmtp',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'virtual unix - n n - - virtual',
  'scache unix - - n - 1 scache',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'anvil unix - - n - 1 anvil',
  'postlog unix-dgram n - n - 1 postlogd',
];

/** Debian's Postfix on loopback. */
export class PostfixCopy {
  readonly port: number;
  readonly folder: string;
  readonly uid = Number(execFileSync('id', ['-u', 'postfix'], { encoding: 'utf8' }));
  readonly gid = Number(execFileSync('id', ['-g', 'postfix'], { encoding: 'utf8' }));

  constructor(port: number) {
    this.port = port;
    this.folder = mkdtempSync(join(tmpdir(), 'namehold-postfix-'));
    execFileSync('chmod', ['755', this.folder]);
    for (const name of ['etc', 'queue', 'data', 'mail']) mkdirSync(this.at(name));
    for (const name of ['data', 'mail']) chownSync(this.at(name), this.uid, this.gid);
  }

  at(...names: string[]): string {
    return join(this.folder, ...names);
  }

  start(main: string): void {
    const own = {
      compatibility_level: '3.6',
      queue_directory: this.at('queue'),
      data_directory: this.at('data'),
      mydestination: '',
      inet_interfaces: '127.0.0.1',
      inet_protocols: 'ipv4',
      maillog_file: this.at('log'),
      maillog_file_prefixes: this.folder,
    };
    writeFileSync(this.at('etc', 'main.cf'), `${linesOf(own)}${main}`);
    writeFileSync(
      this.at('etc', 'master.cf'),
      [`127.0.0.1:${this.port} inet n - n - - smtpd`, ...services, ''].join('\n'),
    );
    this.command('postfix', 'start');
  }

  command(program: 'postfix' | 'postqueue' | 'postsuper', ...words: string[]): string {
    return execFileSync(program, ['-c', this.at('etc'), ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  log(): string {
    return readFileSync(this.at('log'), 'utf8');
  }

  stop(): void {
    this.command('postfix', 'stop');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const linesOf = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
