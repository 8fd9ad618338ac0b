import { createHash } from 'node:crypto';
import {
  type AnswerExtensions,
  createEppPool,
  type EppPool,
  EppUnsentError,
  IETF_NAMESPACES,
  SESSION_LIMIT_CODE,
  TLD_EXTENSIONS,
  type UnknownReason,
} from '@namehold/epp';
import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../core/alarms/alarm.ts';
import type { AppContext } from '../core/app-context.ts';
import type { CommandContext, Registries, Registry } from '../core/ports/registry.ts';
import {
  findRegistry,
  type RegistryRow,
  recordPasswordExpiry,
  recordSecureAuthInfoOffer,
} from '../core/registries/registry.sql.ts';
import { databaseAccount } from './account.ts';
import { BalanceRecorder, type ReportedBalance } from './balance-recorder.ts';
import { Breaker } from './breaker.ts';
import { databaseConnectionLeases } from './connection-leases.ts';
import { connectionSettings } from './connection-settings.ts';
import { databaseContactIds, withAssignedContactIds } from './epp/assigned-contact-ids.ts';
import { eppRegistry } from './epp/driver.ts';
import { sideConnection } from './epp/side/side-connection.ts';
import { holdingsFromUrl } from './holdings-from-url.ts';
import { databaseJournal } from './journal.ts';
import { LoginAlarm } from './login-alarm.ts';
import type { RegistryMetrics } from './metrics.ts';
import { currentCredentials } from './password.ts';
import { openUpstream } from './upstream/open.ts';
import { isUpstream } from './upstream/profile.ts';

/** How long settings of an open connection are cached. */
const settingsCheckMs = 5_000;

/** The settings that require a new pool when they change. An unconfirmed password and a new encryption of the same password do not. */
const settingsOf = ({ profile, endpoint, credentials }: ReturnType<typeof connectionSettings>): string =>
  createHash('sha256')
    .update(JSON.stringify([profile, endpoint, credentials]))
    .digest('hex');

const contactIdAlarm = (registryId: string): string => `registry:${registryId}:contact-ids`;

/** RFC 9154 is used if it is offered, from the next read of the settings on. */
async function recordOffer(ctx: AppContext, registryId: string, greeting: { readonly extURIs: readonly string[] }) {
  const isOffered = greeting.extURIs.includes(IETF_NAMESPACES.secureAuthInfo);
  await ctx.db.transaction(allTenants, (tx) => recordSecureAuthInfoOffer(tx, registryId, isOffered));
}

interface Connection {
  readonly settings: string;
  readonly registry: Registry;
  /** Undefined: always available. */
  hasFreeSession?(): Promise<boolean>;
  /** Undefined: never. */
  isSessionLimitReached?(): boolean;
  /** Undefined: not needed. */
  hasSession?(): boolean;
  /** Undefined: the registry does not use EPP. */
  readonly pool?: EppPool<CommandContext>;
  close(): Promise<void>;
}

/** The registries that the operator connected, each with its pool, breaker and journal. */
export class ConnectedRegistries implements Registries {
  readonly tldFields = TLD_EXTENSIONS;
  readonly #connections = new Map<string, Promise<Connection>>();
  readonly #breakers = new Map<string, Breaker>();
  readonly #loginAlarms = new Map<string, LoginAlarm>();
  readonly #balances = new Map<string, BalanceRecorder>();
  readonly #checkedAt = new Map<string, number>();
  readonly #metrics: RegistryMetrics;
  readonly #owner: string;
  readonly #onMessageWaiting: (registryId: string) => void;
  #ctx!: AppContext;
  #isClosed = false;

  constructor(options: { owner: string; metrics: RegistryMetrics; onMessageWaiting: (registryId: string) => void }) {
    this.#owner = options.owner;
    this.#metrics = options.metrics;
    this.#onMessageWaiting = options.onMessageWaiting;
  }

  bind(ctx: AppContext): void {
    this.#ctx = ctx;
  }

