import type { Clock, Ids } from '@namehold/base';
import type { ResponseSpec } from '@namehold/epp';
import type { Database } from '@namehold/postgres';
import type { MessageCounts } from '../poll/message-counts.ts';
import type { Horizon } from '../scheduler/horizon.ts';
import type { SandboxTld } from '../tlds/index.ts';

/** The services of the endpoint of a command. */
export interface Endpoint {
  readonly tlds: ReadonlyMap<string, SandboxTld>;
  readonly maxNamesPerCheck: number;
  /** RFC 9154 is not supported here: a new name must have an auth code. */
  readonly needsAuthInfo: boolean;
  /** Only at an upstream like CentralNic Reseller. */
  readonly keysys?: { readonly uri: string; readonly renewsByMode: readonly string[] };
}

/** Everything that a command needs; built once in sandbox.ts. */
export interface Registry {
  readonly db: Database;
  /** Business time. */
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tlds: ReadonlyMap<string, SandboxTld>;
  readonly endpoint: Endpoint;
  readonly horizon: Horizon;
  readonly messageCounts: MessageCounts;
}

/** Effects of a committed change outside the database; applied after the commit, never before. */
export interface CommitEffects {
  readonly messagesFor: Set<string>;
  readonly dueAt: Date[];
}

export const noEffects = (): CommitEffects => ({ messagesFor: new Set(), dueAt: [] });

/** One command of one registrar. `at` is its business time, the same in every row that it writes. */
export interface Call {
  readonly registry: Registry;
  readonly clientId: string;
  readonly clTRID: string | null;
  readonly svTRID: string;
  readonly at: Date;
  readonly effects: CommitEffects;
}

export const success: ResponseSpec = { results: [{ code: 1000 }] };

/** The tenant of every statement: this database has one owner. */
export const registryTenant = '*';
