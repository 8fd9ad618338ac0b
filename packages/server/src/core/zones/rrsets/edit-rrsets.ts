import { buildRRset, checkRRset, type Name, parseRecord, type RRset, warnRRset, zoneType } from '@namehold/dns';
import { countRecords } from '../../model/zone.ts';
import type { EditAction, RRsetEdit } from '../../model/zone-task.ts';
import type { ZoneDraft } from '../change/draft.ts';
import { fieldsRefusal, inFields } from '../change/problems.ts';
import { rrsetLimits, signerTypes, zoneDefaults, zoneLimits } from '../limits.ts';
import { dubiousTarget, ownerName } from '../records/owner-name.ts';
import { soaFieldsOf, soaProblems } from '../soa.ts';

interface Named extends RRsetEdit {
  readonly owner: Name;
  readonly kind: string;
  readonly field: string;
}

/** Owner and type of every edit of a list, and the limits of one call. It does not read the zone. */
export function nameEdits(edits: readonly RRsetEdit[], origin: Name, list = 'rrsets'): Named[] {
  const records = countRecords(edits.map((edit) => ({ records: edit.records ?? [] })));
  if (records > zoneLimits.recordsPerCall) {
    const reason = `${records} records are over the limit of ${zoneLimits.recordsPerCall} a call`;
    throw fieldsRefusal([{ field: list, reason, code: 'too_many' }]);
  }
  return edits.map((edit, at) => {
    const field = `${list}.${at}`;
    const owner = inFields(
      () => `${field}.name`,
      () => ownerName(edit.name, origin),
    );
    const kind = inFields(
      () => `${field}.type`,
      () => writableType(edit.type, `${field}.type`),
    );
    return { ...edit, owner, kind, field };
  });
}

/** Types that an owner may write. Types that a signer generates are excluded. */
export function writableType(type: string, field = 'type'): string {
  const kind = zoneType(type.trim(), rrsetLimits);
  if (signerTypes.has(kind)) throw fieldsRefusal([{ field, reason: `${kind} records are made by the signer` }]);
  return kind;
}

const dotted = (field: string) => field.replaceAll(/\[(\d+)\]/g, '.$1');

/** A record is sent as one text, so the sentence names the wrong part instead of a field. */
function asSent(field: string, reason: string): { field: string; reason: string } {
  const [, record, part] = /^(rrsets\.\d+\.records\.\d+)\.(.+)$/.exec(field) ?? [];
  return record && part ? { field: record, reason: `${part}: ${reason}` } : { field, reason };
}

/** Puts the edits on the draft in their order. All problems of an RRset are reported together, under `rrsets.N`. */
export function applyEdits(draft: ZoneDraft, edits: readonly Named[]): void {
  inEachEdit(edits, (edit) => applyOne(draft, edit));
}

/** Runs a function for each edit and reports the problems of all of them together, under the fields of the request. */
export function inEachEdit(edits: readonly Named[], work: (edit: Named) => void): void {
  const problems: { field: string; reason: string }[] = [];
  for (const edit of edits) {
    try {
      inFields(
        (field) => `${edit.field}.${dotted(field)}`,
        () => work(edit),
      );
    } catch (error) {
      const { errors } = (error as { details?: { errors?: { field: string; message: string }[] } }).details ?? {};
      if (!errors) throw error;
      problems.push(...errors.map(({ field, message }) => asSent(field, message)));
    }
  }
  if (problems.length > 0) throw fieldsRefusal(problems);
}

function applyOne(draft: ZoneDraft, edit: Named): void {
  const { owner, kind, field } = edit;
  const action = edit.action ?? (edit.records?.length === 0 ? 'delete' : 'replace');
  const whole = action === 'replace' || action === 'delete';
  if (whole && draft.isEdited(owner, kind))
    throw fieldsRefusal([{ field, reason: `${owner} ${kind} is in this call twice` }]);
  if (kind === 'SOA') applySoa(draft, edit, action);
  else if (action === 'delete') draft.remove(owner, kind, field);
  else if (action === 'remove') removeRecords(draft, edit);
  else putRecords(draft, edit, action);
}

function putRecords(draft: ZoneDraft, edit: Named, action: 'replace' | 'add'): void {
  const { owner, kind, field } = edit;
  const present = draft.rrset(owner, kind);
  const ttl = edit.ttl ?? present?.ttl ?? zoneDefaults.ttlSeconds;
  const { rrset, warnings } = buildRRset(
    { name: owner, type: kind, ttl, records: edit.records ?? [] },
    contextOf(draft),
    rrsetLimits,
  );
  const dubious = (edit.records ?? []).flatMap((text) => dubiousTarget(kind, text, draft.zone.name) ?? []);
  draft.warnings.push(
    ...warnings.map(({ reason }) => ({ name: owner, type: kind, reason })),
    ...dubious.map((reason) => ({ name: owner, type: kind, reason })),
  );
  draft.put(action === 'add' ? joined(draft, rrset, present, field) : rrset, field);
}

const contextOf = (draft: ZoneDraft) => ({ origin: draft.zone.name, dotless: 'absolute-if-dotted' }) as const;

/** Records that exist already stay as they are, so adding is idempotent. */
function joined(draft: ZoneDraft, added: RRset, present: RRset | undefined, field: string): RRset {
  const known = new Set(present?.records.map((record) => record.text));
  const set = {
    ...added,
    records: [...(present?.records ?? []), ...added.records.filter((record) => !known.has(record.text))],
  };
  const problems = checkRRset(set, draft.zone.name, rrsetLimits);
  if (problems.length > 0)
    throw fieldsRefusal(
      problems.map((problem) => ({ field: `${field}.${dotted(problem.field)}`, reason: problem.reason })),
    );
  draft.warnings.push(...warnRRset(set).map(({ reason }) => ({ name: set.name, type: set.type, reason })));
  return set;
}

/** Missing records are no error, so removing is idempotent. */
function removeRecords(draft: ZoneDraft, edit: Named): void {
  const gone = new Set((edit.records ?? []).map((text) => parseRecord(edit.kind, text, contextOf(draft)).text));
  const present = draft.rrset(edit.owner, edit.kind);
  if (!present) return;
  draft.put({ ...present, records: present.records.filter((record) => !gone.has(record.text)) }, edit.field);
}

/** The owner may only change the mailbox and the timers of a SOA; serial and first nameserver are set by the service. */
function applySoa(draft: ZoneDraft, edit: Named, action: EditAction): void {
  if (edit.owner !== draft.zone.name || action !== 'replace')
    throw fieldsRefusal([{ field: edit.field, reason: 'the SOA stands at the apex and can only be replaced' }]);
  const { rrset } = buildRRset(
    { name: edit.owner, type: 'SOA', ttl: zoneDefaults.ttlSeconds, records: edit.records ?? [] },
    contextOf(draft),
    rrsetLimits,
  );
  takeSoa(draft, rrset, (field) => `${edit.field}.${dotted(field)}`);
}

export function takeSoa(draft: ZoneDraft, soa: RRset, fieldOf: (field: string) => string): void {
  const fields = soaFieldsOf(soa);
  const problems = soaProblems(fields);
  if (problems.length > 0)
    throw fieldsRefusal(problems.map(({ field, reason }) => ({ field: fieldOf(field), reason })));
  draft.soa = fields;
  draft.warnings.push({
    name: draft.zone.name,
    type: 'SOA',
    reason: 'mailbox and timers are taken over; serial and first nameserver are kept by the service',
  });
}
