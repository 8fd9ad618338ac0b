import type { Clock, Database, Ids } from '@namehold/base';
import type { ResponseSpec } from '@namehold/epp';
import type { Horizon } from '../clockwork/horizon.ts';
import type { MailCounts } from '../poll/mail-counts.ts';
import type { SandboxTld } from '../tlds/index.ts';

/** Where a command came in: what is served there. */
export interface Door {
  readonly tlds: ReadonlyMap<string, SandboxTld>;
  readonly maxNamesPerCheck: number;
  /** RFC 9154 is not known here: a new name must have an auth code. */
  readonly needsAuthInfo: boolean;
}

/** Everything a command needs; built once in sandbox.ts. */
export interface Registry {
  readonly db: Database;
  /** Business time. */
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tlds: ReadonlyMap<string, SandboxTld>;
  readonly door: Door;
  readonly horizon: Horizon;
  readonly mailCounts: MailCounts;
}

/** What a committed change means for things outside the database; taken up after the commit, never before. */
export interface Ripples {
  readonly mailFor: Set<string>;
  readonly dueAt: Date[];
}

export const noRipples = (): Ripples => ({ mailFor: new Set(), dueAt: [] });

/** One command of one registrar. `at` is its business time, the same in every row that it writes. */
export interface Call {
  readonly registry: Registry;
  readonly clientId: string;
  readonly clTRID: string | null;
  readonly svTRID: string;
  readonly at: Date;
  readonly ripples: Ripples;
}

export const success: ResponseSpec = { results: [{ code: 1000 }] };

/** The tenant of every statement: this database has one owner. */
export const registryTenant = '*';
