import { checkRRset, type Name, type RRset, warnRRset } from '@namehold/dns';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { zoneName } from '../../model/zone.ts';
import { changeZone, type Edited } from '../change/change-zone.ts';
import type { ZoneDraft } from '../change/draft.ts';
import { fieldsRefusal, inFields } from '../change/problems.ts';
import { rrsetLimits, zoneDefaults } from '../limits.ts';
import { ownerName } from './owner-name.ts';
import { plainField } from './plain-field.ts';
import { type PlainRecord, type PlainType, plainRecord, type RecordNumbers, readPlain } from './plain-record.ts';

interface NewRecord extends RecordNumbers {
  readonly type: PlainType;
  readonly hostname: string;
  readonly value: string;
  readonly ttl?: number | undefined;
}

/** Adds one record to its RRset. A TTL applies to the whole RRset, which can have only one (RFC 2181 5.2). */
export async function addRecord(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  order: NewRecord,
): Promise<Edited<PlainRecord>> {
  const origin = zoneName(domain.name);
  const name = inFields(
    () => 'host',
    () => ownerName(order.hostname, origin),
  );
  const record = inFields(plainField, () => readPlain(order.type, order.value, order, origin));
  return changeZone(ctx, actor, domain, { kind: 'change' }, async (draft) => {
    await draft.load([name]);
    const present = draft.rrset(name, order.type);
    if (present?.records.some((one) => one.text === record.text)) throw alreadyThere(name, order.type, record.text);
    const set: RRset = {
      name,
      type: order.type,
      ttl: order.ttl ?? present?.ttl ?? zoneDefaults.ttlSeconds,
      records: [...(present?.records ?? []), record],
    };
    putChecked(draft, set);
    return plainRecord(set, order.type, record);
  });
}

export function alreadyThere(name: Name, type: string, text: string): Refusal {
  return new Refusal('already_exists', `${name} already has this ${type} record: ${text.slice(0, 200)}`);
}

/** Puts an RRset of valid records on the draft after the checks of whole RRsets, with error texts for single records. */
export function putChecked(draft: ZoneDraft, set: RRset): void {
  const problems = checkRRset(set, draft.zone.name, rrsetLimits);
  if (problems.length > 0)
    throw fieldsRefusal(problems.map(({ field, reason }) => ({ field: plainField(field), reason })));
  draft.put(set, 'host');
  draft.warnings.push(...warnRRset(set).map(({ reason }) => ({ name: set.name, type: set.type, reason })));
}
