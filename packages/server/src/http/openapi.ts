import { z } from 'zod';
import { catalogue, type ErrorCode } from '../core/errors.ts';
import { areas } from '../core/keys/key.ts';
import { fieldSchemas, type JsonSchema } from './field.ts';
import { changesSomething, neededScopes, pathParameters, type Route } from './route.ts';

const commonErrors: readonly ErrorCode[] = [
  'unauthorized',
  'credentials_in_url',
  'ip_not_allowed',
  'account_suspended',
  'uri_too_long',
  'rate_limited',
  'internal',
  'unavailable',
  'overloaded',
];

/** What every call that changes something can meet besides: a body, and an Idempotency-Key. */
const unsafeErrors: readonly ErrorCode[] = [
  'invalid_argument',
  'invalid_body',
  'idempotency_in_flight',
  'answer_not_kept',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_mismatch',
];

function override(context: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const known = fieldSchemas.get(context.zodSchema as never);
  if (known) {
    for (const key of Object.keys(context.jsonSchema)) delete context.jsonSchema[key];
    Object.assign(context.jsonSchema, known.json);
  }
  // `type: [string, null]` is quicker to write out than a choice of two schemas, and easier to read.
  const { anyOf } = context.jsonSchema as { anyOf?: JsonSchema[] };
  if (
    anyOf?.length === 2 &&
    anyOf[1]?.type === 'null' &&
    typeof anyOf[0]?.type === 'string' &&
    anyOf[0].type !== 'object'
  ) {
    const { type, ...rest } = anyOf[0];
    delete context.jsonSchema.anyOf;
    Object.assign(context.jsonSchema, rest, { type: [type, 'null'] });
    if (Array.isArray(rest.enum)) context.jsonSchema.enum = [...rest.enum, null];
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: override as never }) as JsonSchema;
  delete made.$schema;
  return made;
}

const outputs = new WeakMap<z.ZodType, JsonSchema>();

/** Also what writes the answer out: a field that is not listed cannot leak. */
export function outputJsonSchema(schema: z.ZodType): JsonSchema {
  let made = outputs.get(schema);
  if (!made) {
    made = jsonSchema(schema, 'output');
    outputs.set(schema, made);
  }
  return made;
}

/** OpenAPI 3.1 from the very schemas that validate and write. */
export function buildOpenApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  const named = new Map<string, string>();
  for (const definition of routes) {
    // OpenAPI 3.1 4.8.8.2: paths that differ only in the names of their parameters are one path; the first one names them.
    const path = named.getOrInsert(definition.path.replaceAll(/\{\w+\}/g, '{}'), definition.path);
    paths[path] ??= {};
    paths[path]![definition.method.toLowerCase()] = operation(definition, pathParameters(path));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Namehold',
      version: '1',
      summary: 'HTTP interface to a domain registrar, for resellers',
      description:
        'Search, register, transfer, renew and manage domains; customers and their contacts; DNS; the account, its keys and its money. Press Authorize: the user name is the reseller id, the password an API key.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: [{ basic: [] }],
    tags: ['common', ...areas].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'reseller_id:API_KEY' } },
      schemas: { Error: errorSchema },
    },
  };
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'code', 'message', 'request_id'],
  properties: {
    type: { type: 'string', enum: ['unauthorized', 'invalid_request', 'card_error'] },
    code: { type: 'string', enum: Object.keys(catalogue) },
    message: { type: 'string' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

function operation(definition: Route, shownNames: readonly string[]): object {
  const scopes = neededScopes(definition);
  const inPath = pathParameters(definition.path);
  const input = jsonSchema(definition.input, 'input') as { properties?: Record<string, JsonSchema> };
  const properties = input.properties ?? {};
  const isRequired = (name: string) => !definition.input.shape[name]?.safeParse(undefined).success;
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name) && name !== definition.rawBody);
  const asQuery = definition.method === 'GET' || (definition.method === 'DELETE' && definition.style === 'contract');
  const example = definition.example.input ?? {};
  const parameter = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: place === 'path' || isRequired(name),
    schema: properties[name] ?? { type: 'string' },
    ...(example[name] === undefined ? {} : { example: example[name] }),
  });
  return {
    operationId: operationId(definition),
    tags: [definition.area],
    ...(definition.deprecated ? { deprecated: true } : {}),
    ...(definition.isPublic ? { security: [] } : {}),
    summary: definition.summary,
    description:
      scopes.length > 0
        ? `${definition.description}\n\nScope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`
        : definition.description,
    parameters: [
      ...inPath.map((name, place) => ({ ...parameter(name, 'path'), name: shownNames[place]! })),
      ...(asQuery || definition.rawBody ? rest.map((name) => parameter(name, 'query')) : []),
      ...(definition.method === 'GET' ? [] : [idempotencyParameter]),
    ],
    ...(asQuery ? {} : requestBody(definition, properties, rest, isRequired, example)),
    responses: responses(definition, scopes.length > 0),
  };
}

export function operationId(definition: Route): string {
  const words = definition.path.replaceAll(/[{}]/g, '').split(/[/_-]/).filter(Boolean);
  return definition.method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key with the same request gives the first answer again, for 72 hours.',
  schema: { type: 'string', maxLength: 255 },
};

function requestBody(
  definition: Route,
  properties: Record<string, JsonSchema>,
  names: string[],
  isRequired: (name: string) => boolean,
  example: Record<string, unknown>,
): object {
  if (definition.rawBody)
    return { requestBody: { required: true, content: { 'text/dns': { schema: { type: 'string' } } } } };
  if (names.length === 0) return {};
  const required = names.filter(isRequired);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    ...(required.length > 0 ? { required } : {}),
    ...(definition.style === 'own' ? { additionalProperties: false } : {}),
  };
  const sample = Object.fromEntries(
    names.filter((name) => example[name] !== undefined).map((name) => [name, example[name]]),
  );
  const media = { schema, example: sample };
  const types =
    definition.style === 'own'
      ? ['application/json']
      : ['application/x-www-form-urlencoded', 'application/json', 'multipart/form-data'];
  return {
    requestBody: { required: required.length > 0, content: Object.fromEntries(types.map((type) => [type, media])) },
  };
}

function responses(definition: Route, isScoped: boolean): object {
  const codes = [
    ...new Set<ErrorCode>([
      ...definition.errors,
      ...(Object.keys(definition.input.shape).length > 0 || definition.style === 'own'
        ? (['invalid_argument'] as const)
        : []),
      ...commonErrors,
      ...(definition.method === 'GET' ? [] : unsafeErrors),
      ...(changesSomething(definition) ? (['foreign_page'] as const) : []),
      ...(isScoped ? (['scope_missing'] as const) : []),
    ]),
  ];
  const byStatus = Map.groupBy(codes, (code) => catalogue[code].status);
  const success = {
    description: 'Done.',
    ...(definition.isList
      ? { headers: { 'X-Total-Count': { schema: { type: 'integer' } }, Link: { schema: { type: 'string' } } } }
      : {}),
    content: {
      [definition.answerType ?? 'application/json']: {
        schema: outputJsonSchema(definition.output),
        example: definition.example.output,
      },
    },
  };
  return Object.fromEntries([
    ['200', success],
    ...(definition.alsoStatus ?? []).map((status) => [
      String(status),
      { ...success, description: 'Accepted; the operation goes on.' },
    ]),
    ...[...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [
        String(status),
        {
          description: list.map((code) => `\`${code}\`: ${catalogue[code].sentence}`).join('\n\n'),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  ]);
}
