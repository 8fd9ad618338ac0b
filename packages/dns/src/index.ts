export { ipv4Text, ipv6Text, parseIpv4, parseIpv6 } from './address.ts';
export { type AnswerOptions, answerQuery, type ServerIdentity } from './answer/answer.ts';
export { AnswerCache } from './answer/answer-cache.ts';
export { type CookieSecrets, isOwnCookie, makeCookie } from './answer/cookie.ts';
export { QueryView, readQuery } from './answer/query-view.ts';
export { ANSWER_KIND, type RateDecision, RateLimiter } from './answer/rate-limit.ts';
export { ServedZone } from './answer/served-zone.ts';
export { ZoneTable } from './answer/zone-table.ts';
export { type CatalogMember, catalogRRsets, catalogSoa, memberRRset } from './catalog.ts';
export { CLASS, OPCODE, RCODE } from './code.ts';
export { plainEdns } from './edns.ts';
export { DnsError, NameError, RecordError, WireError } from './error.ts';
export { dsOfKey } from './key-digest.ts';
export { type Message, NO_FLAGS, query, readMessage, reply, writeMessage } from './message.ts';
export {
  isSubdomain,
  labelsOf,
  lowerName,
  type Name,
  nameToWire,
  parentOf,
  parseName,
  relativeTo,
  wireToName,
} from './name.ts';
export { compareNames } from './name-order.ts';
export { answersNotify, notifyAnswer, notifyRequest } from './notify.ts';
export { cutLongStrings } from './pieces.ts';
export { decodeRdata, encodeRdata, parseRecord, type RecordData, recordFromRawText, recordText } from './record.ts';
export { type RR, rrsOf, rrText } from './rr.ts';
export {
  buildRRset,
  checkRRset,
  DEFAULT_RRSET_LIMITS,
  type RRset,
  RRsetError,
  type RRsetLimits,
  warnRRset,
  zoneType,
} from './rrset.ts';
export { addToSerial, compareSerials, nextSerial, SERIAL_RING, serialIsNewer, serialOnWire } from './serial.ts';
export { axfrRequest, ixfrRequest, soaSerial, type Transfer, TransferError, TransferReader } from './transfer-read.ts';
export {
  axfrRecords,
  ixfrRecords,
  ixfrSoaOnly,
  type JournalStep,
  TRANSFER_MESSAGE_OCTETS,
  transferMessages,
  transferMessagesAsync,
} from './transfer-write.ts';
export { refusalAnswer, signMessage, type TsigResult, tsigKey, verifyMessage } from './tsig.ts';
export { findTsig, TSIG_ALGORITHMS, type TsigAlgorithm, type TsigKey } from './tsig-record.ts';
export { TsigStreamSigner, TsigStreamVerifier } from './tsig-stream.ts';
export { RECORD_TYPES, recordType } from './type/registry.ts';
export { rawFromText } from './type/txt.ts';
export { typeCode, typeName } from './type/type-code.ts';
export { Reader, Writer } from './wire.ts';
export { readZoneFile } from './zone-file-read.ts';
export { writeZoneFile } from './zone-file-write.ts';
export { checkZone, type ZoneCheckResult, type ZoneProblem } from './zone-rules.ts';
