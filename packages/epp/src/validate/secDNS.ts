import type { DsRecord, KeyRecord, SecDnsRecords, SecDnsRemoval, SecDnsUpdate } from '../model/extension.ts';
import type { TldRules } from '../profile.ts';
import { refuse } from './common.ts';

/** Hex digits by digest type: RFC 4034 (SHA-1), 4509 (SHA-256), 5933 (GOST), 6605 (SHA-384). */
const DIGEST_HEX_DIGITS: Readonly<Record<number, number>> = { 1: 40, 2: 64, 3: 64, 4: 96 };

export function checkSecDnsRecords(list: SecDnsRecords, rules: TldRules, field = 'secDNS'): void {
  checkInterface(list.kind, rules, field);
  if (list.records.length === 0) refuse(field, 'none given');
  if (list.maxSigLifeSeconds !== undefined) checkRange(list.maxSigLifeSeconds, 1, 2 ** 31 - 1, `${field}.maxSigLife`);
  checkRecords(list, field);
}

export function checkSecDnsUpdate(update: SecDnsUpdate, rules: TldRules): void {
  if (update.rem === undefined && update.add === undefined && update.maxSigLifeSeconds === undefined) {
    refuse('secDNS', 'nothing to change');
  }
  if (update.rem !== undefined && update.rem.kind !== 'all') {
    checkInterface(update.rem.kind, rules, 'secDNS.rem');
    if (update.rem.records.length === 0) refuse('secDNS.rem', 'none given');
    checkRecords(update.rem, 'secDNS.rem');
  }
  if (update.add !== undefined) checkSecDnsRecords(update.add, rules, 'secDNS.add');
}

/** RFC 5910 section 4: a server supports one interface; the profile says which. */
function checkInterface(kind: 'ds' | 'key', rules: TldRules, field: string): void {
  if (rules.dnssec === 'none') refuse(field, 'this TLD takes no DNSSEC data');
  if (rules.dnssec !== kind) refuse(field, `this TLD takes ${rules.dnssec} data`);
}

function checkRecords(list: SecDnsRecords | Exclude<SecDnsRemoval, { kind: 'all' }>, field: string): void {
  if (list.kind === 'ds') for (const record of list.records) checkDs(record, field);
  else for (const record of list.records) checkKey(record, field);
}

function checkDs(record: DsRecord, field: string): void {
  checkRange(record.keyTag, 0, 65535, `${field}.keyTag`);
  checkRange(record.alg, 0, 255, `${field}.alg`);
  checkRange(record.digestType, 0, 255, `${field}.digestType`);
  if (!/^(?:[0-9A-Fa-f]{2})+$/.test(record.digest)) refuse(`${field}.digest`, 'not hex');
  const digits = DIGEST_HEX_DIGITS[record.digestType];
  if (digits !== undefined && record.digest.length !== digits) refuse(`${field}.digest`, `not ${digits} hex digits`);
  if (record.key !== undefined) checkKey(record.key, field);
}

function checkKey(record: KeyRecord, field: string): void {
  checkRange(record.flags, 0, 65535, `${field}.flags`);
  checkRange(record.protocol, 0, 255, `${field}.protocol`);
  checkRange(record.alg, 0, 255, `${field}.alg`);
  const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  if (record.pubKey === '' || !base64.test(record.pubKey)) refuse(`${field}.pubKey`, 'not base64');
}

function checkRange(value: number, min: number, max: number, field: string): void {
  if (!Number.isInteger(value) || value < min || value > max) refuse(field, `not within ${min} to ${max}`);
}
