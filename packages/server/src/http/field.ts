import { readInstant } from '@namehold/base';
import { z } from 'zod';

/** JSON Schema of an input field as clients may send it: forms send text, JSON may have numbers and booleans. */
export type JsonSchema = Record<string, unknown>;

export const fieldSchemas = z.registry<{ json: JsonSchema }>();

/**
 * An invalid value, rendered as `errors: [{field, code, message}]`. It is no Error, because a body can have thousands and stack traces
 * are expensive.
 */
export class FieldRefusal {
  readonly message: string;
  readonly code: string;
  constructor(message: string, code = 'invalid') {
    this.message = message;
    this.code = code;
  }
}

/** A field that reads one value from any encoding and documents itself. */
export function field<T>(json: JsonSchema, read: (value: unknown) => T): z.ZodType<T> {
  const schema = z.unknown().transform((value, context): T => {
    if (value === undefined) {
      context.addIssue({ code: 'custom', message: 'This field is required.', params: { code: 'required' } });
      return z.NEVER;
    }
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof FieldRefusal)) throw error;
      context.addIssue({ code: 'custom', message: error.message, params: { code: error.code } });
      return z.NEVER;
    }
  });
  fieldSchemas.add(schema, { json });
  return schema as unknown as z.ZodType<T>;
}

/** Objects and lists are refused, because the caller controls their `toString`. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new FieldRefusal('Must be a single value.');
}

// Control characters are refused; lone surrogates cannot be stored as UTF-8.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Invisible characters. Some scripts need two of them to join letters in names. */
const invisible = {
  code: /[\p{Default_Ignorable_Code_Point}\p{C}\p{Zl}\p{Zp}\u2800]/u,
  name: /[\p{Zl}\p{Zp}\u2800]|(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\p{C}]/u,
};
const letterOrFigure = /[\p{L}\p{N}]/u;

export function text(options: {
  max: number;
  min?: number;
  about?: string;
  example?: string;
  pattern?: RegExp;
  must?: string;
  /** Text that users see must contain visible characters. */
  shown?: keyof typeof invisible;
}) {
  const { max, min = 1, about, example, pattern, must, shown } = options;
  const json: JsonSchema = { type: 'string', ...(min > 0 ? { minLength: min } : {}), maxLength: max };
  if (about) json.description = about;
  if (example !== undefined) json.examples = [example];
  if (pattern) json.pattern = pattern.source;
  return field(json, (value) => {
    const read = asText(value).trim();
    if (!read.isWellFormed() || unprintable.test(read))
      throw new FieldRefusal('Contains characters that cannot be stored.');
    if (read.length < min && (read === '' || min === 1)) throw new FieldRefusal('This field is required.', 'required');
    if (read.length < min) throw new FieldRefusal(`Must have at least ${min} characters.`, 'too_short');
    if (read.length > max) throw new FieldRefusal(`Must have at most ${max} characters.`, 'too_long');
    if (pattern && !pattern.test(read)) throw new FieldRefusal(must ?? 'The format is not valid.');
    if (shown && read !== '' && (invisible[shown].test(read) || !letterOrFigure.test(read)))
      throw new FieldRefusal('Must contain letters or digits, and no invisible characters.');
    return read;
  });
}

/** Ids of contract nouns: decimal text, also accepted as a JSON number. */
export function id(about: string) {
  return field({ type: 'string', pattern: '^[0-9]{1,18}$', description: about, examples: ['1001'] }, (value) => {
    const read = asText(value).trim();
    if (!/^\d{1,18}$/.test(read)) throw new FieldRefusal('Must be a decimal id.');
    return BigInt(read).toString();
  });
}

export function integer(options: { min: number; max: number; about?: string; example?: number }) {
  const { min, max, about, example } = options;
  const json: JsonSchema = { type: 'integer', minimum: min, maximum: max };
  if (about) json.description = about;
  if (example !== undefined) json.examples = [example];
  return field(json, (value) => {
    const read = asText(value).trim();
    const number = Number(read);
    if (!/^-?\d{1,15}$/.test(read) || number < min || number > max) {
      throw new FieldRefusal(`Must be a whole number from ${min} to ${max}.`);
    }
    return number;
  });
}

