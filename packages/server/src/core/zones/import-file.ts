import { type RRset, readZoneFile } from '@namehold/dns';
import type { Domain } from '../domains/domain.ts';
import { Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { changeZone, type Expected } from './change-zone.ts';
import type { ZoneChanged } from './commit.ts';
import { takeSoa } from './edit-rrsets.ts';
import { rrsetLimits, signerTypes, zoneLimits } from './limits.ts';
import { putAll, removeOthers } from './replace-rrsets.ts';
import { countRecords, zoneName } from './zone.ts';

export interface ImportOrder {
  readonly file: string;
  readonly expected: Expected | undefined;
  readonly isDryRun: boolean;
  readonly comment?: string | undefined;
}

/** The zone becomes what the master file says. Every bad line is told, and nothing changes while there is one. */
export async function importZoneFile(
  house: House,
  actor: Actor,
  domain: Domain,
  order: ImportOrder,
): Promise<ZoneChanged> {
  const origin = zoneName(domain.name);
  const { rrsets, errors, warnings } = readZoneFile(order.file, {
    origin,
    limits: rrsetLimits,
    maxErrors: zoneLimits.zoneFileErrors,
  });
  if (errors.length > 0) throw lineRefusal(errors);
  const signed = rrsets.find((set) => signerTypes.has(set.type));
  if (signed) throw fileRefusal(`${signed.name} ${signed.type}: records that a signer makes are not imported`);
  if (countRecords(rrsets) > zoneLimits.recordsPerZone)
    throw fileRefusal(
      `${countRecords(rrsets)} records are over the limit of ${zoneLimits.recordsPerZone} a zone`,
      'too_many',
    );
  const { expected, isDryRun, comment = null } = order;
  return changeZone(house, actor, domain, { kind: 'import', expected, isDryRun, comment }, async (draft) => {
    await draft.loadAll();
    const [soa, rest] = withoutSoa(rrsets, origin);
    if (soa) takeSoa(draft, soa, (field) => `file.${field}`);
    putAll(draft, rest, 'file');
    removeOthers(draft);
    draft.warnings.push(
      ...warnings.map(({ line, field, reason }) => ({
        name: origin,
        type: 'file',
        reason: `line ${line}, ${field}: ${reason}`,
      })),
    );
  });
}

function withoutSoa(rrsets: readonly RRset[], origin: string): [RRset | undefined, RRset[]] {
  const isOurs = (set: RRset) => set.type === 'SOA' && set.name === origin;
  const stray = rrsets.find((set) => set.type === 'SOA' && set.name !== origin);
  if (stray) throw fileRefusal(`${stray.name} SOA: the SOA belongs at the apex ${origin}`);
  return [rrsets.find(isOurs), rrsets.filter((set) => !isOurs(set))];
}

function lineRefusal(errors: readonly { line: number; field: string; reason: string }[]): Refusal {
  const first = errors[0]!;
  return new Refusal('invalid_argument', `line ${first.line}: ${first.field}: ${first.reason}`, {
    errors: errors.map(({ line, field, reason }) => ({
      field: `line ${line}`,
      code: 'invalid',
      message: `${field}: ${reason}`,
    })),
    facts: { lines: errors },
  });
}

function fileRefusal(sentence: string, code = 'invalid'): Refusal {
  return new Refusal('invalid_argument', sentence, { errors: [{ field: 'file', code, message: sentence }] });
}
