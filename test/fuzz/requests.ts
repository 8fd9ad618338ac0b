import fc from 'fast-check';
import { hostileJson, hostileText } from './hostile.ts';

type Schema = Record<string, unknown>;
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Described {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    content: Record<string, { schema: { properties?: Record<string, Schema> }; example?: Record<string, unknown> }>;
  };
}
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Names, schemas and examples of the fields of the body or query. */
  readonly fields: readonly { name: string; schema: Schema; example: unknown }[];
  readonly takesText: boolean;
}

export interface FuzzRequest {
  readonly operation: Operation;
  readonly target: string;
  readonly encoding: 'query' | 'form' | 'json' | 'multipart' | 'raw';
  readonly fields: Record<string, unknown>;
  readonly raw: string;
  readonly headers: Record<string, string>;
  readonly isOperator: boolean;
}

export function operationsOf(document: { paths: object }): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const media = Object.entries(described.requestBody?.content ?? {});
      const [, body] = media.find(([type]) => !type.startsWith('text/')) ?? [];
      const inQuery = described.parameters
        .filter((p) => p.in === 'query')
        .map((p) => ({ name: p.name, schema: p.schema, example: p.example }));
      const inBody = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) => ({
        name,
        schema,
        example: body?.example?.[name],
      }));
      return {
        method: method.toUpperCase(),
        path,
        parameters: described.parameters,
        fields: [...inQuery, ...inBody],
        takesText: media.some(([type]) => type.startsWith('text/')),
      };
    }),
  );
}

/** A value that the schema accepts, or nearly accepts. */
function fitting(schema: Schema, example: unknown): fc.Arbitrary<unknown> {
  const choices: fc.Arbitrary<unknown>[] = [];
  const examples = [example, ...((schema.examples as unknown[]) ?? [])].filter((value) => value !== undefined);
  if (examples.length > 0) choices.push(fc.constantFrom(...examples));
  if (Array.isArray(schema.enum)) choices.push(fc.constantFrom(...(schema.enum as unknown[])));
  if (schema.type === 'integer')
    choices.push(
      fc.integer({ min: Number(schema.minimum ?? 0) - 1, max: Math.min(Number(schema.maximum ?? 100) + 1, 2 ** 31) }),
    );
  if (schema.type === 'boolean') choices.push(fc.constantFrom(true, false, '1', '0', 'true', 'FALSE'));
  if (schema.type === 'string') choices.push(fc.string({ maxLength: Number(schema.maxLength ?? 40) % 400 }));
  return choices.length > 0 ? fc.oneof(...choices) : hostileText;
}

/** Every client treats `.` and `..` as path steps, even as `%2E`: they would become requests to another operation. */
const segment = (text: string) => encodeURIComponent(/^\.\.?$/.test(text) ? `${text}x` : text);

/** One request to this operation: mostly valid, with some fields omitted, misspelt, duplicated or hostile. */
export function requestTo(operation: Operation, ids: Record<string, readonly string[]>): fc.Arbitrary<FuzzRequest> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const inPath = fc.tuple(
    ...names.map((name) => {
      const parameter = operation.parameters.find((p) => p.in === 'path' && p.name === name);
      const known = ids[name] ?? [];
      return fc.oneof(
        ...(known.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...known) as fc.Arbitrary<unknown> }] : []),
        { weight: 2, arbitrary: fitting(parameter?.schema ?? {}, parameter?.example) },
        { weight: 1, arbitrary: hostileText },
      );
    }),
  );
  const fields = fc
    .tuple(
      ...operation.fields.map(({ name, schema, example }) => {
        const known = ids[name] ?? [];
        return fc.record({
          name: fc.oneof(
            { weight: 9, arbitrary: fc.constant(name) },
            { weight: 1, arbitrary: fc.constant(name.replaceAll('_', '-')) },
          ),
          isSent: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
          value: fc.oneof(
            ...(known.length > 0 ? [{ weight: 8, arbitrary: fc.constantFrom(...known) as fc.Arbitrary<unknown> }] : []),
            { weight: 16, arbitrary: fitting(schema, example) },
            { weight: 1, arbitrary: hostileJson },
          ),
        });
      }),
      fc.oneof(
        { weight: 19, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.tuple(hostileText, hostileText) },
      ),
    )
    .map((parts) => {
      const extra = parts.at(-1) as [string, string] | undefined;
      const sent = (parts.slice(0, -1) as { name: string; isSent: boolean; value: unknown }[])
        .filter((part) => part.isSent)
        .map((part): [string, unknown] => [part.name, part.value]);
      return Object.fromEntries(extra ? [...sent, extra] : sent);
    });
  return fc
    .record({
      values: inPath,
      fields,
      encoding:
        operation.method === 'GET'
          ? fc.constant<'query'>('query')
          : fc.constantFrom<FuzzRequest['encoding'][]>(
              'query',
              'form',
              'form',
              'json',
              'json',
              'multipart',
              ...(operation.takesText ? (['raw', 'raw'] as const) : []),
            ),
      raw: fc.oneof(hostileText, fc.constant('$ORIGIN example.com.\n@ 3600 IN A 192.0.2.1\n')),
      headers: fc.oneof(
        { weight: 6, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.uuid().map((key) => ({ 'Idempotency-Key': key })) },
        {
          weight: 1,
          arbitrary: fc.constantFrom<Record<string, string>[]>(
            { 'Idempotency-Key': 'one-for-all' },
            { 'If-Match': '"x"' },
            { 'If-Match': '*' },
            { Prefer: 'respond-async' },
            { 'If-None-Match': '*' },
          ),
        },
      ),
      isOperator: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    })
    .map(({ values, ...rest }) => {
      let index = 0;
      const target = operation.path.replaceAll(/\{\w+\}/g, () =>
        segment(String(values[index++]).toWellFormed().slice(0, 800)),
      );
      return { operation, target, ...rest };
    });
}