  async of(registryId: string): Promise<Registry> {
    return (await this.#connected(registryId)).registry;
  }

  /** If no registry answers, there is nothing to share; the next command reports it. */
  async hasFreeSession(registryId: string): Promise<boolean> {
    const connection = await this.#connected(registryId);
    return !this.isReachable(registryId) || ((await connection.hasFreeSession?.()) ?? true);
  }

  async isSessionLimitReached(registryId: string): Promise<boolean> {
    const open = await this.#connections.get(registryId)?.catch(() => undefined);
    return this.isReachable(registryId) && (open?.isSessionLimitReached?.() ?? false);
  }

  async hasSession(registryId: string): Promise<boolean> {
    const open = await this.#connections.get(registryId)?.catch(() => undefined);
    return open !== undefined && (open.hasSession?.() ?? true);
  }

  async #connected(registryId: string): Promise<Connection> {
    await this.#reopenIfChanged(registryId);
    let connection = this.#connections.get(registryId);
    if (!connection) {
      connection = this.#open(registryId);
      this.#connections.set(registryId, connection);
      connection.catch(() => this.#connections.delete(registryId));
    }
    return connection;
  }

  /** `namehold registry add` in another process: its settings apply here within seconds. */
  async #reopenIfChanged(registryId: string): Promise<void> {
    const now = performance.now();
    const open = await this.#connections.get(registryId)?.catch(() => undefined);
    if (!open || now - (this.#checkedAt.get(registryId) ?? 0) < settingsCheckMs) return;
    this.#checkedAt.set(registryId, now);
    const row = await findRegistry(this.#ctx.db.as(allTenants), registryId);
    if (row && settingsOf(connectionSettings(this.#ctx, row)) !== open.settings) await this.reload(registryId);
  }

  isReachable(registryId: string): boolean {
    return !(this.#breakers.get(registryId)?.isOpen ?? false);
  }

  /** Settings of a registry changed: the next command opens a new pool. */
  async reload(registryId: string): Promise<void> {
    const connection = await this.#connections.get(registryId)?.catch(() => undefined);
    this.#connections.delete(registryId);
    await connection?.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const alarm of this.#loginAlarms.values()) alarm.close();
    await Promise.all([...this.#balances.values()].map((notes) => notes.close()));
    const open = await Promise.allSettled(this.#connections.values());
    await Promise.allSettled(
      open.map((settled) => (settled.status === 'fulfilled' ? settled.value.close() : undefined)),
    );
  }

  async #open(registryId: string): Promise<Connection> {
    const ctx = this.#ctx;
    const row = await findRegistry(ctx.db.as(allTenants), registryId);
    if (!row) throw new Error(`registry ${registryId} is not connected`);
    const breaker = new Breaker();
    this.#breakers.set(registryId, breaker);
    const login = connectionSettings(ctx, row);
    const settings = settingsOf(login);
    if (isUpstream(row.profile)) {
      const around = { breaker, metrics: this.#metrics, loginAlarm: this.#loginAlarm(registryId), owner: this.#owner };
      return { settings, ...(await openUpstream(ctx, row, around)) };
    }
    const { profile } = login;
    const newClTRID = () => ctx.ids.next('nh').slice(0, 48);
    const chance = (length: number, alphabet: string) => ctx.ids.text(length, alphabet);
    const pool = this.#guarded(
      row,
      breaker,
      createEppPool<CommandContext>({
        ...login,
        credentials: () => currentCredentials(ctx, registryId),
        journal: databaseJournal(ctx, registryId),
        connectionLeases: databaseConnectionLeases(ctx, registryId, this.#owner),
        account: databaseAccount(ctx, registryId, profile.limits.commandsPerSecond),
        newClTRID,
        onEvent: (event) => this.#noticed(registryId, event),
      }),
    );
    if (profile.contacts.assignsIds) await clearAlarm(ctx, contactIdAlarm(registryId));
    const onAssignedId = () => this.#assignedId(registryId);
    const driver = eppRegistry({ id: registryId, clientId: row.client_id, profile, pool, chance, onAssignedId });
    const countOrphan = () => this.#metrics.countOrphanedContact(registryId);
    const registry = profile.contacts.assignsIds
      ? withAssignedContactIds(driver, databaseContactIds(ctx, registryId, countOrphan), ctx)
      : driver;
    return {
      settings,
      pool,
      close: () => pool.close(),
      hasFreeSession: () => pool.hasFreeSession(),
      isSessionLimitReached: () => pool.state().isSessionLimitReached,
      hasSession: () => pool.state().sessions > 0,
      registry: {
        ...registry,
        ...sideConnection(ctx, row, profile),
        ...(profile.holdings_url ? holdingsFromUrl(profile.holdings_url, row.client_id) : {}),
      },
    };
  }

  /** Counts and times every command, and refuses it at once while the breaker is open. */
  #guarded(row: RegistryRow, breaker: Breaker, pool: EppPool<CommandContext>): EppPool<CommandContext> {
    const metrics = this.#metrics;
    const { clock, wall } = this.#ctx;
    const reportBalance = (ext: AnswerExtensions | undefined, since: ReportedBalance['since']) => {
      const { balance, creditLimit = '0', currency } = ext?.fee ?? {};
      if (balance !== undefined && currency !== undefined)
        this.#balanceRecorder(row.id).reported({ balance, creditLimit, currency, since });
    };
    async function guard<T extends { kind: string; code?: number; why?: UnknownReason; ext?: AnswerExtensions }>(
      verb: string,
      send: () => Promise<T>,
    ): Promise<T> {
      if (breaker.isOpen)
        throw new EppUnsentError('connect-failed', `registry ${row.id} is unreachable; retrying shortly`);
      const started = performance.now();
      const since = { business: clock.now(), wall: wall.now() };
      try {
        const answer = await send();
        reportBalance(answer.ext, since);
        metrics.observe(row.id, verb, answer.code ?? answer.kind, (performance.now() - started) / 1000);
        breaker.answered(answer);
        return answer;
      } catch (error) {
        if (error instanceof EppUnsentError) {
          breaker.unsent(error.why);
          metrics.observe(row.id, verb, 'unsent', (performance.now() - started) / 1000);
        }
        throw error;
      }
    }
    const guarded: EppPool<CommandContext> = {
      resumeLogins: () => pool.resumeLogins(),
      hasFreeSession: () => pool.hasFreeSession(),
      state: () => pool.state(),
      close: () => pool.close(),
      send: (request, options) =>
        this.#orReplaced(row.id, guarded, (now) =>
          now
            ? now.send(request, options)
            : guard(`${request.object}-${request.verb}`, () => pool.send(request, options)),
        ),
      checkName: (name, options) =>
        this.#orReplaced(row.id, guarded, (now) =>
          now ? now.checkName(name, options) : guard('domain-check', () => pool.checkName(name, options)),
        ),
    };
    return guarded;
  }

  /** A command that was not sent because its pool was replaced is sent through the new pool. */
  async #orReplaced<T>(
    registryId: string,
    own: EppPool<CommandContext>,
    send: (replacement?: EppPool<CommandContext>) => Promise<T>,
  ): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof EppUnsentError) || error.why !== 'closed' || this.#isClosed) throw error;
      const { pool } = await this.#connected(registryId);
      if (!pool || pool === own) throw error;
      return send(pool);
    }
  }

  #assignedId(registryId: string): void {
    const ctx = this.#ctx;
    void raiseAlarm(ctx, {
      key: contactIdAlarm(registryId),
      severity: 'critical',
      sentence: `registry ${registryId} assigns contact ids, and its profile does not say so: set contacts.assignsIds and connect it again`,
      facts: { registry_id: registryId },
    }).catch((error: unknown) => ctx.log.error({ registry_id: registryId, err: error }, 'alarm not raised'));
  }

  #loginAlarm(registryId: string): LoginAlarm {
    const alarm = this.#loginAlarms.get(registryId) ?? new LoginAlarm(this.#ctx, registryId);
    this.#loginAlarms.set(registryId, alarm);
    return alarm;
  }

  #balanceRecorder(registryId: string): BalanceRecorder {
    const notes = this.#balances.get(registryId) ?? new BalanceRecorder(this.#ctx, registryId);
    this.#balances.set(registryId, notes);
    return notes;
  }

