import type { Clock, Ids, Vault } from '@namehold/base';
import {
  type Autocommit,
  allTenants,
  chargedTo,
  confinedTo,
  type Database,
  type Tx,
  withReplicaReads,
} from '@namehold/postgres';
import type { Config } from '../config.ts';
import type { Effects } from './effects.ts';
import type { Domain } from './model/domain.ts';
import type { Operation } from './model/operation.ts';
import type { PdfDocument } from './model/pdf-document.ts';
import type { ExportedFile, ZoneChanged, ZoneTask } from './model/zone-task.ts';
import type { CertificateAuthority, NameLookup } from './ports/certificate-authority.ts';
import type { Mailer } from './ports/mailer.ts';
import type { PasskeyVerifier } from './ports/passkey-verifier.ts';
import type { PaymentProviders } from './ports/payment-provider.ts';
import type { Registries } from './ports/registry.ts';
import type { SandboxPort } from './ports/sandbox.ts';
import type { SerialQuery } from './ports/serial-query.ts';
import type { TargetProbe } from './ports/target-probe.ts';
import type { UpstreamAccounts } from './ports/upstream-accounts.ts';

/** The dependencies of the use cases, assembled by `parts.ts`. */
export interface AppContext {
  readonly config: Config;
  readonly db: Database;
  /** The database login for purges, which can call one function only. */
  readonly retention: Autocommit;
  readonly vault: Vault;
  readonly ids: Ids;
  /** Business time; movable in sandbox mode. */
  readonly clock: Clock;
  /** Wall-clock time: leases, key expiry, idempotency, rate limits. */
  readonly wall: Clock;
  readonly log: Log;
  readonly registries: Registries;
  /** Accounts at upstreams that are not connected yet. */
  readonly upstreamAccounts: UpstreamAccounts;
  readonly engine: OperationEngine;
  /** What other modules do in the transaction of a change. */
  readonly effects: Effects;
  /** Notifies nameservers of a new zone, after the commit. */
  readonly zoneNotifier: { notify(zoneId: string): void };
  /** Control of the sandbox registry besides commands; only in sandbox mode. */
  readonly sandbox?: SandboxPort;
  /** Worker threads for large zones and PDF documents; without them the work runs in the caller. */
  readonly workers?: WorkerPool;
  /** Sends mail; without it notices wait. */
  readonly mailer?: Mailer;
  /**
   * Certificate authorities for forwarded domains: the first, and an alternative while it is unavailable. Without any there is no HTTPS.
   */
  readonly authorities: readonly CertificateAuthority[];
  /** Public DNS queries for names that are not in our zones. */
  readonly lookup: NameLookup;
  /** Queries a nameserver for its serial of a zone, over its public address. */
  readonly querySerial: SerialQuery;
  /** Sends requests to targets of forwarding. */
  readonly probe: TargetProbe;
  /** Verifies passkey signatures. */
  readonly passkeys: PasskeyVerifier;
  /** The host of the brand that the request used; without one it used the service's own address. */
  readonly brandHost?: BrandHost;
  /** Payment providers, by name. */
  readonly providers: PaymentProviders;
  /** URLs of pages that core itself does not know. */
  readonly pages: Pages;
  /** A failpoint of the write path, at which recovery tests end the process. */
  readonly failpoint: (label: string) => void;
}

/** A verified host of an account's brand (decision 0088). */
export interface BrandHost {
  readonly host: string;
  readonly resellerId: string;
}

/** The context for requests at that host: signatures made there are bound to it. */
export const contextAt = (ctx: AppContext, brandHost: BrandHost | undefined): AppContext =>
  brandHost ? { ...ctx, brandHost, passkeys: ctx.passkeys.at(brandHost.host) } : ctx;

/** As sessions and passkeys store it; null: the service's own address. */
export const brandHostOf = ({ brandHost }: Pick<AppContext, 'brandHost'>): string | null => brandHost?.host ?? null;

/** What the use cases need of the engine (operations/engine.ts). */
export interface OperationEngine {
  /** The id of this process in leases. */
  readonly owner: string;
  /** For an operation that is placed and then started here: long enough for the first heartbeat to renew it. */
  readonly firstLease: { readonly owner: string; readonly ms: number };
  /**
   * Hands over an operation as it was placed: with that lease, or without one for any process with a session. If its transaction does
   * not commit it is never started, and evicted.
   */
  keepPlaced(operation: Operation): void;
  /** Runs it now in this process. Never rejects: errors are recorded on the operation. */
  start(id: string): Promise<void>;
  /** The same if it is due and no other process has begun. */
  resume(id: string): Promise<void>;
  /** Starts it and waits at most this long; then returns its state. */
  startAndWait(resellerId: string, id: string, waitMs: number): Promise<Operation>;
  /** Another process reports that its attempt has ended, so waiting callers here need not poll. */
  onSettledElsewhere(id: string): void;
  /** Refuses an approved operation that is no longer possible. */
  recheck(tx: Tx, operation: Operation): Promise<void>;
  /** Requests the approval of another party before an approved operation runs. Undefined: none is needed. */
  requestSecondApproval(tx: Tx, actor: Actor, operation: Operation): Promise<Operation | undefined>;
  /** Reverts what its order did, in the transaction that cancels or refuses it. */
  undo(tx: Tx, operation: Operation): Promise<void>;
  /** Restores the local state of an order that turns out to have been carried out, in the transaction that reopens it. */
  redo(tx: Tx, operation: Operation): Promise<void>;
  /** For a clean stop: waits until running operations have ended. */
  drain(): Promise<void>;
}