/** PHP sends false as 0 and true as 1; panels send both words and digits. */
export function flag(about: string) {
  return field({ type: 'boolean', description: about }, (value) => {
    const read = asText(value).trim().toLowerCase();
    if (read === 'true' || read === '1') return true;
    if (read === 'false' || read === '0') return false;
    throw new FieldRefusal('Must be true or false (1 or 0).');
  });
}

export function oneOf<const T extends string>(values: readonly T[], about: string) {
  return field({ type: 'string', enum: [...values], description: about }, (value) => {
    const read = asText(value).trim();
    const found = values.find((w) => w.toLowerCase() === read.toLowerCase());
    if (!found) throw new FieldRefusal(`Must be one of ${values.join(', ')}.`);
    return found;
  });
}

const listEntryLength = 1_000;

/** An array in JSON; comma-separated in forms, queries and JSON text. `entry`: JSON Schema of each entry. */
export function list(options: { max: number; about: string; example?: string[]; entry?: JsonSchema }) {
  const json: JsonSchema = {
    type: 'array',
    items: { type: 'string', maxLength: listEntryLength, ...options.entry },
    maxItems: options.max,
    description: `${options.about} An array in JSON, comma-separated elsewhere.`,
  };
  if (options.example) json.examples = [options.example];
  return field(json, (value) => {
    const items = Array.isArray(value) ? value.map(asText) : asText(value).split(',');
    const read = items.map((item) => item.trim()).filter((item) => item !== '');
    if (read.length > options.max) throw new FieldRefusal(`Must have at most ${options.max} entries.`, 'too_many');
    if (read.some((item) => item.length > listEntryLength || unprintable.test(item) || !item.isWellFormed()))
      throw new FieldRefusal('Contains an entry that is not valid.');
    return read;
  });
}

const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const secondForm = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})Z?$/;

/** UNIX seconds, `Y-m-d` or `Y-m-d H:i:s`, all UTC. With `endOfDay` a bare date includes that day. */
export function moment(options: { about: string; endOfDay?: boolean }) {
  const json: JsonSchema = {
    type: 'string',
    description: `${options.about} UNIX seconds, YYYY-MM-DD or YYYY-MM-DD HH:MM:SS (UTC).`,
    examples: ['2027-01-31'],
  };
  return field(json, (value) => {
    const read = asText(value).trim();
    if (/^\d{9,11}$/.test(read)) return new Date(Number(read) * 1000);
    const day = dayForm.test(read);
    const second = secondForm.exec(read);
    const parsed = new Date(
      day
        ? `${read}T${options.endOfDay ? '23:59:59.999' : '00:00:00'}Z`
        : second
          ? `${second[1]}T${second[2]}Z`
          : Number.NaN,
    );
    // 2027-02-30 must not become the 2nd of March.
    if (Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(read.slice(0, 10))) {
      throw new FieldRefusal('Must be UNIX seconds, YYYY-MM-DD or YYYY-MM-DD HH:MM:SS.');
    }
    return parsed;
  });
}

/** RFC 3339 with a zone, for our own fields. */
export function instant(about: string) {
  return field(
    { type: 'string', format: 'date-time', description: about, examples: ['2027-01-31T12:00:00Z'] },
    (value) => {
      const read = readInstant(asText(value).trim());
      if (!read) throw new FieldRefusal('Must be a time such as 2027-01-31T12:00:00Z.');
      return read;
    },
  );
}

/** A decimal amount as text or number. It is converted to minor units where the currency is known. */
export function amount(about: string) {
  return field(
    { type: 'string', pattern: '^[0-9]{1,12}(\\.[0-9]{1,6})?$', description: about, examples: ['150.00'] },
    (value) => {
      const read = asText(value).trim();
      if (!/^\d{1,12}(\.\d{1,6})?$/.test(read))
        throw new FieldRefusal('Must be an amount such as 150.00, not negative.');
      return read;
    },
  );
}
