import { MAX_TTL_SECONDS } from './duration.ts';
import { DnsError, NameError, RecordError, type Warning } from './error.ts';
import { isSubdomain, lowerName, type Name, type NameContext, parseName } from './name.ts';
import { joined, latin1Text } from './octets.ts';
import { checkOwner, warnOwner } from './owner.ts';
import { decodeRdata, parseRecord, type RecordData } from './record.ts';
import { hasOwnForm } from './type/registry.ts';
import { findTypeCode, hasUncheckedForm, isMetaType, typeName } from './type/type-code.ts';

/** All records of one name and type: the unit in which zones are written. */
export interface RRset {
  readonly name: Name;
  /** Mnemonic, or TYPEnnn. */
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly RecordData[];
}

export interface RRsetLimits {
  readonly minTtlSeconds: number;
  readonly maxTtlSeconds: number;
  readonly maxRecords: number;
  /** The size of owner, type, class, TTL, length and rdata of all records. Leaves room for header, question and signature. */
  readonly maxWireOctets: number;
  /** Allows types without a codec, in the form of RFC 3597. */
  readonly allowUnknownTypes: boolean;
}

export const DEFAULT_RRSET_LIMITS: RRsetLimits = {
  minTtlSeconds: 60,
  maxTtlSeconds: 604_800,
  maxRecords: 100,
  maxWireOctets: 64_000,
  allowUnknownTypes: true,
};

const RR_FIXED_OCTETS = 10;
const SINGLE_TYPES = new Set(['CNAME', 'DNAME', 'SOA']);

interface RRsetInput {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly string[];
}

interface FieldProblem {
  readonly field: string;
  readonly reason: string;
}

/** All problems of one RRset, not only the first. */
export class RRsetError extends DnsError {
  override readonly name = 'RRsetError';
  readonly problems: readonly FieldProblem[];
  constructor(problems: readonly FieldProblem[]) {
    super(problems.map((problem) => `${problem.field}: ${problem.reason}`).join('; '));
    this.problems = problems;
  }
}

interface RRsetResult {
  readonly rrset: RRset;
  readonly warnings: readonly Warning[];
}

/** From text to a valid RRset, or RRsetError with all problems. Fields of records are named `records[2].exchange`. */
export function buildRRset(
  input: RRsetInput,
  context: NameContext = {},
  limits: RRsetLimits = DEFAULT_RRSET_LIMITS,
): RRsetResult {
  const problems: FieldProblem[] = [];
  const warnings: Warning[] = [];
  const attempt = <T>(prefix: string, run: () => T): T | undefined => {
    try {
      return run();
    } catch (error) {
      if (error instanceof RecordError) problems.push({ field: prefix + error.field, reason: error.reason });
      else if (error instanceof NameError) problems.push({ field: `${prefix}name`, reason: error.reason });
      else throw error;
      return undefined;
    }
  };
  const type = attempt('', () => zoneType(input.type, limits));
  const name = attempt('', () => parseName(input.name, context));
  if (type === undefined || name === undefined) throw new RRsetError(problems);
  const records: RecordData[] = [];
  input.records.forEach((text, at) => {
    const record = attempt(`records[${at}].`, () => parseRecord(type, text, context));
    if (!record) return;
    records.push({ text: record.text, wire: record.wire });
    warnings.push(...record.warnings.map((warning) => ({ ...warning, field: `records[${at}].${warning.field}` })));
  });
  const rrset = { name, type, ttl: input.ttl, records };
  // The set has records, but none could be read.
  const isUnread = records.length === 0 && input.records.length > 0;
  const refused = checkRRset(rrset, context.origin, limits).filter(({ field }) => !isUnread || field !== 'records');
  if (problems.length + refused.length > 0) throw new RRsetError([...problems, ...refused]);
  return { rrset, warnings: [...warnings, ...warnRRset(rrset)] };
}

/** The mnemonic of a type that zones may hold. Throws RecordError. */
export function zoneType(text: string, limits: RRsetLimits = DEFAULT_RRSET_LIMITS): string {
  const code = findTypeCode(text);
  if (code === undefined) throw new RecordError('type', `"${text}" is not a record type`);
  if (isMetaType(code)) throw new RecordError('type', `${typeName(code)} is not allowed in a zone`);
  if (hasUncheckedForm(code)) throw new RecordError('type', `${typeName(code)} is not supported`);
  if (!hasOwnForm(code) && !limits.allowUnknownTypes)
    throw new RecordError('type', `${typeName(code)} is not supported`);
  return typeName(code);
}

