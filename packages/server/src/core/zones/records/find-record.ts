import type { Name, RecordData, RRset } from '@namehold/dns';
import { badField, notFound, type Refusal } from '../../errors.ts';
import type { ZoneDraft } from '../change/draft.ts';
import { inFields } from '../change/problems.ts';
import { ownerName } from './owner-name.ts';
import { meansRecord, type PlainRecord, type PlainType, plainRecord } from './plain-record.ts';

/** How a caller identifies a record: by host and value, an SRV also by its numbers. */
export interface RecordName {
  readonly type: PlainType;
  readonly hostname: string;
  /** Undefined: the only one at the host. */
  readonly value?: string | undefined;
  readonly priority?: number | undefined;
  readonly weight?: number | undefined;
  readonly port?: number | undefined;
  /** A missing record in the path is a 404; in the body it is an invalid field. */
  readonly isInPath: boolean;
}

interface FoundRecord {
  readonly set: RRset;
  readonly record: RecordData;
  readonly shown: PlainRecord;
}

/** All matching records of the host, at least one. */
export async function findRecords(draft: ZoneDraft, wanted: RecordName): Promise<FoundRecord[]> {
  const origin = draft.zone.name;
  const name = inFields(
    () => 'host',
    () => ownerName(wanted.hostname, origin),
  );
  await draft.load([name]);
  const set = draft.rrset(name, wanted.type);
  const found = (set?.records ?? [])
    .map((record) => ({ set: set!, record, shown: plainRecord(set!, wanted.type, record) }))
    .filter(({ shown }) => fits(shown, wanted, origin));
  if (!set || found.length === 0) throw missing(wanted, name);
  return found;
}

function fits(shown: PlainRecord, wanted: RecordName, origin: Name): boolean {
  if (wanted.value !== undefined && !meansRecord(shown, wanted.value, origin)) return false;
  return (['priority', 'weight', 'port'] as const).every(
    (part) => wanted[part] === undefined || wanted[part] === shown[part],
  );
}

function missing(wanted: RecordName, name: Name): Refusal {
  const value = wanted.value === undefined ? '' : ` with the value ${wanted.value.slice(0, 200)}`;
  const what = `${wanted.type} record of ${name.slice(0, -1)}${value}`;
  return wanted.isInPath ? notFound(what) : badField('host', `${what} not found.`, 'not_found');
}