export interface Pages {
  /** The page on which the holder of a token confirms: at a host of the account's brand, or at the service's own address. */
  confirmation(token: string, host: string | null): string;
  /** Returns a signature over the nonce and the host, which only this service can make. */
  hostProof(host: string, nonce: string): string;
  /** The page where a user's code is redeemed. With `isReset`, for a user who forgot the password. */
  welcome(code: string, isReset?: boolean): string;
}

/** To whose shares of a queue a task is charged. */
export type TaskOwner = Pick<Actor, 'resellerId' | 'topId'>;

/** Worker threads with a queue, a limit for each reseller, turns of the top accounts, and a deadline. */
export interface WorkerPool {
  change(actor: Actor, task: ZoneTask): Promise<ZoneChanged>;
  /** The present zone, or the zone at a serial. */
  exportFile(actor: TaskOwner, domain: Domain, serial?: number): Promise<ExportedFile>;
  /** A document as a PDF. */
  print(actor: TaskOwner, document: PdfDocument): Promise<Uint8Array>;
}

export interface Log {
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
  error(facts: object, sentence: string): void;
}

/** A user, as named in the audit log. */
export interface ActingUser {
  readonly id: string;
  readonly name: string;
  readonly sessionId: string;
  /** Of the secret by which the session was found. Absent: no session yet. */
  readonly secretFingerprint?: string;
}

/** The acting key or user; null: the service itself. */
export const actingId = (actor: Pick<Actor, 'keyId' | 'user'>): string | null => actor.keyId ?? actor.user?.id ?? null;

/** The actor. Every write names one; the audit row is made from it. */
export interface Actor {
  readonly resellerId: string;
  /** The account directly below the operator that it belongs to, for shares of limits; absent for the service itself. */
  readonly topId?: string;
  readonly keyId: string | null;
  /** Set for a user in a session. Without key and user the actor is the service itself: a background job or the command line. */
  readonly user?: ActingUser | undefined;
  /** Set if that user is a customer: its access is limited to what it owns. */
  readonly customerId?: string | undefined;
  /** Set if that customer may place orders: uses the reseller's rights, confined to what the customer owns. */
  readonly actsForReseller?: boolean | undefined;
  readonly address: string;
  readonly requestId: string;
  readonly scopes: readonly string[];
  readonly isOperator: boolean;
  /** Arrival of the call by `performance.now()`; absent for the service itself. */
  readonly since?: number;
  /** Set for a request with an Idempotency-Key: the answer is stored in the transaction of its effect. */
  readonly idempotency?: IdempotentRequest;
}

/** An Idempotency-Key and the token of its holder: enough for another thread to store the answer in its transaction. */
export interface HeldKey {
  readonly resellerId: string;
  readonly key: string;
  readonly token: string;
}

export interface IdempotentRequest {
  readonly held: HeldKey;
  /** Called inside the business transaction with its result. */
  complete(tx: Tx, result: unknown): Promise<void>;
  /** Called by the write path: this operation will provide the answer. */
  follow(tx: Tx, operationId: string): Promise<void>;
  /** The same if a statement of the transaction did that along with its own work: its number of rows. */
  followed(changed: number): void;
}

/**
 * The context for this actor: its transactions count to the share of its top account, and for a customer every statement is confined to
 * what it owns.
 */
export function contextFor(ctx: AppContext, { customerId, actsForReseller, topId }: ActingParty): AppContext {
  const charged = topId === undefined ? ctx : { ...ctx, db: chargedTo(ctx.db, topId) };
  return customerId === undefined ? charged : { ...charged, db: confinedTo(charged.db, customerId, actsForReseller) };
}

type ActingParty = Pick<Actor, 'customerId' | 'actsForReseller' | 'topId'>;

/** The same for long reads: uses standbys if there are any. */
export const readContextFor = (ctx: AppContext, actor: ActingParty): AppContext =>
  contextFor({ ...ctx, db: withReplicaReads(ctx.db) }, actor);

/** One business transaction of an actor: its rows only, its audit, its idempotent answer. */
export async function write<T>(ctx: AppContext, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  return ctx.db.transaction(actor.resellerId, async (tx) => {
    const result = await work(tx);
    await actor.idempotency?.complete(tx, result);
    return result;
  });
}

/**
 * The same on the second database login, for what a request's login may not do: move money other than by a hold, change a status or the
 * state of an operation. Row-level security does not apply: every statement inside names the owner in its WHERE.
 */
export async function writeAsService<T>(ctx: AppContext, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  const within = async (tx: Tx) => {
    const result = await work(tx);
    await actor.idempotency?.complete(tx, result);
    return result;
  };
  return ctx.db.transaction(allTenants, within, { of: actor.resellerId });
}
