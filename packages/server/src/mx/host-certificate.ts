import { execFile } from 'node:child_process';
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Vault } from '@namehold/base';
import { allTenants, type Database } from '@namehold/postgres';
import type { Log } from '../core/app-context.ts';
import { keyContext } from '../core/certificates/certificate.ts';
import { hostCertificate, keepSeen } from '../core/certificates/mail-host.sql.ts';
import { FailureLog } from '../nameservers/failure-log.ts';
import { presentedCertificate, type SmtpAddress } from './presented-certificate.ts';

const run = promisify(execFile);
const programMs = 10_000;
/** Longer than the idle time of a Postfix process (100 s). A more frequent check would keep a process with the former certificate alive. */
const everyMs = 180_000;

interface HostCertificateOptions {
  readonly db: Database;
  readonly log: Log;
  readonly mailHosts: readonly string[];
  /** The postconf program and its arguments. Empty: the mail host is unknown and this does nothing. */
  readonly postconf: readonly string[];
  /** The certificate file of Postfix. Undefined: the operator provides certificates. */
  readonly file: string | undefined;
  /** Decrypts the key. */
  readonly vault: Pick<Vault, 'open'> | undefined;
  readonly smtp: SmtpAddress;
  /** Trusted roots (PEM). Undefined: the default ones. */
  readonly roots?: readonly string[];
}

/**
 * Every three minutes: writes the certificate of this mail host for Postfix and stores which one Postfix presents. Processes of Postfix
 * live for minutes and read the file at their start, so no reload is needed.
 */
export class HostCertificate {
  readonly #options: HostCertificateOptions;
  readonly #failures: FailureLog;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();

  constructor(options: HostCertificateOptions) {
    this.#options = options;
    this.#failures = new FailureLog(options.log, 'mail host certificate not checked; will retry');
  }

  start(): void {
    if (this.#options.postconf.length === 0) return;
    this.#checking = this.#tryCheck().finally(() => {
      this.#timer = setTimeout(() => this.start(), everyMs).unref();
    });
  }

  async #tryCheck(): Promise<void> {
    try {
      await this.check();
      this.#failures.recovered();
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  async check(): Promise<void> {
    const { db, smtp, roots } = this.#options;
    const host = await this.#host();
    await this.#write(host);
    const found = await presentedCertificate(smtp, host, roots);
    const [notAfter, reason] =
      typeof found === 'string' ? [null, found] : [new Date(found.certificate.validTo), found.doubt ?? null];
    await keepSeen(db.autocommit(allTenants), { host, isGood: reason === null, reason, notAfter });
  }

  async #host(): Promise<string> {
    const [program = '', ...parameters] = this.#options.postconf;
    const { stdout } = await run(program, [...parameters, '-h', 'myhostname'], { timeout: programMs });
    const host = stdout.trim().toLowerCase();
    if (!this.#options.mailHosts.includes(host))
      throw new Error(`myhostname of Postfix is ${host}, which is not in NAMEHOLD_MAIL_HOSTS`);
    return host;
  }

  async #write(host: string): Promise<void> {
    const { db, file, vault } = this.#options;
    if (file === undefined || !vault) return;
    const found = await hostCertificate(db.as(allTenants), host);
    if (!found) return;
    // Postfix requires the key before the certificate.
    const key = vault.open(found.key_sealed, keyContext(found.id));
    const wanted = `${key.trim()}\n${found.chain.trim()}\n`;
    if ((await readFile(file, 'utf8').catch(() => undefined)) === wanted) return;
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(file, wanted);
    this.#options.log.info({ host, file }, 'mail host certificate replaced');
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#checking;
    clearTimeout(this.#timer);
  }
}

/** Written atomically and readable only by its owner. */
async function replaceFile(file: string, text: string): Promise<void> {
  const part = `${file}.part`;
  const handle = await open(part, 'w', 0o600);
  try {
    // A file left by a killed process may have another mode.
    await chmod(part, 0o600);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
}
