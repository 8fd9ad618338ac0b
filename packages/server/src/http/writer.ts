import fastJsonStringify from 'fast-json-stringify';
import type { z } from 'zod';
import type { JsonSchema } from './field.ts';
import { outputJsonSchema } from './openapi/schemas.ts';

type Writer = (value: unknown) => string;

const writers = new WeakMap<z.ZodType, Writer>();

/** Writes responses of this schema. Compiled with the first response, because compiling all routes would take a large part of a start. */
export const writerOf =
  (schema: z.ZodType): Writer =>
  (value) =>
    writers.getOrInsertComputed(schema, makeWriter)(value);

export const makeWriter = (schema: z.ZodType): Writer => fastJsonStringify(writingSchema(schema));

/**
 * The schema of a response for its writer. A choice between shapes would need a validator, whose compilation blocks the first request
 * for up to a second. The shapes are therefore merged. The result still lists every field that can be sent.
 */
export function writingSchema(schema: z.ZodType): JsonSchema {
  return withoutChoices(outputJsonSchema(schema)) as JsonSchema;
}

interface Part extends JsonSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Part[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Part | boolean;
  readonly items?: Part;
}

function withoutChoices(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutChoices);
  if (typeof part !== 'object' || part === null) return part;
  const whole = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutChoices(value)])) as Part;
  return Array.isArray(whole.anyOf) ? laidOver(whole.anyOf) : whole;
}

function laidOver(choices: readonly Part[]): Part {
  const typesOf = ({ type }: Part) => [type ?? []].flat();
  const all = new Set(choices.flatMap(typesOf));
  const types = [...all].filter((type) => type !== 'null');
  const isNullable = all.has('null') || choices.some((choice) => choice.nullable === true);
  const some = choices.filter((choice) => choice.type !== 'null');
  const [only, ...others] = some;
  if (!only) return { type: 'null' };
  if (others.length === 0) return { ...only, ...(isNullable ? { nullable: true } : {}) };
  if (some.some((choice) => choice.type === undefined)) throw new Error('a choice in an answer has no type');
  const objects = some.filter((choice) => typesOf(choice).includes('object'));
  const items = some.flatMap((choice): Part[] => (choice.items ? [choice.items] : []));
  return {
    type: types.length === 1 ? types[0]! : types,
    ...(objects.length > 0 ? objectOver(objects) : {}),
    ...(items.length > 0 ? { items: laidOver(items) } : {}),
    ...(isNullable ? { nullable: true } : {}),
  };
}

function objectOver(choices: readonly Part[]): Part {
  const named = new Map<string, Part[]>();
  for (const { properties = {} } of choices) {
    for (const [name, part] of Object.entries(properties)) named.getOrInsert(name, []).push(part);
  }
  const open = choices.flatMap(({ additionalProperties: more }): Part[] => (typeof more === 'object' ? [more] : []));
  return {
    properties: Object.fromEntries([...named].map(([name, parts]) => [name, laidOver(parts)])),
    required: choices[0]!.required?.filter((name) => choices.every(({ required }) => required?.includes(name))) ?? [],
    additionalProperties: open.length > 0 ? laidOver(open) : false,
  };
}
