import type { Warning } from '../error.ts';
import type { NameContext } from '../name.ts';
import type { Token } from '../token.ts';
import type { Reader, Writer } from '../wire.ts';

/** One record type: text to validated rdata to wire and back. */
export interface RecordType<R = unknown> {
  /** Mnemonic, upper case. */
  readonly type: string;
  readonly code: number;
  /** Throws RecordError naming the field. */
  parseText(tokens: readonly Token[], context: NameContext): R;
  /** Canonical text: absolute lower-case names, one spelling for each value. */
  toText(rdata: R): string;
  /** Names are written without compression (RFC 3597 4). */
  toWire(rdata: R, writer: Writer): void;
  /** Reads all of the reader; structure only, so that foreign data can be shown. Throws WireError. */
  fromWire(reader: Reader): R;
  /** The rules of the type beyond its structure; parseText has run them already. Throws RecordError. */
  check(rdata: R): void;
  warn(rdata: R): Warning[];
}
