import {
  type Autocommit,
  allTenants,
  type Clock,
  confinedTo,
  type Database,
  type Ids,
  type Tx,
  type Vault,
  withReplicaReads,
} from '@namehold/base';
import type { Config } from '../config.ts';
import type { CertificateAuthority, NameLookup } from './certificates/authority.ts';
import type { Domain } from './domains/domain.ts';
import type { Registries } from './domains/registry/registry.ts';
import type { TargetProbe } from './forwarding/probe.ts';
import type { PdfDocument } from './invoices/printed.ts';
import type { Mailer } from './notices/mailer.ts';
import type { Operation } from './operations/operation.ts';
import type { PaymentProviders } from './payments/provider.ts';
import type { PasskeyVerifier } from './users/passkey-verifier.ts';
import type { SerialQuery } from './zones/publish/serial-query.ts';
import type { ExportedFile, ZoneChanged, ZoneTask } from './zones/tasks.ts';

/** What the use cases are handed by main.ts. Ports of single nouns join here as those nouns arrive. */
export interface AppContext {
  readonly config: Config;
  readonly db: Database;
  /** The login that forgets what is old, by one function. */
  readonly retention: Autocommit;
  readonly vault: Vault;
  readonly ids: Ids;
  /** Business time; movable in sandbox mode. */
  readonly clock: Clock;
  /** Wall time: leases, key expiry, idempotency, rate limits. */
  readonly wall: Clock;
  readonly log: Log;
  readonly registries: Registries;
  readonly engine: OperationEngine;
  /** Word to whoever serves zones that there is a new one; after the commit. */
  readonly bell: { ring(zoneId: string): void };
  /** What a registry in a box can be told besides commands; only in sandbox mode. */
  readonly sandbox?: SandboxPort;
  /** Where large zones are worked on and documents are printed; without one, where the caller is. */
  readonly workers?: WorkerPool;
  /** Takes mail; without one notices wait. */
  readonly mailer?: Mailer;
  /** Make certificates for forwarded names: the first one, and another while it is away. Without any there is no HTTPS. */
  readonly authorities: readonly CertificateAuthority[];
  /** What the world sees of names that are not in our zones. */
  readonly lookup: NameLookup;
  /** Asks a nameserver which serial of a zone it answers, as the public would. */
  readonly querySerial: SerialQuery;
  /** Asks targets of forwarding. */
  readonly probe: TargetProbe;
  /** Reads what passkeys signed. */
  readonly passkeys: PasskeyVerifier;
  /** The host of a brand by which the caller came; without one it came by the service's own address. */
  readonly brandHost?: BrandHost;
  /** Ways in which money comes in, by name. */
  readonly providers: PaymentProviders;
  /** Addresses of pages that a person opens, which core itself does not know. */
  readonly pages: Pages;
  /** A labelled point of the write path; recovery tests let the process die there. */
  readonly failpoint: (label: string) => void;
}

/** A verified host of an account's brand (decision 0088). */
export interface BrandHost {
  readonly host: string;
  readonly resellerId: string;
}

/** The house as it is found by that host: what is signed there is signed for that host. */
export const contextAt = (ctx: AppContext, brandHost: BrandHost | undefined): AppContext =>
  brandHost ? { ...ctx, brandHost, passkeys: ctx.passkeys.at(brandHost.host) } : ctx;

/** As sessions and passkeys remember it; null: the service's own address. */
export const brandHostOf = ({ brandHost }: Pick<AppContext, 'brandHost'>): string | null => brandHost?.host ?? null;

/** What the use cases ask of the engine (operations/engine.ts). */
export interface OperationEngine {
  /** This process, in leases. */
  readonly owner: string;
  /** For an operation that is placed and then started here: long enough for the first heartbeat to renew it. */
  readonly firstLease: { readonly owner: string; readonly ms: number };
  /** Such an operation, as it was placed: with that lease, or without one for whichever process has a session. Where its transaction does not commit it is never started, and forgotten. */
  keepPlaced(operation: Operation): void;
  /** Runs it now in this process. Never rejects: what goes wrong is on the operation's record. */
  start(id: string): Promise<void>;
  /** The same where it is due, and nobody else has begun. */
  resume(id: string): Promise<void>;
  /** Starts it and waits at most this long; then tells how the operation stands. */
  startAndWait(resellerId: string, id: string, waitMs: number): Promise<Operation>;
  /** Another process says that an attempt of its own has ended: whoever waits for it here need not look by itself. */
  isOver(id: string): void;
  /** Refuses what waited for a second yes and may not be done any more. */
  recheck(tx: Tx, operation: Operation): Promise<void>;
  /** Takes back what its order did, in the transaction that cancels or refuses it. */
  undo(tx: Tx, operation: Operation): Promise<void>;
  /** Makes room again for what was undone and turns out to have been carried out, in the transaction that reopens it. */
  redo(tx: Tx, operation: Operation): Promise<void>;
  /** For a clean stop: everything that is under way comes to its end. */
  drain(): Promise<void>;
}

export interface Pages {
  /** Where the holder of a token confirms what the page shows: at a host of the account's brand, or at the service's own address. */
  confirmation(token: string, host: string | null): string;
  /** Answers with a signature over the nonce and the host: this service alone can make it. */
  hostProof(host: string, nonce: string): string;
  /** Where a code of a person is redeemed. */
  welcome(code: string): string;
}

