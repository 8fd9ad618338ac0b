import { resolved } from '../support/document.ts';
import { type Noun, neutral, nounOf, type Tenancy } from './fixtures.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly example?: unknown;
}

interface Described {
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: { properties?: object }; readonly example?: object }>;
  };
}

export interface MatrixOperation {
  readonly method: string;
  readonly template: string;
  readonly path: readonly string[];
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** The documented call. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly hasBody: boolean;
  /** The body is a plain zone file. */
  readonly isZoneFile: boolean;
  /** Only users call it, in a session. */
  readonly isForUsers: boolean;
}

/** Every operation of the document, with its parameters and their places. */
export function operationsOf(document: { paths: object }): MatrixOperation[] {
  return Object.entries(resolved(document).paths as Record<string, Record<string, Described>>).flatMap(
    ([template, methods]) =>
      Object.entries(methods).map(([method, described]) => {
        const parameters = (described.parameters ?? []).filter((each) => each.in !== 'header');
        const media = Object.values(described.requestBody?.content ?? {})[0];
        const named = (place: string) => parameters.filter((each) => each.in === place).map((each) => each.name);
        return {
          method: method.toUpperCase(),
          template,
          path: named('path'),
          query: named('query'),
          body: Object.keys(media?.schema.properties ?? {}),
          example: {
            ...Object.fromEntries(parameters.filter((p) => p.example !== undefined).map((p) => [p.name, p.example])),
            ...media?.example,
          },
          hasBody: media !== undefined,
          isForUsers: described.tags.includes('users'),
          isZoneFile: described.requestBody?.content['text/dns'] !== undefined,
        };
      }),
  );
}

/** Parameters without a noun that are not known to have no owner: they must be added. */
export function unknownParameters(operation: MatrixOperation): string[] {
  const inPath = operation.path.filter((name) => !nounOf[name] && neutral[name] === undefined);
  const elsewhere = [...operation.query, ...operation.body].filter(
    (name) => name.endsWith('_id') && !nounOf[name] && !belongsToNobody.has(name),
  );
  return [...inPath, ...elsewhere];
}

/** Filters of the caller's own log, and references from tax offices, banks, registries and upstreams: any text is valid. */
const belongsToNobody = new Set([
  'object_id',
  'request_id',
  'tax_id',
  'entry_id',
  'claims_notice_id',
  'registry_id',
  'client_id',
  'upstream_customer_id',
]);

interface MatrixCase {
  readonly operation: MatrixOperation;
  /** Parameters with the stranger's object in one call and a missing one in the other, each with its noun. */
  readonly strange: Readonly<Record<string, Noun>>;
}

/** Every parameter with a noun alone, all of the path together, and domains by name. */
export function casesOf(operation: MatrixOperation): MatrixCase[] {
  const named = [...operation.path, ...operation.query, ...operation.body].filter((name) => nounOf[name]);
  const strange: Record<string, Noun>[] = [...new Set(named)].map((name) => ({ [name]: nounOf[name]! }));
  const whole = operation.path.filter((name) => nounOf[name]);
  if (whole.length > 1) strange.push(Object.fromEntries(whole.map((name) => [name, nounOf[name]!])));
  if (operation.path.includes('domain_id')) strange.push({ domain_id: 'name' });
  // Elsewhere a name may be one that does not exist yet.
  if (operation.method === 'GET' && operation.query.includes('domain_name')) strange.push({ domain_name: 'name' });
  return strange.map((each) => ({ operation, strange: each }));
}

interface Request {
  readonly path: string;
  readonly query: Record<string, string>;
  readonly json: Record<string, unknown> | undefined;
  readonly raw: { type: string; body: string } | undefined;
}

/** The documented call with the caller's own ids, and `strange` ids for the tested parameters. */
export function requestOf(
  operation: MatrixOperation,
  own: Pick<Tenancy, 'nouns'>,
  strange: Readonly<Record<string, string>> = {},
): Request {
  const valueFor = (name: string): unknown => {
    if (strange[name] !== undefined) return strange[name];
    const noun = nounOf[name];
    return noun ? own.nouns[noun] : (operation.example[name] ?? neutral[name]);
  };
  const path = operation.template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(valueFor(name))),
  );
  const chosen = (names: readonly string[]) =>
    names.filter((name) => strange[name] !== undefined || operation.example[name] !== undefined);
  return {
    path: `/v1${path}`,
    query: Object.fromEntries(chosen(operation.query).map((name) => [name, String(valueFor(name))])),
    raw: operation.isZoneFile ? { type: 'text/dns', body: '@ 300 A 192.0.2.1\n' } : undefined,
    json:
      operation.hasBody && !operation.isZoneFile
        ? Object.fromEntries(chosen(operation.body).map((name) => [name, valueFor(name)]))
        : undefined,
  };
}

export function idsFor(
  strange: Readonly<Record<string, Noun>>,
  source: Readonly<Record<Noun, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(strange).map(([name, noun]) => [name, source[noun]]));
}

/** The answer without the parts that must differ: the request id, and the requested id. */
export function comparable(text: string, sentValues: Readonly<Record<string, string>>): string {
  let plain = text.replace(/"request_id":"[^"]*"/g, '"request_id":""');
  for (const value of Object.values(sentValues))
    plain = plain.replaceAll(new RegExp(`\\b${RegExp.escape(value)}\\b`, 'g'), '(asked)');
  return plain;
}
