import { decodeRdata, encodeRdata, type Name, type RRset } from '@namehold/dns';
import type { SoaFields, Zone } from '../model/zone.ts';

export const soaTtlSeconds = 3_600;

/** Secondaries get changes by NOTIFY, so they refresh rarely, and they serve the zone for two weeks if we are unavailable. */
export const soaDefaults = { refresh: 86_400, retry: 7_200, expire: 1_209_600, minimum: 3_600 } as const;

/** Limits of the SOA timers: outside, secondaries would query too often or drop the zone too early. */
const soaRanges = {
  refresh: [300, 604_800],
  retry: [60, 86_400],
  expire: [604_800, 2_419_200],
  minimum: [60, 86_400],
} as const;

export function soaRRset(zone: Pick<Zone, 'name' | 'mname' | 'serial'> & SoaFields): RRset {
  const { mname, rname, serial, refresh, retry, expire, minimum } = zone;
  const record = encodeRdata('SOA', { mname, rname, serial, refresh, retry, expire, minimum });
  return { name: zone.name, type: 'SOA', ttl: soaTtlSeconds, records: [record] };
}

/** The editable part of a SOA; its serial and first nameserver are ignored. */
export function soaFieldsOf(soa: RRset): SoaFields {
  const { rname, refresh, retry, expire, minimum } = decodeRdata('SOA', soa.records[0]!.wire);
  return { rname, refresh, retry, expire, minimum };
}

export function sameSoaFields(a: SoaFields, b: SoaFields): boolean {
  return (
    a.rname === b.rname &&
    a.refresh === b.refresh &&
    a.retry === b.retry &&
    a.expire === b.expire &&
    a.minimum === b.minimum
  );
}

export function soaProblems(fields: SoaFields): { field: string; reason: string }[] {
  return (['refresh', 'retry', 'expire', 'minimum'] as const).flatMap((field) => {
    const [min, max] = soaRanges[field];
    const value = fields[field];
    return value >= min && value <= max
      ? []
      : [{ field: `records[0].${field}`, reason: `${value} is not from ${min} to ${max} seconds` }];
  });
}

interface ClampedField {
  readonly field: keyof typeof soaRanges;
  readonly from: number;
  readonly to: number;
}

/** Every timer limited to its range, and the names of those that were changed. */
export function clampSoa(fields: SoaFields): { readonly fields: SoaFields; readonly changes: readonly ClampedField[] } {
  const changes = (['refresh', 'retry', 'expire', 'minimum'] as const).flatMap((field) => {
    const [min, max] = soaRanges[field];
    const to = Math.min(max, Math.max(min, fields[field]));
    return to === fields[field] ? [] : [{ field, from: fields[field], to }];
  });
  return { fields: { ...fields, ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) }, changes };
}

/** RFC 2142 7: the mailbox of the responsible person of the zone. */
export function hostmasterOf(zone: Name): Name {
  return `hostmaster.${zone}`;
}