/** The sandbox registry's own control, and the clock that it shares with us. */
export interface SandboxPort {
  /** Business time moves for everybody. Answers when the registry has caught up, and we have or this much time has passed. */
  moveClock(byMs: number, patienceMs: number): Promise<{ readonly isCaughtUp: boolean }>;
  readonly dial: SandboxDial;
  /** What the registry itself has of a name; undefined: nothing. */
  readDomain(name: string): Promise<SandboxName | undefined>;
  /** What the rival registrar does, in its own name. */
  actAsOtherRegistrar(act: OtherRegistrarAction): Promise<OtherRegistrarResult>;
}

export interface SandboxDial {
  list(): Promise<readonly SandboxFault[]>;
  /** This one alone. Refuses what is no fault, with words. */
  turn(fault: object): Promise<readonly SandboxFault[]>;
  clear(): Promise<readonly SandboxFault[]>;
}

/** A name as the registry in a box has it. */
export interface SandboxName {
  readonly sponsor: string;
  readonly phase: string;
  readonly statuses: readonly string[];
  readonly graceStatuses: readonly string[];
  readonly hosts: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  /** When time alone next changes it. */
  readonly dueAt: string;
  readonly transferState: string | null;
}

export type SandboxFault = Readonly<Record<string, unknown>>;

export interface OtherRegistrarAction {
  readonly name: string;
  readonly action: string;
  readonly authCode: string | undefined;
}

export interface OtherRegistrarResult {
  readonly sponsor: string;
  readonly statuses: readonly string[];
  readonly transferState: string | null;
}

/** Threads beside the main one, with a queue, a limit for each reseller and a deadline. */
export interface WorkerPool {
  change(actor: Actor, task: ZoneTask): Promise<ZoneChanged>;
  /** As it is, or as it was at a serial. */
  exportFile(actor: Pick<Actor, 'resellerId'>, domain: Domain, serial?: number): Promise<ExportedFile>;
  /** A document as a PDF. */
  print(actor: Pick<Actor, 'resellerId'>, document: PdfDocument): Promise<Uint8Array>;
}

export interface Log {
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
  error(facts: object, sentence: string): void;
}

/** A person at work, as the audit names it. */
export interface ActingUser {
  readonly id: string;
  readonly name: string;
  readonly sessionId: string;
  /** Of the secret by which the session was found. Absent: no session yet. */
  readonly secretFingerprint?: string;
}

/** By what somebody from outside acts, a key or a person; null: the house itself. */
export const actingId = (actor: Pick<Actor, 'keyId' | 'user'>): string | null => actor.keyId ?? actor.user?.id ?? null;

/** Who acts. Every write names one; the audit row is made from it. */
export interface Actor {
  readonly resellerId: string;
  readonly keyId: string | null;
  /** Set where a person acts, in a session. With neither key nor person it is the house itself: the clockwork or the command line. */
  readonly user?: ActingUser | undefined;
  /** Set where that person is a customer: it reaches what is its own, and nothing else of the account. */
  readonly customerId?: string | undefined;
  /** Set where that customer does more than reading and changing records: behind its reseller's mark, held to what is its own. */
  readonly acts?: boolean | undefined;
  readonly address: string;
  readonly requestId: string;
  readonly scopes: readonly string[];
  readonly isOperator: boolean;
  /** When a call of its own arrived, by `performance.now()`; nobody waits for the house itself. */
  readonly since?: number;
  /** Set where the caller sent an Idempotency-Key: the answer is stored in the transaction that makes it true. */
  readonly idempotency?: IdempotentRequest;
}

/** An Idempotency-Key and the token that whoever holds it has: enough for another thread to store the answer in its transaction. */
export interface HeldKey {
  readonly resellerId: string;
  readonly key: string;
  readonly token: string;
}

export interface IdempotentRequest {
  readonly held: HeldKey;
  /** Called inside the business transaction with what it returns. */
  complete(tx: Tx, result: unknown): Promise<void>;
  /** Called by the write path: the answer will come from this operation. */
  follow(tx: Tx, operationId: string): Promise<void>;
  /** The same where a statement of the transaction did that along with its own: so many rows. */
  followed(changed: number): void;
}

/** The house as this actor finds it: for a customer every statement is confined to what is its own. */
export const contextFor = (ctx: AppContext, actor: Pick<Actor, 'customerId' | 'acts'>): AppContext =>
  actor.customerId === undefined ? ctx : { ...ctx, db: confinedTo(ctx.db, actor.customerId, actor.acts) };

/** The same for what only reads and may be long: where there are standbys, they are read. */
export const readContextFor = (ctx: AppContext, actor: Pick<Actor, 'customerId' | 'acts'>): AppContext =>
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
 * The same on the second login, for what a request's own may not do: move money other than by a hold, change a status or the state
 * of an operation. Row-level security does not stand behind it: every statement inside names the owner in its WHERE.
 */
export async function writeWide<T>(ctx: AppContext, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  const within = async (tx: Tx) => {
    const result = await work(tx);
    await actor.idempotency?.complete(tx, result);
    return result;
  };
  return ctx.db.transaction(allTenants, within, { of: actor.resellerId });
}
