import type { DsRecord, SecDnsRecords, SecDnsUpdate } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import type { SandboxTld } from '../tlds/index.ts';

/** Hex digits of a digest by its type: SHA-1, SHA-256, GOST, SHA-384 (RFC 8624 names the types in use). */
const digestLength: Readonly<Record<number, number>> = { 1: 40, 2: 64, 3: 64, 4: 96 };
/** DNSKEY algorithms that a zone can be signed with (RFC 8624). */
const algorithms = new Set([5, 7, 8, 10, 13, 14, 15, 16]);

const keyOf = (record: DsRecord): string =>
  `${record.keyTag} ${record.alg} ${record.digestType} ${record.digest.toUpperCase()}`;

export function readDs(tld: SandboxTld, secDNS: SecDnsRecords | undefined): DsRecord[] {
  if (secDNS === undefined) return [];
  if (tld.rules.dnssec === 'none') refuse(2306, `.${tld.tld} has no DNSSEC`);
  // RFC 5910 4: the server says which of the two interfaces it takes.
  if (secDNS.kind !== 'ds') refuse(2306, `.${tld.tld} takes dsData, not keyData`);
  if (secDNS.maxSigLifeSeconds !== undefined) refuse(2102, 'maxSigLife is not served');
  for (const record of secDNS.records) checkDs(record);
  return refuseUnlessFew(
    tld,
    secDNS.records.map((record) => ({ ...record, digest: record.digest.toUpperCase() })),
  );
}

function checkDs(record: DsRecord): void {
  if (!algorithms.has(record.alg)) refuse(2306, `algorithm ${record.alg} is not accepted`);
  const length = digestLength[record.digestType];
  if (length === undefined) refuse(2306, `digest type ${record.digestType} is not accepted`);
  if (!/^[0-9a-f]*$/i.test(record.digest) || record.digest.length !== length) {
    refuse(2005, `a digest of type ${record.digestType} has ${length} hex digits`);
  }
}

function refuseUnlessFew(tld: SandboxTld, records: readonly DsRecord[]): DsRecord[] {
  if (records.length > tld.maxDsRecords) refuse(2306, `.${tld.tld} takes ${tld.maxDsRecords} DS records`);
  if (new Set(records.map(keyOf)).size !== records.length) refuse(2302, 'a DS record is there already');
  return [...records];
}

/** RFC 5910 5.2.5: what goes is taken away before what comes is added. */
export function changeDs(tld: SandboxTld, current: readonly DsRecord[], update: SecDnsUpdate): DsRecord[] {
  if (update.urgent) refuse(2102, 'urgent is not served');
  if (update.maxSigLifeSeconds !== undefined) refuse(2102, 'maxSigLife is not served');
  let kept = [...current];
  if (update.rem?.kind === 'all') kept = [];
  if (update.rem?.kind === 'key') refuse(2306, `.${tld.tld} takes dsData, not keyData`);
  if (update.rem?.kind === 'ds') {
    const gone = new Set(update.rem.records.map(keyOf));
    const there = new Set(kept.map(keyOf));
    for (const key of gone) if (!there.has(key)) refuse(2303, `no DS record ${key}`);
    kept = kept.filter((record) => !gone.has(keyOf(record)));
  }
  return refuseUnlessFew(tld, [...kept, ...readDs(tld, update.add)]);
}
