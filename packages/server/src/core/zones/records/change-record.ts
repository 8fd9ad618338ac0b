import type { RRset } from '@namehold/dns';
import type { Actor, AppContext } from '../../app-context.ts';
import { badField } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { changeZone, type Edited } from '../change/change-zone.ts';
import { inFields } from '../change/problems.ts';
import { alreadyThere, putChecked } from './add-record.ts';
import { findRecords, type RecordName } from './find-record.ts';
import { plainField } from './plain-field.ts';
import { type PlainRecord, plainRecord, type RecordNumbers, readPlain } from './plain-record.ts';

export interface RecordChange extends RecordNumbers {
  readonly value: string;
  readonly ttl?: number | undefined;
}

const distinguishing = ({ type }: RecordName): string =>
  type === 'SRV'
    ? 'Add the port, weight and priority of the record to the path.'
    : 'Send old_priority with the priority of the record.';

/** Changes the value and numbers of one record; its host stays. Fields that are left out keep their old value. */
export async function changeRecord(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  wanted: RecordName,
  change: RecordChange,
): Promise<Edited<PlainRecord>> {
  return changeZone(ctx, actor, domain, { kind: 'change' }, async (draft) => {
    const [found, ...more] = await findRecords(draft, wanted);
    if (wanted.value === undefined && more.length > 0)
      throw badField(
        'oldValue',
        `This field is required because the host has ${more.length + 1} ${wanted.type} records.`,
        'required',
      );
    // SRV records may differ only in port, weight and priority, MX records only in priority.
    if (more.length > 0)
      throw badField(
        'oldValue',
        `This value matches ${more.length + 1} ${wanted.type} records. ${distinguishing(wanted)}`,
      );
    const { set, record, shown } = found!;
    const numbers = {
      priority: change.priority ?? shown.priority,
      weight: change.weight ?? shown.weight,
      port: change.port ?? shown.port,
    };
    const renewed = inFields(plainField, () => readPlain(wanted.type, change.value, numbers, draft.zone.name));
    if (renewed.text !== record.text && set.records.some((one) => one.text === renewed.text))
      throw alreadyThere(set.name, set.type, renewed.text);
    const changed: RRset = {
      ...set,
      ttl: change.ttl ?? set.ttl,
      records: set.records.map((one) => (one === record ? renewed : one)),
    };
    putChecked(draft, changed);
    return plainRecord(changed, wanted.type, renewed);
  });
}
