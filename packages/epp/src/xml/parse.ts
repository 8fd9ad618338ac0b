import { isUtf8 } from 'node:buffer';
import type { ParseOption, XmlDocument } from 'libxml2-wasm';
import { EppReadError } from '../errors.ts';
import { libxml2 } from './libxml2.ts';
import { scanPlain, scanRewritten } from './scan.ts';
import type { XmlElement } from './tree.ts';

// No network, no external entity, no catalogue. Entity references stay unexpanded, and a DTD is rejected below.
export function safeParseOptions(): ParseOption {
  const { ParseOption: option } = libxml2();
  return (
    option.XML_PARSE_NONET |
    option.XML_PARSE_NO_XXE |
    option.XML_PARSE_NO_SYS_CATALOG |
    option.XML_PARSE_NOCDATA |
    option.XML_PARSE_COMPACT
  );
}

/**
 * The limit on one document. Every tag, attribute and reference begins with one of these bytes, in UTF-8 and in UTF-16. So their count
 * bounds the work of all later steps, to about 40 ms of one core. The largest answers of real registries have a few thousand.
 */
export const XML_BUDGET = { bytes: 2 * 1024 * 1024, marks: 16_000 };

function refuseBeyondBudget(bytes: Uint8Array): void {
  if (bytes.length > XML_BUDGET.bytes) throw new EppReadError('xml', `a document over ${XML_BUDGET.bytes} bytes`);
  let marks = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x3c || byte === 0x3d || byte === 0x26) marks += 1;
  }
  if (marks > XML_BUDGET.marks)
    throw new EppReadError('xml', `a document with more than ${XML_BUDGET.marks} tags, attributes and references`);
}

const bytesOf = (xml: string | Uint8Array): Buffer =>
  typeof xml === 'string' ? Buffer.from(xml, 'utf8') : Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);

/** Opens a document for `use` and always frees it: libxml2 memory is not garbage collected. */
export function withDocument<T>(xml: string | Uint8Array, use: (document: XmlDocument) => T): T {
  const bytes = bytesOf(xml);
  refuseBeyondBudget(bytes);
  refuseDoctype(bytes);
  const option = safeParseOptions();
  let document: XmlDocument;
  try {
    document = libxml2().XmlDocument.fromBuffer(bytes, { option });
  } catch (error) {
    const text = firstLine(error);
    throw new EppReadError(/entity/i.test(text) ? 'unsafe' : 'xml', `not well-formed: ${text}`);
  }
  try {
    // The byte check does not see a DTD in a UTF-16 document; this check does.
    if (document.dtd !== null) throw new EppReadError('unsafe', 'a document type declaration is not allowed');
    return use(document);
  } finally {
    document.dispose();
  }
}

/**
 * Reads one document into our own tree. Documents outside the simple subset are parsed by libxml2 and written out again before reading.
 * That takes ten times as long, and few registries need it.
 */
export function parseXml(xml: string | Uint8Array): XmlElement {
  const bytes = bytesOf(xml);
  refuseBeyondBudget(bytes);
  const plain = isUtf8(bytes) ? scanPlain(bytes.toString('utf8')) : undefined;
  return plain ?? scanRewritten(withDocument(bytes, rewritten));
}

function rewritten(document: XmlDocument): string {
  try {
    return document.toString({ format: false, encoding: 'utf-8' });
  } catch (error) {
    throw new EppReadError('xml', `cannot be written out: ${firstLine(error)}`);
  }
}

const DOCTYPE = '<!DOCTYPE';

/** Searches the prolog only: `<!DOCTYPE` inside a comment or CDATA is harmless text. */
function refuseDoctype(buffer: Buffer): void {
  let at = buffer.length >= 3 && buffer.readUIntBE(0, 3) === 0xefbbbf ? 3 : 0;
  while (at < buffer.length) {
    const byte = buffer[at];
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) at += 1;
    else if (buffer.subarray(at, at + 2).toString('latin1') === '<?') at = after(buffer, '?>', at);
    else if (buffer.subarray(at, at + 4).toString('latin1') === '<!--') at = after(buffer, '-->', at + 4);
    else break;
  }
  if (
    buffer
      .subarray(at, at + DOCTYPE.length)
      .toString('latin1')
      .toUpperCase() === DOCTYPE
  ) {
    throw new EppReadError('unsafe', 'a document type declaration is not allowed');
  }
}

function after(buffer: Buffer, mark: string, from: number): number {
  const found = buffer.indexOf(mark, from, 'latin1');
  return found === -1 ? buffer.length : found + mark.length;
}

/** After its first line libxml2 quotes a piece of the input, which could be a password. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').slice(0, 200);
}
