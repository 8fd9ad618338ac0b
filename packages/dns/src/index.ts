export { ipv4Text, ipv6Text, parseIpv4, parseIpv6, unroutableReason } from './address.ts';
export { type AnswerOptions, answerQuery, type ServerIdentity } from './answer/answer.ts';
export { AnswerCache } from './answer/answer-cache.ts';
export { type CookieSecrets, isOwnCookie, makeCookie } from './answer/cookie.ts';
export { type NameKey, nameKey } from './answer/name-key.ts';
export { type QueryReading, QueryView, readQuery } from './answer/query-view.ts';
export { ANSWER_KIND, type RateDecision, RateLimiter, type RateOptions } from './answer/rate-limit.ts';
export { ServedZone } from './answer/served-zone.ts';
export { ZoneTable } from './answer/zone-table.ts';
export {
  type CatalogMember,
  type CatalogZone,
  catalogRRsets,
  catalogSoa,
  memberLabel,
  memberName,
  memberRRset,
} from './catalog.ts';
export { CLASS, OPCODE, RCODE } from './code.ts';
export { MAX_TTL_SECONDS, parseDuration } from './duration.ts';
export { DEFAULT_UDP_PAYLOAD_OCTETS, type Edns, type EdnsOption, MIN_UDP_PAYLOAD_OCTETS, plainEdns } from './edns.ts';
export { DnsError, NameError, RecordError, type Warning, WireError } from './error.ts';
export { toAsciiLabel } from './idn.ts';
export { dsOfKey } from './key-digest.ts';
export {
  HEADER_OCTETS,
  type HeaderFlags,
  type Message,
  NO_FLAGS,
  type Question,
  query,
  readMessage,
  reply,
  type WriteOptions,
  writeMessage,
} from './message.ts';
export {
  isSubdomain,
  labelsOf,
  lowerName,
  MAX_LABEL_OCTETS,
  MAX_NAME_OCTETS,
  type Name,
  type NameContext,
  nameToWire,
  parentOf,
  parseName,
  ROOT,
  relativeTo,
  wireToName,
} from './name.ts';
export { canonicalKey, compareNames } from './name-order.ts';
export { answersNotify, notifyAnswer, notifyRequest } from './notify.ts';
export { cutLongStrings } from './pieces.ts';
export {
  decodeRdata,
  encodeRdata,
  type ParsedRecord,
  parseRecord,
  quoteRawText,
  type RecordData,
  recordFromRawText,
  recordText,
} from './record.ts';
export { type RR, recordAsRR, rrsOf, rrText } from './rr.ts';
export {
  buildRRset,
  checkRRset,
  checkTtl,
  DEFAULT_RRSET_LIMITS,
  type FieldProblem,
  type RRset,
  RRsetError,
  type RRsetInput,
  type RRsetLimits,
  type RRsetResult,
  rrsetWireOctets,
  warnRRset,
  zoneType,
} from './rrset.ts';
export { addToSerial, compareSerials, nextSerial, SERIAL_RING, serialIsNewer, serialOnWire } from './serial.ts';
export {
  axfrRequest,
  ixfrRequest,
  soaSerial,
  type Transfer,
  TransferError,
  TransferReader,
  type TransferStep,
} from './transfer-read.ts';
export {
  axfrRecords,
  ixfrRecords,
  ixfrSoaOnly,
  type JournalStep,
  TRANSFER_MESSAGE_OCTETS,
  type TransferAnswer,
  transferMessages,
  transferMessagesAsync,
} from './transfer-write.ts';
export {
  DEFAULT_FUDGE_SECONDS,
  refusalAnswer,
  type Signed,
  type SignOptions,
  signMessage,
  type TsigRefusal,
  type TsigResult,
  tsigKey,
  type VerifyOptions,
  verifyMessage,
} from './tsig.ts';
export { findTsig, TSIG_ALGORITHMS, type TsigAlgorithm, type TsigKey, type TsigRecord } from './tsig-record.ts';
export { type StreamResult, TsigStreamSigner, TsigStreamVerifier } from './tsig-stream.ts';
export type { RecordType } from './type/record-type.ts';
export { hasOwnForm, type RdataByType, RECORD_TYPES, recordType, recordTypeByCode } from './type/registry.ts';
export { rawFromText, type TextRdata, textFromRaw } from './type/txt.ts';
export { findTypeCode, isMetaType, TYPE_CODES, typeCode, typeName } from './type/type-code.ts';
export { MAX_MESSAGE_OCTETS, MessageFullError, Reader, Writer } from './wire.ts';
export { readZoneFile, type ZoneFileOptions, type ZoneFileProblem, type ZoneFileResult } from './zone-file-read.ts';
export { writeZoneFile } from './zone-file-write.ts';
export {
  checkZone,
  DEFAULT_ZONE_RULES,
  type ZoneCheckResult,
  type ZoneProblem,
  type ZoneRuleOptions,
} from './zone-rules.ts';
