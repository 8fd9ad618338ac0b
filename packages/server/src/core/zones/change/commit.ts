import { nextSerial, type ZoneProblem } from '@namehold/dns';
import type { Actor, AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { type ChangeKind, countRecords, type JournalRecords, type Zone, type ZoneDiff } from '../../model/zone.ts';
import type { ZoneChanged, ZoneWarning } from '../../model/zone-task.ts';
import { zoneLimits } from '../limits.ts';
import { putRRsets, removeRRsets } from '../rrsets/rrset.sql.ts';
import { sameSoaFields, soaRRset } from '../soa.ts';
import { advanceZone } from '../zone.sql.ts';
import { insertChange, pruneJournal } from './change.sql.ts';
import { checkDraft } from './check.ts';
import { diffRRsets, type Rewrite } from './diff.ts';
import type { ZoneDraft } from './draft.ts';
import { guardApex } from './guard-apex.ts';
import { guardKeys } from './guard-keys.ts';
import { guardManaged } from './guard-managed.ts';

export interface CommitOptions {
  readonly kind: ChangeKind;
  readonly comment?: string | null;
  readonly isDryRun?: boolean;
  /** Records of the service that replace deleted ones: no change by a caller. */
  readonly isOurs?: boolean;
  /** A new serial even without a difference: a roll-back that revives a zone. */
  readonly always?: boolean;
}

/** One change of a zone in one transaction: RRsets, serial, journal, audit entry, event and notification of the nameservers. */
export async function commitDraft(
  ctx: AppContext,
  actor: Actor,
  draft: ZoneDraft,
  options: CommitOptions,
): Promise<ZoneChanged> {
  const isOwners = !options.isOurs;
  if (isOwners) guardManaged(draft, options.kind === 'change' ? 'refuse' : 'leave');
  const { diff, changed } = diffRRsets(draft.rewrites());
  const isSame = changed.length === 0 && sameSoaFields(draft.zone, draft.soa);
  const { zone } = draft;
  const outcome = { previousSerial: zone.serial, isDryRun: options.isDryRun ?? false, diff };
  if (isSame && !options.always) return { ...outcome, zone, isChanged: false, warnings: shortened(draft.warnings) };
  const recordCount = zone.record_count + growth(changed);
  if (recordCount > zoneLimits.recordsPerZone) {
    throw new Refusal(
      'invalid_argument',
      `The zone would have ${recordCount} records, and at most ${zoneLimits.recordsPerZone} are allowed.`,
      {
        errors: [
          {
            field: 'records',
            code: 'too_many',
            message: `A zone can have at most ${zoneLimits.recordsPerZone} records.`,
          },
        ],
      },
    );
  }
  const findings = await checkDraft(draft);
  if (findings.errors.length > 0) throw zoneRefusal(draft, findings.errors);
  if (isOwners) {
    await guardApex(ctx, actor, draft, changed);
    await guardKeys(draft, changed);
  }
  const warnings = shortened([...draft.warnings, ...findings.warnings]);
  const now = ctx.wall.now();
  const serial = nextSerial(zone.serial, now.getTime() / 1_000);
  const after: Zone = { ...zone, ...draft.soa, serial, record_count: recordCount, changed_at: now };
  if (!outcome.isDryRun) await store(ctx, actor, draft, { after, diff, changed, options });
  return { ...outcome, zone: outcome.isDryRun ? zone : after, isChanged: true, warnings };
}

function growth(changed: readonly Rewrite[]): number {
  return changed.reduce(
    (sum, { before, after }) => sum + (after?.records.length ?? 0) - (before?.records.length ?? 0),
    0,
  );
}

async function store(
  ctx: AppContext,
  actor: Actor,
  { tx, zone }: ZoneDraft,
  change: { after: Zone; diff: ZoneDiff; changed: readonly Rewrite[]; options: CommitOptions },
): Promise<void> {
  const { after, diff, changed, options } = change;
  await removeRRsets(
    tx,
    zone,
    changed.flatMap(({ before, after: now }) => (before && !now ? [before] : [])),
  );
  await putRRsets(
    tx,
    zone,
    changed.flatMap(({ after: now }) => (now ? [now] : [])),
  );
  await insertChange(tx, zone, {
    serialFrom: zone.serial,
    serialTo: after.serial,
    kind: options.kind,
    at: after.changed_at,
    keyId: actor.keyId,
    user: actor.user,
    requestId: actor.requestId,
    comment: options.comment ?? null,
    soaFrom: soaRRset(zone).records[0]!.text,
    soaTo: soaRRset(after).records[0]!.text,
    ...diff,
  });
  if (after.serial % zoneLimits.journalTidyEvery === 0) {
    const before = new Date(after.changed_at.getTime() - zoneLimits.journalKeepMs);
    await pruneJournal(tx, zone.id, before, zoneLimits.journalKeepChanges);
  }
  await advanceZone(tx, zone, { ...after, recordCount: after.record_count, now: after.changed_at });
  await recordChange(ctx, actor, tx, { zone: after, previousSerial: zone.serial, diff, kind: options.kind });
}

/** Audit entry and event of a change; also for the first content of a zone. */
export async function recordChange(
  ctx: AppContext,
  actor: Actor,
  tx: ZoneDraft['tx'],
  facts: { zone: Zone; previousSerial: number | null; diff: ZoneDiff; kind: ChangeKind },
): Promise<void> {
  const { zone, diff, kind } = facts;
  const name = zone.name.slice(0, -1);
  await audit(ctx, tx, actor, {
    action: kind === 'create' ? 'zone.create' : 'zone.change',
    objectType: 'zone',
    objectId: zone.domain_id,
    resellerId: zone.reseller_id,
    before:
      facts.previousSerial === null ? null : { serial: facts.previousSerial, deleted: firstRecords(diff.deleted) },
    after: { name, serial: zone.serial, kind, added: firstRecords(diff.added) },
  });
  await appendEvent(ctx, tx, {
    resellerId: zone.reseller_id,
    type: kind === 'create' ? 'zone.created' : 'zone.changed',
    objectId: zone.domain_id,
    requestId: actor.requestId,
    payload: {
      domain_id: zone.domain_id,
      domain_name: name,
      serial: zone.serial,
      previous_serial: facts.previousSerial,
      kind,
      added: countRecords(diff.added),
      deleted: countRecords(diff.deleted),
    },
  });
}

function shortened(warnings: readonly ZoneWarning[]): readonly ZoneWarning[] {
  const more = warnings.length - zoneLimits.warnings;
  if (more <= 0) return warnings;
  return [...warnings.slice(0, zoneLimits.warnings), { name: '', type: '', reason: `and ${more} more warnings` }];
}

/** Shortens the difference to the records that a response shows, because it is passed between threads. */
export function brief({ zone, previousSerial, isChanged, isDryRun, diff, warnings }: ZoneChanged): ZoneChanged {
  const short = (sets: readonly JournalRecords[]) => firstRecords(sets, zoneLimits.recordsInHistory);
  return {
    zone,
    previousSerial,
    isChanged,
    isDryRun,
    diff: { deleted: short(diff.deleted), added: short(diff.added) },
    warnings,
  };
}

function firstRecords(
  sets: readonly JournalRecords[],
  most: number = zoneLimits.recordsInAudit,
): readonly JournalRecords[] {
  let left = most;
  const shown: JournalRecords[] = [];
  for (const set of sets) {
    if (left <= 0) break;
    shown.push({ ...set, records: set.records.slice(0, left) });
    left -= set.records.length;
  }
  return shown;
}

/** Each problem under the field of the request that contains it. */
function zoneRefusal(draft: ZoneDraft, problems: readonly ZoneProblem[]): Refusal {
  const errors = problems.slice(0, zoneLimits.problems).map((problem) => ({
    field: draft.fieldOf(problem.name, problem.type) ?? 'zone',
    code: 'invalid',
    message: `${problem.name} ${problem.type}: ${problem.reason}`,
  }));
  const lines = errors.flatMap(({ field, message }) => {
    const line = /^line (\d+)$/.exec(field)?.[1];
    return line === undefined ? [] : [{ line: Number(line), field: 'zone', reason: message }];
  });
  return new Refusal('invalid_argument', `${errors[0]!.field}: ${errors[0]!.message}`, {
    errors,
    ...(lines.length > 0 ? { facts: { lines } } : {}),
  });
}
