import type { Warning } from '../error.ts';
import { TokenCursor } from '../token.ts';
import { asWireError } from '../wire.ts';
import type { Field } from './field.ts';
import type { RecordType } from './record-type.ts';

/** The rdata object that a list of fields describes. */
type RdataOf<F extends readonly Field[]> = {
  [E in F[number] as E['name']]: E extends Field<string, infer V> ? V : never;
};

interface Rules<R> {
  check?(rdata: R): void;
  warn?(rdata: R): Warning[];
}

/** Most record types are a list of fields in one order for text and wire (RFC 1035 3.2.1), with a few rules. */
export function defineType<const F extends readonly Field[]>(
  type: string,
  code: number,
  fields: F,
  rules: Rules<RdataOf<F>> = {},
): RecordType<RdataOf<F>> {
  type Rdata = RdataOf<F>;
  const collect = (value: (field: Field) => unknown): Rdata =>
    Object.fromEntries(fields.map((field) => [field.name, value(field)])) as Rdata;
  const valueIn = (rdata: Rdata, field: Field): unknown => (rdata as Record<string, unknown>)[field.name];
  const check = (rdata: Rdata) => rules.check?.(rdata);
  return {
    type,
    code,
    check,
    parseText: (tokens, context) => {
      const words = new TokenCursor(tokens);
      const rdata = collect((field) => field.parse(words, context));
      words.expectEnd();
      check(rdata);
      return rdata;
    },
    toText: (rdata) =>
      fields
        .map((field) => field.print(valueIn(rdata, field)))
        .filter((word) => word !== '')
        .join(' '),
    toWire: (rdata, writer) => {
      for (const field of fields) field.write(valueIn(rdata, field), writer);
    },
    fromWire: (reader) => {
      const rdata = asWireError(reader.offset, () => collect((field) => field.read(reader)));
      reader.expectEnd(`${type} rdata`);
      return rdata;
    },
    warn: (rdata) => rules.warn?.(rdata) ?? [],
  };
}
