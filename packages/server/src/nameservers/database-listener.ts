import { endConnection, primaryOf } from '@namehold/postgres';
import pg from 'pg';
import type { Log } from '../core/app-context.ts';

interface DatabaseListenerOptions {
  readonly url: string;
  readonly channels: readonly string[];
  /** A session-level advisory lock that at most one process holds. */
  readonly lockId?: number;
  readonly log: Log;
  /** Log message of a lost connection. */
  readonly lostMessage?: string;
  onNotification(channel: string, payload: string): void;
  /** Called after each connect, because earlier notifications were missed. */
  onUp(): void;
  /** Called when the lock is acquired, and when it is lost with the connection. */
  onLock?(isHeld: boolean): void;
}

/** Interval of connection tests and lock attempts. */
const BEAT_MS = 1_000;
const BEAT_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_MS = 1_000;
const FIRST_RECONNECT_MS = 50;

/** A dedicated PostgreSQL connection that receives notifications and holds the lock of the publishing process. */
export class DatabaseListener {
  readonly #options: DatabaseListenerOptions;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reconnectMs = FIRST_RECONNECT_MS;
  #holdsLock = false;
  #isStopped = false;
  #beating: Promise<void> = Promise.resolve();

  constructor(options: DatabaseListenerOptions) {
    this.#options = options;
    this.#beating = this.#connect();
  }

  get isUp(): boolean {
    return this.#client !== undefined;
  }

  async #connect(): Promise<void> {
    const connectionString = await primaryOf(this.#options.url).catch(() => undefined);
    if (connectionString === undefined) return this.#later(() => this.#connect(), this.#backOff());
    const client = new pg.Client({
      connectionString,
      application_name: 'namehold-nameservers',
      keepAlive: true,
      connectionTimeoutMillis: BEAT_TIMEOUT_MS,
      query_timeout: BEAT_TIMEOUT_MS,
    });
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ channel, payload }) => this.#options.onNotification(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of this.#options.channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch {
      await endConnection(client);
      this.#later(() => this.#connect(), this.#backOff());
      return;
    }
    if (this.#isStopped) return endConnection(client);
    this.#client = client;
    this.#reconnectMs = FIRST_RECONNECT_MS;
    this.#options.onUp();
    await this.#beat();
  }

  #backOff(): number {
    const delayMs = this.#reconnectMs;
    this.#reconnectMs = Math.min(delayMs * 2, MAX_RECONNECT_MS);
    return delayMs;
  }

  #later(work: () => Promise<void>, delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#beating = work();
    }, delayMs).unref();
  }

  async #beat(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    try {
      if (this.#holdsLock || this.#options.lockId === undefined) await client.query('select 1');
      else await this.#tryLock(client);
      this.#later(() => this.#beat(), BEAT_MS);
    } catch {
      this.#lose(client);
    }
  }

  async #tryLock(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      this.#options.lockId,
    ]);
    if (!rows[0]?.held || this.#isStopped) return;
    this.#holdsLock = true;
    this.#options.onLock?.(true);
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void endConnection(client);
    const { log, lostMessage } = this.#options;
    if (!this.#isStopped) log.warn({}, lostMessage ?? 'database unavailable; serving zones from memory');
    this.#release();
    this.#later(() => this.#connect(), this.#backOff());
  }

  #release(): void {
    if (!this.#holdsLock) return;
    this.#holdsLock = false;
    this.#options.onLock?.(false);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    this.#release();
    if (client) await endConnection(client);
    await this.#beating;
  }
}
