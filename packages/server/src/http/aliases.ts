import { z } from 'zod';
import { type FieldProblem, Refusal } from '../core/errors.ts';
import type { Deprecated } from './deprecation.ts';
import { WireRefusal } from './errors.ts';
import { Answer, type Caller, pathParameters, type Route } from './route.ts';

/** Earlier names of a call. They stay valid; docs/guide/versions.md explains how they are announced. */
export interface Former {
  /** The earlier path: a call of its own, deprecated, that answers with the earlier names. Left out: only fields were renamed. */
  readonly path?: string;
  /** The day on which the new names were published: 2026-11-18. */
  readonly since: string;
  /** Fields and path parameters, the new name to the earlier one. */
  readonly names?: Readonly<Record<string, string>>;
  /** Values by the new name of their field, the new value to the earlier one. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Named schemas of the document, the new name to the earlier one. */
  readonly schemas?: Readonly<Record<string, string>>;
}

type Fields = Record<string, unknown>;

/** A field under its earlier name, in answers that have both. */
export const formerField = <T extends z.ZodType>(schema: T, now: string): T =>
  schema.meta({ description: `Deprecated: the same as \`${now}\`.`, deprecated: true, [replacedBy]: now });
const replacedBy = 'x-replaced-by';

/** Renames fields and values, at any depth; what is not in the tables stays. */
interface Spelling {
  readonly names: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

function spellingOf({ names = {}, values = {} }: Former, to: 'former' | 'current'): Spelling {
  const tables = Object.entries(values).flatMap(([field, table]) => {
    const pairs = Object.entries(table).map(([now, before]): [string, string] =>
      to === 'former' ? [now, before] : [before, now],
    );
    // A field is found by either of its names.
    return [field, names[field] ?? field].map((name) => [name, new Map(pairs)] as const);
  });
  const pairs = Object.entries(names).map(([now, before]): [string, string] =>
    to === 'former' ? [now, before] : [before, now],
  );
  return { names: new Map(pairs), values: new Map(tables) };
}

const formerSpellings = new WeakMap<Former, Spelling>();
const currentSpellings = new WeakMap<Former, Spelling>();
const toFormer = (former: Former) => formerSpellings.getOrInsertComputed(former, (each) => spellingOf(each, 'former'));
const toCurrent = (former: Former) =>
  currentSpellings.getOrInsertComputed(former, (each) => spellingOf(each, 'current'));

/** An object that has both names of a field keeps both. */
function nameIn(object: object, name: string, { names }: Spelling): string {
  const known = names.get(name);
  return known === undefined || Object.hasOwn(object, known) ? name : known;
}

function spelled(value: unknown, spelling: Spelling): unknown {
  if (Array.isArray(value)) return value.map((each) => spelled(each, spelling));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const renamed: Fields = {};
  for (const [name, part] of Object.entries(value)) {
    const known = nameIn(value, name, spelling);
    renamed[known] = spelledValue(spelled(part, spelling), spelling.values.get(name));
  }
  return renamed;
}

function spelledValue(value: unknown, table: ReadonlyMap<string, string> | undefined): unknown {
  if (!table) return value;
  if (Array.isArray(value)) return value.map((each) => spelledValue(each, table));
  return typeof value === 'string' ? (table.get(value) ?? value) : value;
}

function spelledAnswer(answer: unknown, spelling: Spelling): unknown {
  if (!(answer instanceof Answer)) return spelled(answer, spelling);
  const { status, headers, type, listed } = answer;
  return new Answer(spelled(answer.body, spelling), {
    status,
    headers,
    ...(type ? { type } : {}),
    ...(listed ? { listed } : {}),
  });
}

/**
 * What a request sent, in the names that its route reads: the current ones, or on an earlier path the earlier ones. A field that was
 * sent under both names keeps the unknown one, and the schema refuses it.
 */
export function readableFields({ former, isFormer }: Route, fields: Fields): Fields {
  if (!former) return fields;
  const { names, values } = isFormer ? toFormer(former) : toCurrent(former);
  const renamed: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    const known = names.get(name);
    const isFree = known !== undefined && !Object.hasOwn(fields, known);
    renamed[isFree ? known : name] = spelledValue(value, isFormer ? undefined : values.get(name));
  }
  return renamed;
}

