import { dsOfKey } from '@namehold/dns';
import type { DsRecord, KeyRecord, SecDnsRecords, SecDnsRemoval, SecDnsUpdate } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import type { SandboxTld } from '../tlds/index.ts';

/** Hex digits of a digest by its type: SHA-1, SHA-256, GOST, SHA-384 (RFC 8624 lists the types in use). */
const digestLength: Readonly<Record<number, number>> = { 1: 40, 2: 64, 3: 64, 4: 96 };
/** DNSKEY algorithms that a zone can be signed with (RFC 8624). */
const algorithms = new Set([5, 7, 8, 10, 13, 14, 15, 16]);

const keyOf = (record: DsRecord): string =>
  `${record.keyTag} ${record.alg} ${record.digestType} ${record.digest.toUpperCase()}`;

export function readDs(tld: SandboxTld, name: string, secDNS: SecDnsRecords | undefined): DsRecord[] {
  if (secDNS === undefined) return [];
  if (tld.rules.dnssec === 'none') refuse(2306, `.${tld.tld} has no DNSSEC`);
  if (secDNS.maxSigLifeSeconds !== undefined) refuse(2102, 'maxSigLife is not served');
  const records = recordsOf(tld, name, secDNS);
  for (const record of records) checkDs(record);
  return refuseUnlessFew(tld, records);
}

/** RFC 5910 4: the server decides which interface it accepts. From keys it makes the DS records itself. */
function recordsOf(tld: SandboxTld, name: string, given: Exclude<SecDnsRemoval, { kind: 'all' }>): DsRecord[] {
  const { dnssec } = tld.rules;
  if (given.kind !== dnssec) refuse(2306, `.${tld.tld} takes ${dnssec}Data, not ${given.kind}Data`);
  if (given.kind === 'ds') return given.records.map((record) => ({ ...record, digest: record.digest.toUpperCase() }));
  return given.records.map((key) => ({ ...madeOf(name, key), alg: key.alg, key }));
}

function madeOf(name: string, { flags, protocol, alg, pubKey }: KeyRecord) {
  if (flags !== 256 && flags !== 257) refuse(2306, 'flags are 256 or 257');
  if (protocol !== 3) refuse(2306, 'the protocol is 3');
  return dsOfKey(`${name}.`, { flags, protocol, algorithm: alg, publicKey: Buffer.from(pubKey, 'base64') });
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

/** RFC 5910 5.2.5: removals are applied before additions. */
export function changeDs(
  tld: SandboxTld,
  name: string,
  current: readonly DsRecord[],
  update: SecDnsUpdate,
): DsRecord[] {
  if (update.urgent) refuse(2102, 'urgent is not served');
  if (update.maxSigLifeSeconds !== undefined) refuse(2102, 'maxSigLife is not served');
  let kept = [...current];
  if (update.rem?.kind === 'all') kept = [];
  if (update.rem !== undefined && update.rem.kind !== 'all') {
    const gone = new Set(recordsOf(tld, name, update.rem).map(keyOf));
    const there = new Set(kept.map(keyOf));
    for (const key of gone) if (!there.has(key)) refuse(2303, `no DS record ${key}`);
    kept = kept.filter((record) => !gone.has(keyOf(record)));
  }
  return refuseUnlessFew(tld, [...kept, ...readDs(tld, name, update.add)]);
}
