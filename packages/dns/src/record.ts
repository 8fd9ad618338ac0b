import { RecordError, type Warning } from './error.ts';
import type { NameContext } from './name.ts';
import { utf8Octets } from './octets.ts';
import { escapeOctets } from './text.ts';
import { LexError, readLogicalLines, type Token } from './token.ts';
import { isGenericForm, parseGenericForm } from './type/generic.ts';
import type { RecordType } from './type/record-type.ts';
import { type RdataByType, RECORD_TYPES, recordType } from './type/registry.ts';
import { splitStrings, textFromRaw } from './type/txt.ts';
import { MAX_MESSAGE_OCTETS, Reader, Writer } from './wire.ts';

/** The data of one record in both forms: canonical text, and uncompressed wire octets. */
export interface RecordData {
  readonly text: string;
  readonly wire: Uint8Array;
}

interface ParsedRecord extends RecordData {
  readonly warnings: readonly Warning[];
}

/** Reads the words of a master-file entry after the type. Throws RecordError. */
export function recordFromTokens(type: string, tokens: readonly Token[], context: NameContext): ParsedRecord {
  const codec = recordType(type);
  const rdata = isGenericForm(tokens)
    ? rdataFromGeneric(codec, parseGenericForm(tokens))
    : codec.parseText(tokens, context);
  return parsed(codec, rdata);
}

/**
 * Reads the text of one record as a user types it. A TXT or SPF value without quotes is one value, including spaces and semicolons;
 * escapes are applied. Throws RecordError.
 */
export function parseRecord(type: string, text: string, context: NameContext = {}): ParsedRecord {
  const codec = recordType(type);
  const trimmed = text.trim();
  if (isTextType(codec.code) && !trimmed.startsWith('"') && !trimmed.startsWith('\\#')) {
    const token: Token = { text: trimmed, quoted: false, pairQuoted: false };
    // A single backslash would disappear without notice: C:\\temp is not C:temp.
    if (trimmed.replaceAll(/\\(?:\d{3}|[\\";])/g, '').includes('\\'))
      throw new RecordError('text', 'the value contains a backslash: write \\\\ for it, or \\DDD for an octet');
    if (/[\r\n]/.test(trimmed)) throw new RecordError('text', 'the value contains a line break: write \\010');
    return parsed(codec, codec.parseText([token], context));
  }
  return recordFromTokens(type, tokensOf(trimmed), context);
}

function isTextType(code: number): boolean {
  return code === RECORD_TYPES.TXT.code || code === RECORD_TYPES.SPF.code;
}

function tokensOf(text: string): Token[] {
  const entries = [...readLogicalLines(text, { comments: 'refuse' })];
  const broken = entries.find((entry) => entry.error);
  if (broken?.error instanceof LexError) throw new RecordError('rdata', broken.error.reason);
  if (entries.length > 1) throw new RecordError('rdata', 'is more than one line');
  return entries[0]?.tokens ?? [];
}

function rdataFromGeneric(codec: RecordType, octets: Uint8Array): unknown {
  let rdata: unknown;
  try {
    rdata = codec.fromWire(new Reader(octets));
  } catch (error) {
    throw new RecordError(
      'rdata',
      `the octets are not a valid ${codec.type}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  codec.check(rdata);
  return rdata;
}

function parsed(codec: RecordType, rdata: unknown): ParsedRecord {
  return { text: codec.toText(rdata), wire: encoded(codec, rdata), warnings: codec.warn(rdata) };
}

function encoded(codec: RecordType, rdata: unknown): Uint8Array {
  const writer = new Writer(MAX_MESSAGE_OCTETS);
  codec.toWire(rdata, writer);
  return writer.finish();
}

/** A TXT record from a plain value without quotes and escapes (the form of the contract's `val`). */
export function recordFromRawText(value: string): ParsedRecord {
  return parsed(RECORD_TYPES.TXT as RecordType, textFromRaw(value));
}

/** The text of a record from its wire octets. Throws WireError if they are malformed. */
export function recordText(type: string, wire: Uint8Array): string {
  const codec = recordType(type);
  return codec.toText(codec.fromWire(new Reader(wire)));
}

/** The fields of a record of a known type from its wire octets. */
export function decodeRdata<T extends keyof RdataByType>(type: T, wire: Uint8Array): RdataByType[T] {
  return recordType(type).fromWire(new Reader(wire)) as RdataByType[T];
}

/** Wire octets from the fields of a known type, with the rules of the type applied. */
export function encodeRdata<T extends keyof RdataByType>(type: T, rdata: RdataByType[T]): RecordData {
  const codec = recordType(type);
  codec.check(rdata);
  return { text: codec.toText(rdata), wire: encoded(codec, rdata) };
}

/** A plain value as the quoted strings of TXT text. */
export function quoteRawText(value: string): string {
  return splitStrings(utf8Octets(value))
    .map((string) => `"${escapeOctets(string)}"`)
    .join(' ');
}