/** A refusal names fields as the request did. */
export function refusalAsSent(error: unknown, { former, isFormer }: Route, sent: ReadonlySet<string>): unknown {
  if (!former?.names || !(error instanceof Refusal) || !error.details.errors) return error;
  const { names } = toFormer(former);
  const asSent = (field: string) => {
    const [first = '', ...rest] = field.split('.');
    const before = names.get(first);
    return before !== undefined && (isFormer || sent.has(before)) ? [before, ...rest].join('.') : field;
  };
  const errors = error.details.errors.map((each): FieldProblem => ({ ...each, field: asSent(each.field) }));
  const [was, is] = [error.details.errors[0]?.field, errors[0]?.field];
  if (was === undefined || was === is) return error;
  const message = error.message.startsWith(`${was}: `) ? `${is}${error.message.slice(was.length)}` : error.message;
  const Kind = error instanceof WireRefusal ? WireRefusal : Refusal;
  return new Kind(error.code, message, { ...error.details, errors });
}

/**
 * The path and the fields by which a repeated request is recognised: under its earlier names, so that a request may be repeated by
 * either path, and one that was sent before the names changed is still the same request.
 */
export function asFirstPublished(definition: Route, path: string, fields: Fields): { path: string; fields: Fields } {
  const { former } = definition;
  if (!former) return { path, fields };
  return {
    path: former.path === undefined || definition.isFormer ? path : formerPath(definition.path, former.path, path),
    fields: spelled(fields, toFormer(former)) as Fields,
  };
}

/** Parameters stand in the same order in both, and keep their encoding. */
function formerPath(current: string, former: string, sent: string): string {
  const found = new RegExp(`^(.*)${current.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(sent);
  if (!found) return sent;
  const [, before, ...values] = found;
  return `${before}${former.replaceAll(/\{\w+\}/g, () => values.shift()!)}`;
}

/** An answer that was kept under either name, in the names of this route. */
export function keptAnswer({ former, isFormer, output }: Route, answer: Answer): Answer {
  const body = former?.path ? spelled(answer.body, isFormer ? toFormer(former) : toCurrent(former)) : answer.body;
  return new Answer(withBothNames(body, output), { status: answer.status });
}

/** Answers that were kept before a field was renamed have one of its names only. */
function withBothNames(body: unknown, schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return withBothNames(body, schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray && Array.isArray(body))
    return body.map((each) => withBothNames(each, schema.element as z.ZodType));
  if (!(schema instanceof z.ZodObject) || typeof body !== 'object' || body === null) return body;
  const shape = schema.shape as Record<string, z.ZodType>;
  const filled: Fields = { ...body };
  for (const [name, part] of Object.entries(shape))
    if (Object.hasOwn(filled, name)) filled[name] = withBothNames(filled[name], part);
  for (const [before, part] of Object.entries(shape)) {
    const now = currentNameOf(part);
    if (now === undefined) continue;
    if (Object.hasOwn(filled, before)) filled[now] ??= filled[before];
    else if (Object.hasOwn(filled, now)) filled[before] = filled[now];
  }
  return filled;
}

/** The current name of a field that is declared by `formerField`. */
function currentNameOf(schema: z.ZodType): string | undefined {
  const now = schema.meta()?.[replacedBy];
  if (typeof now === 'string') return now;
  return schema instanceof z.ZodOptional ? currentNameOf(schema.unwrap() as z.ZodType) : undefined;
}

const deprecatedBy = ({ since }: Former, { method, path }: Route): Deprecated => ({
  since,
  instead: `${method} /v1${path}`,
});

/** The same call under its earlier path, with its earlier names in requests and answers. */
function formerRoute(definition: Route): readonly Route[] {
  const { former } = definition;
  if (former?.path === undefined) return [];
  const back = toFormer(former);
  const forth = toCurrent(former);
  const { example } = definition;
  const { render, again, now } = definition;
  const deprecated = deprecatedBy(former, definition);
  const alias: Route = {
    ...definition,
    path: former.path,
    isFormer: true,
    deprecated,
    description: `${definition.description} Deprecated: use \`${deprecated.instead}\`.`,
    input: formerObject(definition.input, former, back),
    output: formerSchema(definition.output, former, back),
    example: {
      ...example,
      ...(example.input ? { input: spelled(example.input, back) as Fields } : {}),
      output: spelled(example.output, back),
    },
    ...(render ? { render: (result: never) => spelled(render(result), back) } : {}),
    ...(again
      ? {
          again: async (...[ctx, caller, id]: Parameters<typeof again>) =>
            spelledAnswer(await again(ctx, caller, id), back),
        }
      : {}),
    ...(now
      ? {
          now: async (...[ctx, caller, kept]: Parameters<typeof now>) =>
            spelledAnswer(await now(ctx, caller, spelled(kept, forth)), back),
        }
      : {}),
    answer: async (ctx, caller: Caller, input) =>
      spelledAnswer(await definition.answer(ctx, caller, spelledInput(input, forth) as never), back),
  };
  if (pathParameters(alias.path).length !== pathParameters(definition.path).length)
    throw new Error(`${former.path} and ${definition.path} have different parameters`);
  return [alias];
}