/** The rules for a whole RRset whose records are valid each. */
export function checkRRset(
  rrset: RRset,
  origin: Name | undefined,
  limits: RRsetLimits = DEFAULT_RRSET_LIMITS,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const refuse = (field: string, reason: string) => problems.push({ field, reason });
  try {
    checkOwner(rrset.name);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    refuse(error.field, error.reason);
  }
  if (origin !== undefined && !isSubdomain(rrset.name, origin))
    refuse('name', `"${rrset.name}" is not in the zone ${origin}`);
  const ttlProblem = checkTtl(rrset.ttl, limits);
  if (ttlProblem !== undefined) refuse('ttl', ttlProblem);
  if (rrset.records.length === 0) refuse('records', 'there are none');
  if (rrset.records.length > limits.maxRecords)
    refuse('records', `${rrset.records.length} records are over the limit of ${limits.maxRecords}`);
  const octets = rrsetWireOctets(rrset);
  if (octets > limits.maxWireOctets)
    refuse('records', `${octets} octets in all are over the limit of ${limits.maxWireOctets}`);
  if (SINGLE_TYPES.has(rrset.type) && rrset.records.length > 1)
    refuse('records', `only one ${rrset.type} record is allowed per name`);
  refuseDuplicates(rrset, refuse);
  refuseByType(rrset, refuse);
  return problems;
}

function checkTtl(ttl: number, limits: RRsetLimits): string | undefined {
  if (!Number.isSafeInteger(ttl) || ttl < 0) return 'is not a whole number of seconds';
  if (ttl > MAX_TTL_SECONDS) return `${ttl} is over 2147483647 seconds`;
  if (ttl < limits.minTtlSeconds) return `${ttl} is under the minimum of ${limits.minTtlSeconds} seconds`;
  if (ttl > limits.maxTtlSeconds) return `${ttl} is over the maximum of ${limits.maxTtlSeconds} seconds`;
  return undefined;
}

function rrsetWireOctets(rrset: RRset): number {
  const perRecord = rrset.name.length + 1 + RR_FIXED_OCTETS;
  return rrset.records.reduce((sum, record) => sum + perRecord + record.wire.length, 0);
}

function refuseDuplicates(rrset: RRset, refuse: (field: string, reason: string) => void): void {
  // Names are lower case in canonical text; any other difference in case is significant.
  const seen = new Set<string>();
  rrset.records.forEach((record, at) => {
    if (seen.has(record.text)) refuse(`records[${at}]`, `"${shortened(record.text)}" is a duplicate`);
    seen.add(record.text);
  });
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function refuseByType(rrset: RRset, refuse: (field: string, reason: string) => void): void {
  if (rrset.type === 'CNAME' && rrset.records.some((record) => lowerName(record.text) === rrset.name)) {
    refuse('records[0].target', 'a CNAME may not point to itself');
  }
  if (rrset.type === 'DNAME' && rrset.records.some((record) => isSubdomain(record.text, rrset.name))) {
    refuse('records[0].target', 'a DNAME may not point to itself or below itself');
  }
  // RFC 7505 3: the null MX must be the only one.
  if (rrset.type === 'MX' && rrset.records.length > 1) {
    const nullAt = rrset.records.findIndex((record) => record.text === '0 .');
    if (nullAt >= 0) refuse(`records[${nullAt}].exchange`, 'the null MX "0 ." must be the only MX');
  }
}

/** Warnings about a whole RRset: its owner, and values that only one record may have. */
export function warnRRset(rrset: RRset): Warning[] {
  const warnings = warnOwner(rrset.name, rrset.type);
  if (rrset.type !== 'TXT') return warnings;
  const values = rrset.records.map((record) => latin1Text(joined(decodeRdata('TXT', record.wire).strings)));
  // RFC 7208 3.2 and RFC 7489 6.6.3: receivers treat more than one as an error.
  if (values.filter((value) => /^v=spf1(?: |$)/i.test(value)).length > 1) {
    warnings.push({ field: 'records', reason: 'more than one SPF policy: receivers reject all of them' });
  }
  if (values.filter((value) => /^v=DMARC1(?:;|\s|$)/.test(value)).length > 1) {
    warnings.push({ field: 'records', reason: 'more than one DMARC policy: receivers ignore all of them' });
  }
  return warnings;
}
