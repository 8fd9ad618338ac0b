import type { Actor, AppContext } from '../../app-context.ts';
import type { Domain } from '../../model/domain.ts';
import { changeZone, type Edited } from '../change/change-zone.ts';
import { findRecords, type RecordName } from './find-record.ts';
import type { PlainRecord } from './plain-record.ts';

/** Deletes the matching records: one by host and value; all SRV of a host if no value is given. */
export async function deleteRecord(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  wanted: RecordName,
): Promise<Edited<PlainRecord>> {
  return changeZone(ctx, actor, domain, { kind: 'change' }, async (draft) => {
    const found = await findRecords(draft, wanted);
    const { set, shown } = found[0]!;
    const gone = new Set(found.map(({ record }) => record));
    draft.put({ ...set, records: set.records.filter((record) => !gone.has(record)) }, 'host');
    return shown;
  });
}