/** Only the fields themselves: what they hold was read already, into dates and the like. */
function spelledInput(input: Fields, { names, values }: Spelling): Fields {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [names.get(name) ?? name, spelledValue(value, values.get(name))]),
  );
}

/** All routes with their earlier paths, each behind the one that replaced it. */
export const withFormerPaths = (routes: readonly Route[]): readonly Route[] =>
  routes.flatMap((definition) => [definition, ...formerRoute(definition)]);

function formerObject(schema: z.ZodObject, former: Former, back: Spelling): z.ZodObject {
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([name, part]) => [
      nameIn(schema.shape, name, back),
      formerSchema(part as z.ZodType, former, back, name),
    ]),
  );
  return named(z.object(shape), schema, former);
}

function formerSchema(schema: z.ZodType, former: Former, back: Spelling, field = ''): z.ZodType {
  const inner = (part: unknown) => formerSchema(part as z.ZodType, former, back, field);
  const values = back.values.get(field);
  if (!hasRenamed(schema, back, field)) return schema;
  if (schema instanceof z.ZodObject) return formerObject(schema, former, back);
  if (schema instanceof z.ZodArray) return named(z.array(inner(schema.element)), schema, former);
  if (schema instanceof z.ZodNullable) return named(z.nullable(inner(schema.unwrap())), schema, former);
  if (schema instanceof z.ZodOptional) return named(z.optional(inner(schema.unwrap())), schema, former);
  if (schema instanceof z.ZodEnum)
    return named(z.enum(schema.options.map((each) => values?.get(String(each)) ?? String(each))), schema, former);
  return schema;
}

/** Schemas without a renamed part stay the same object, and so one schema of the document. */
function hasRenamed(schema: z.ZodType, back: Spelling, field: string): boolean {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).some(
      ([name, part]) => nameIn(schema.shape, name, back) !== name || hasRenamed(part as z.ZodType, back, name),
    );
  if (schema instanceof z.ZodArray) return hasRenamed(schema.element as z.ZodType, back, field);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return hasRenamed(schema.unwrap() as z.ZodType, back, field);
  return schema instanceof z.ZodEnum && back.values.has(field);
}

function named<T extends z.ZodType>(made: T, from: z.ZodType, former: Former): T {
  const { id, ...meta } = from.meta() ?? {};
  return made.meta({ ...meta, ...(id === undefined ? {} : { id: former.schemas?.[id] ?? `Former${id}` }) });
}