  #noticed(
    registryId: string,
    event: Parameters<NonNullable<Parameters<typeof createEppPool>[0]['onEvent']>>[0],
  ): void {
    const ctx = this.#ctx;
    if (event.type === 'message-waiting') this.#onMessageWaiting(registryId);
    if (event.type === 'login-refused') this.#loginAlarm(registryId).refused(event.text);
    if (event.type === 'logins-stopped') this.#loginAlarm(registryId).stopped(event.code, event.delayMs);
    if (event.type === 'backing-off') this.#loginAlarm(registryId).stopped(SESSION_LIMIT_CODE, event.delayMs);
    if (event.type === 'session-opened') {
      this.#loginAlarm(registryId).worked();
      void recordOffer(ctx, registryId, event.greeting).catch(() => undefined);
    }
    if (event.type === 'logins-resumed') this.#loginAlarm(registryId).resumed();
    if (event.type === 'login-security') {
      for (const { type, expiresAt } of event.events) {
        if (type === 'password' && expiresAt)
          void ctx.db
            .transaction(allTenants, (tx) => recordPasswordExpiry(tx, registryId, expiresAt))
            .catch(() => undefined);
      }
    }
    if (event.type === 'journal-fault')
      ctx.log.error({ registry_id: registryId, note: event.note, cltrid: event.clTRID }, `journal: ${event.text}`);
  }
}
