import type { Name } from '@namehold/dns';
import type { Domain } from './domain.ts';
import type { Zone, ZoneDiff } from './zone.ts';

/** The serials that the caller expects; `*`: any, if there is a zone; `none`: there is none. */
export type Expected = readonly number[] | '*' | 'none';

export interface ZoneWarning {
  readonly name: Name;
  readonly type: string;
  readonly reason: string;
}

export type EditAction = 'replace' | 'delete' | 'add' | 'remove';

/** One RRset of a request in its original form. */
export interface RRsetEdit {
  readonly name: string;
  readonly type: string;
  readonly ttl?: number | undefined;
  readonly records?: readonly string[] | undefined;
  readonly action?: EditAction | undefined;
}

export interface ZoneChanged {
  readonly zone: Zone;
  readonly previousSerial: number;
  readonly isChanged: boolean;
  readonly isDryRun: boolean;
  readonly diff: ZoneDiff;
  readonly warnings: readonly ZoneWarning[];
}

export interface EditOrder {
  readonly rrsets: readonly RRsetEdit[];
  readonly expected?: Expected | undefined;
  readonly isDryRun?: boolean;
  readonly comment?: string | undefined;
  /** A service that manages one of these names ends there. */
  readonly takesOver?: boolean;
}

export interface ImportOrder {
  readonly file: Uint8Array;
  readonly expected: Expected | undefined;
  readonly isDryRun: boolean;
  readonly comment?: string | undefined;
}

export interface RollbackOrder {
  readonly serial: number;
  readonly expected?: Expected | undefined;
  readonly isDryRun: boolean;
  readonly comment?: string | undefined;
}

export interface ExportedFile {
  readonly file: Uint8Array;
  readonly serial: number;
}

/** Work on a zone that would block the main thread for too long. */
export type ZoneTask =
  | { readonly kind: 'import'; readonly domain: Domain; readonly order: ImportOrder }
  | { readonly kind: 'patch' | 'replace'; readonly domain: Domain; readonly order: EditOrder }
  | { readonly kind: 'rollback'; readonly domain: Domain; readonly order: RollbackOrder };
