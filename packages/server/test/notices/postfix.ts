import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../test/nameservers/support/ports.ts';

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
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'virtual unix - n n - - virtual',
  'anvil unix - - n - 1 anvil',
  'postlog unix-dgram n - n - 1 postlogd',
];

/** Debian's Postfix, a copy of its own on loopback: it delivers to mailboxes in a folder, and reports what it cannot deliver. */
export class Postfix {
  readonly port: number;
  readonly #folder: string;

  constructor(port: number, mailboxes: readonly string[]) {
    this.port = port;
    this.#folder = mkdtempSync(join(tmpdir(), 'namehold-postfix-'));
    const at = (...names: string[]) => join(this.#folder, ...names);
    const uid = Number(execFileSync('id', ['-u', 'postfix'], { encoding: 'utf8' }));
    const gid = Number(execFileSync('id', ['-g', 'postfix'], { encoding: 'utf8' }));
    execFileSync('chmod', ['755', this.#folder]);
    for (const name of ['etc', 'queue', 'data', 'mail']) mkdirSync(at(name));
    for (const name of ['data', 'mail']) chownSync(at(name), uid, gid);
    writeFileSync(at('etc', 'mailboxes'), mailboxes.map((box) => `${box} ${box}/\n`).join(''));
    const settings = {
      compatibility_level: '3.6',
      queue_directory: at('queue'),
      data_directory: at('data'),
      myhostname: 'mx.test.example',
      mydestination: '',
      inet_interfaces: '127.0.0.1',
      inet_protocols: 'ipv4',
      mynetworks: '127.0.0.0/8',
      virtual_mailbox_domains: [...new Set(mailboxes.map((box) => box.split('@')[1]))].join(' '),
      virtual_mailbox_base: at('mail'),
      virtual_mailbox_maps: `texthash:${at('etc', 'mailboxes')}`,
      virtual_uid_maps: `static:${uid}`,
      virtual_gid_maps: `static:${gid}`,
      recipient_delimiter: '+',
      // An unknown reader is found out at delivery, as it is behind most relays: the report comes back by mail.
      smtpd_reject_unlisted_recipient: 'no',
      default_transport: 'error:nowhere else',
      notify_classes: '',
      maillog_file: at('log'),
      maillog_file_prefixes: this.#folder,
    };
    writeFileSync(
      at('etc', 'main.cf'),
      Object.entries(settings)
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(''),
    );
    writeFileSync(at('etc', 'master.cf'), [`127.0.0.1:${port} inet n - n - - smtpd`, ...services, ''].join('\n'));
  }

  static async start(mailboxes: readonly string[]): Promise<Postfix> {
    const postfix = new Postfix(await freePort(), mailboxes);
    postfix.#command('start');
    return postfix;
  }

  #command(word: string): void {
    execFileSync('postfix', ['-c', join(this.#folder, 'etc'), word], { stdio: 'ignore' });
  }

  /** Mails in a mailbox, as they lie there. */
  mails(mailbox: string): string[] {
    const folder = join(this.#folder, 'mail', mailbox, 'new');
    try {
      return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    } catch {
      return [];
    }
  }

  log(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8');
  }

  stop(): void {
    this.#command('stop');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
