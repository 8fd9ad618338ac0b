import { NameError, RecordError } from '../error.ts';
import { type NameContext, parseName } from '../name.ts';
import type { TokenCursor } from '../token.ts';
import type { Reader, Writer } from '../wire.ts';

/** One field of a record type: how it is read and written as text and on the wire. */
export interface Field<K extends string = string, V = unknown> {
  readonly name: K;
  parse(words: TokenCursor, context: NameContext): V;
  print(value: V): string;
  write(value: V, writer: Writer): void;
  read(reader: Reader): V;
}

/** Runs a codec without field names and adds the name of the field to its errors. */
export function inField<T>(field: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof NameError) throw new RecordError(field, error.reason);
    throw error;
  }
}

export function parseWhole(field: string, text: string, max: number): number {
  if (!/^\d{1,15}$/.test(text)) throw new RecordError(field, `"${text}" is not a whole number`);
  const value = Number(text);
  if (value > max) throw new RecordError(field, `${text} is over ${max}`);
  return value;
}

export function u8<K extends string>(name: K): Field<K, number> {
  return {
    name,
    parse: (words) => parseWhole(name, words.word(name), 0xff),
    print: String,
    write: (value, writer) => writer.u8(value),
    read: (reader) => reader.u8(),
  };
}

export function u16<K extends string>(name: K): Field<K, number> {
  return {
    name,
    parse: (words) => parseWhole(name, words.word(name), 0xffff),
    print: String,
    write: (value, writer) => writer.u16(value),
    read: (reader) => reader.u16(),
  };
}

export function u32<K extends string>(name: K): Field<K, number> {
  return {
    name,
    parse: (words) => parseWhole(name, words.word(name), 0xffff_ffff),
    print: String,
    write: (value, writer) => writer.u32(value),
    read: (reader) => reader.u32(),
  };
}

/** A number that also has mnemonics (algorithms, certificate types); the number is printed. */
export function mnemonic<K extends string>(
  number: Field<K, number>,
  names: Readonly<Record<string, number>>,
): Field<K, number> {
  return {
    ...number,
    parse: (words, context) => {
      const known = names[words.peek()?.text.toUpperCase() ?? ''];
      if (known === undefined) return number.parse(words, context);
      words.word(number.name);
      return known;
    },
  };
}

/** Any domain name. */
export function domainName<K extends string>(name: K): Field<K, string> {
  return {
    name,
    parse: (words, context) => {
      const token = words.next(name);
      if (token.quoted) throw new RecordError(name, 'a name is written without quotes');
      return inField(name, () => parseName(token.text, context));
    },
    print: (value) => value,
    write: (value, writer) => writer.name(value),
    read: (reader) => reader.name(),
  };
}
