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
  /** Canonical text: absolute lower-case names, one form for each value. */
  toText(rdata: R): string;
  /** Names are written without compression (RFC 3597 4). */
  toWire(rdata: R, writer: Writer): void;
  /** Reads the whole reader; checks structure only, so that foreign data can be shown. Throws WireError. */
  fromWire(reader: Reader): R;
  /** Checks the rules of the type beyond its structure; parseText runs this itself. Throws RecordError. */
  check(rdata: R): void;
  warn(rdata: R): Warning[];
}
