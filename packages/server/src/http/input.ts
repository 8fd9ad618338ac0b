import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FieldProblem } from '../core/errors.ts';
import { readableFields } from './aliases.ts';
import { parseForm } from './body.ts';
import { badParameter, WireRefusal } from './errors.ts';
import { fieldSchemas } from './field.ts';
import { pathParameters, type Route } from './route.ts';

export type Fields = Record<string, unknown>;

/** Computed for each route with its first request. */
const namesInPath = new WeakMap<Route, readonly string[]>();
const schemas = new WeakMap<Route, z.ZodObject>();

/** Merges path, query and body into one set of fields, by the rules of the contract (section 3). */
export function gatherInput(definition: Route, request: FastifyRequest): Fields {
  const query = parseForm(request.raw.url?.split('?').slice(1).join('?') ?? '', listNamesOf(definition));
  const body = (request.body ?? {}) as Fields;
  const sent: Fields = definition.method === 'GET' ? query : { ...query, ...body };
  refuseUnknownDryRun(definition, sent);
  const fields =
    definition.style === 'contract' ? contractSpelling(definition, sent) : readableFields(definition, { ...sent });
  const path = (request.params ?? {}) as Record<string, string>;
  // Panels repeat path ids in the body, sometimes incorrectly, so the path takes precedence.
  for (const name of namesInPath.getOrInsertComputed(definition, ({ path }) => pathParameters(path)))
    fields[name] = path[name];
  return fields;
}

const listNames = new WeakMap<Route, ReadonlySet<string>>();

/** Parameters that are lists, in their current and earlier names. */
export const listNamesOf = (definition: Route): ReadonlySet<string> =>
  listNames.getOrInsertComputed(definition, ({ input, former }) => {
    const shape = Object.entries(input.shape as Record<string, z.ZodType>);
    const names = shape.filter(([, schema]) => isList(schema)).map(([name]) => name);
    return new Set(names.flatMap((name) => [name, former?.names?.[name] ?? name]));
  });

function isList(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return isList(schema.unwrap() as z.ZodType);
  return fieldSchemas.get(schema as never)?.json.type === 'array';
}

/** The names of all fields of query and body, as they were sent. */
export function sentNames(request: FastifyRequest): ReadonlySet<string> {
  const query = parseForm(request.raw.url?.split('?').slice(1).join('?') ?? '');
  return new Set([...Object.keys(query), ...Object.keys((request.body ?? {}) as Fields)]);
}

/** Contract calls ignore unknown fields, except this one: a requested dry run must never be executed for real. */
function refuseUnknownDryRun(definition: Route, sent: Fields): void {
  const isKnown = Object.hasOwn(definition.input.shape, 'dry_run');
  const name = Object.keys(sent).find(
    (key) => /^dry[_-]run(\[|$)/i.test(key) && !(isKnown && key.replaceAll('-', '_') === 'dry_run'),
  );
  if (name === undefined || ['', '0', 'false'].includes(String(sent[name] ?? '').toLowerCase())) return;
  const message = isKnown
    ? 'The parameter is spelled dry_run. Nothing was done.'
    : 'This call does not support a dry run. Nothing was done.';
  throw badParameter(name, message, 'unknown');
}

/** Empty means absent, and `domain-name` is an alias of `domain_name` if that is missing. */
function contractSpelling(definition: Route, sent: Fields): Fields {
  const known = definition.input.shape;
  const fields: Fields = {};
  for (const [name, value] of Object.entries(sent)) {
    if (value === null || value === undefined) continue;
    if (value === '' && !definition.keepEmpty?.includes(name)) continue;
    if (Object.hasOwn(known, name)) fields[name] = value;
  }
  for (const [name, value] of Object.entries(sent)) {
    const alias = name.replaceAll('-', '_');
    if (alias === name || value === '' || value === null || definition.noAlias?.includes(alias)) continue;
    if (Object.hasOwn(known, alias) && fields[alias] === undefined) fields[alias] = value;
  }
  return fields;
}

const schemaOf = ({ style, input }: Route) => (style === 'own' ? input.strict() : input);

export function validateInput(definition: Route, fields: Fields): unknown {
  const result = schemas.getOrInsertComputed(definition, schemaOf).safeParse(fields);
  if (result.success) return result.data;
  const errors: FieldProblem[] = result.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: key.slice(0, 100),
        code: 'unknown',
        message: 'This is not a parameter of this call.',
      }));
    }
    const params = 'params' in issue ? (issue.params as { code?: string } | undefined) : undefined;
    return [
      {
        field: issue.path.map(String).join('.') || '(body)',
        code: params?.code ?? 'invalid',
        message: plain(issue.message),
      },
    ];
  });
  const first = errors[0]!;
  throw new WireRefusal('invalid_argument', `${first.field}: ${first.message}`, { errors });
}

function plain(message: string): string {
  const text = message.replace(/^Invalid input: /, '').replace(/received undefined/, 'but it is missing');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.)\]]$/.test(text) ? '' : '.'}`;
}
