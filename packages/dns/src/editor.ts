/**
 * The part of the library for a zone editor, without Node APIs, so that it runs in browsers (test/editor.test.ts checks this and its
 * size).
 * It uses the same checks as the server.
 */
export { parseDuration } from './duration.ts';
export { NameError, RecordError } from './error.ts';
export { isSubdomain, type Name, parseName, relativeTo } from './name.ts';
export { cutLongStrings } from './pieces.ts';
export { quoteRawText } from './record.ts';
export { buildRRset, type RRset, RRsetError } from './rrset.ts';
export { TYPE_CODES } from './type/type-code.ts';
export { readZoneFile } from './zone-file-read.ts';
export { writeZoneFile } from './zone-file-write.ts';
export { checkZone } from './zone-rules.ts';
