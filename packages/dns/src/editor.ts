/**
 * The part of the library for a zone editor, without Node APIs, so that it runs in browsers (test/editor.test.ts checks this and its
 * size).
 * It uses the same checks as the server.
 */
export { isAddress, unroutableReason } from './address.ts';
export { MAX_TTL_SECONDS, parseDuration } from './duration.ts';
export { DnsError, NameError, RecordError, type Warning } from './error.ts';
export { isSubdomain, labelsOf, lowerName, type Name, parentOf, parseName, ROOT, relativeTo } from './name.ts';
export { canonicalKey, compareNames } from './name-order.ts';
export { cutLongStrings } from './pieces.ts';
export { decodeRdata, parseRecord, quoteRawText, type RecordData } from './record.ts';
export {
  buildRRset,
  DEFAULT_RRSET_LIMITS,
  type FieldProblem,
  type RRset,
  RRsetError,
  type RRsetInput,
  type RRsetLimits,
  warnRRset,
} from './rrset.ts';
export { type RdataByType, RECORD_TYPES } from './type/registry.ts';
export { rawFromText } from './type/txt.ts';
export { findTypeCode, isMetaType, TYPE_CODES } from './type/type-code.ts';
export { readZoneFile, type ZoneFileOptions, type ZoneFileProblem, type ZoneFileResult } from './zone-file-read.ts';
export { writeZoneFile } from './zone-file-write.ts';
export { checkZone, DEFAULT_ZONE_RULES, type ZoneCheckResult, type ZoneProblem } from './zone-rules.ts';
