import { type RRset, readZoneFile } from '@namehold/dns';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { zoneName } from '../../model/zone.ts';
import type { ImportOrder, ZoneChanged } from '../../model/zone-task.ts';
import { changeZone } from '../change/change-zone.ts';
import type { ZoneDraft } from '../change/draft.ts';
import { fieldsRefusal } from '../change/problems.ts';
import { isLargeZone } from '../large.ts';
import { rrsetLimits, signerTypes, zoneLimits } from '../limits.ts';
import { takeSoa } from '../rrsets/edit-rrsets.ts';
import { removeOthers } from '../rrsets/replace-rrsets.ts';
import { clampSoa, soaFieldsOf, soaRRset } from '../soa.ts';

/** A reason may quote a token of the file, and tokens can be long. */
const maxReasonLength = 300;

/** Replaces the zone by the content of a master file. Every invalid line is reported, and nothing changes if there is one. */
export async function importZoneFile(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  order: ImportOrder,
): Promise<ZoneChanged> {
  const { workers } = ctx;
  if (workers && (order.file.length > zoneLimits.lightFileBytes || (await isLargeZone(ctx, domain))))
    return workers.change(actor, { kind: 'import', domain, order });
  const origin = zoneName(domain.name);
  const { rrsets, errors, warnings, lines } = readZoneFile(order.file, {
    origin,
    limits: rrsetLimits,
    maxErrors: zoneLimits.zoneFileErrors,
    maxWarnings: zoneLimits.warnings,
    // The SOA is one more.
    maxRecords: zoneLimits.recordsPerZone + 1,
    dropTypes: signerTypes,
  });
  if (errors.length > 0) throw lineRefusal(errors);
  if (rrsets.length === 0) throw fieldsRefusal([{ field: 'file', reason: 'has no records', code: 'required' }]);
  const lineOf = (set: RRset) => `line ${lines.get(`${set.name} ${set.type}`)}`;
  const { expected, isDryRun, comment = null } = order;
  return changeZone(ctx, actor, domain, { kind: 'import', expected, isDryRun, comment }, async (draft) => {
    await draft.loadAll();
    const [soa, rest] = withoutSoa(rrsets, origin, lineOf);
    if (soa) takeSoa(draft, clampedSoa(draft, soa, lineOf(soa)), () => lineOf(soa));
    for (const set of rest) draft.put(set, lineOf(set));
    removeOthers(draft);
    // At most zoneLimits.warnings and a few.
    draft.warnings.push(
      ...warnings.map(({ line, field, reason }) => ({
        name: origin,
        type: 'file',
        reason: `${line === Number.MAX_SAFE_INTEGER ? '' : `line ${line}, `}${field}: ${reason}`,
      })),
    );
  });
}

/** Timers outside our range are set to the nearest allowed value, so that a zone from another provider can be imported. */
function clampedSoa(draft: ZoneDraft, soa: RRset, line: string): RRset {
  const { fields, changes } = clampSoa(soaFieldsOf(soa));
  const reasonOf = ({ field, from, to }: (typeof changes)[number]) =>
    `${line}, ${field}: ${from} becomes ${to} seconds`;
  draft.warnings.push(...changes.map((change) => ({ name: soa.name, type: 'SOA', reason: reasonOf(change) })));
  return soaRRset({ ...draft.zone, ...fields });
}

function withoutSoa(
  rrsets: readonly RRset[],
  origin: string,
  lineOf: (set: RRset) => string,
): [RRset | undefined, RRset[]] {
  const isOurs = (set: RRset) => set.type === 'SOA' && set.name === origin;
  const foreign = rrsets.find((set) => set.type === 'SOA' && set.name !== origin);
  if (foreign)
    throw fieldsRefusal([
      { field: lineOf(foreign), reason: `${foreign.name} SOA: the SOA belongs at the apex ${origin}` },
    ]);
  return [rrsets.find(isOurs), rrsets.filter((set) => !isOurs(set))];
}

function lineRefusal(errors: readonly { line: number; field: string; reason: string }[]): Refusal {
  const first = errors[0]!;
  return new Refusal(
    'invalid_argument',
    `line ${first.line}: ${first.field}: ${first.reason.slice(0, maxReasonLength)}`,
    {
      errors: errors.map(({ line, field, reason }) => ({
        field: `line ${line}`,
        code: 'invalid',
        message: `${field}: ${reason.slice(0, maxReasonLength)}`,
      })),
      facts: { lines: errors.map((error) => ({ ...error, reason: error.reason.slice(0, maxReasonLength) })) },
    },
  );
}
