import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Method, Path, ResponseBody, Schema } from '../../src/api/shapes.ts';
import type { components } from '../../src/api/types.ts';

/** The API, replaced at `fetch`. Requests and answers are validated against openapi.json. */

interface JsonSchema {
  readonly $ref?: string;
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Record<string, unknown>;
  readonly additionalProperties?: unknown;
  readonly examples?: readonly unknown[];
}
interface Content {
  readonly content?: Record<
    string,
    { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
  >;
  readonly $ref?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema & { readonly type?: string };
  readonly $ref?: string;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
}
interface OpenApi {
  readonly paths: Record<string, Record<string, Operation> & { readonly parameters?: readonly Parameter[] }>;
  readonly components: { readonly schemas: Record<string, JsonSchema> };
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8')) as OpenApi;

const at = <T>(pointer: string): T =>
  pointer
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document) as T;
const follow = <T extends { readonly $ref?: string }>(part: T): T => (part.$ref ? follow(at<T>(part.$ref)) : part);

// Schemas refer to each other, so that each is compiled once. The document is large, and compiling it is most of the cost.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  inlineRefs: false,
  coerceTypes: false,
  code: { optimize: false },
});
ajv.addSchema(document, 'api');
const known = new WeakMap<object, (value: unknown) => string | undefined>();

/** The first violation of a schema of the document, whose references start at its root. */
function violation(schema: JsonSchema, value: unknown): string | undefined {
  let check = known.get(schema);
  if (!check) {
    const compiled = ajv.compile(absolute(schema) as object);
    check = (given) => (compiled(given) ? undefined : ajv.errorsText(compiled.errors));
    known.set(schema, check);
  }
  return check(value);
}

function absolute(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(absolute);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, key === '$ref' ? `api${value as string}` : absolute(value)]),
  );
}

/** The service refuses unknown fields of a JSON body; undefined if all are allowed. */
function fieldsOf(schema: JsonSchema): ReadonlySet<string> | undefined {
  const found = follow(schema);
  if (!found.properties && !found.allOf) return undefined;
  if (found.additionalProperties && typeof found.additionalProperties === 'object') return undefined;
  const inner = (found.allOf ?? []).flatMap((each) => [...(fieldsOf(each) ?? [])]);
  return new Set([...Object.keys(found.properties ?? {}), ...inner]);
}

const templates = Object.keys(document.paths)
  .map((path) => ({
    path,
    expression: new RegExp(`^/v1${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    weight: path.split('{').length,
  }))
  .sort((a, b) => a.weight - b.weight);

/** The example of a schema in openapi.json, with other values for some fields. */
export function example<N extends keyof components['schemas']>(name: N, changes: Partial<Schema<N>> = {}): Schema<N> {
  const found = document.components.schemas[name]?.examples?.[0];
  if (found === undefined) throw new Error(`${name} has no example`);
  return Object.assign(structuredClone(found) as object, changes) as Schema<N>;
}

interface SentRequest {
  readonly method: Method;
  /** The path in openapi.json, such as `/domains/{domain_id}`. */
  readonly path: string;
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was sent
  readonly body: any;
  readonly headers: Headers;
  readonly signal: AbortSignal | undefined;
}

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

type Responder = (request: SentRequest) => Answer | Promise<Answer>;

const isOk = (status: number) => status < 300;
const contentOf = (operation: Operation, status: number) => {
  const response = operation.responses[String(status)] ?? operation.responses.default;
  return response && follow(response).content?.['application/json'];
};

export class FakeApi {
  readonly requests: SentRequest[] = [];
  /** What a page must never do: requests that openapi.json does not describe, or that the test does not answer. */
  readonly complaints: string[] = [];
  /** Requests without an answer yet. Held ones do not count. */
  pending = 0;
  /** Answers wait for it. */
  pause: Promise<void> | undefined;
  readonly #responders = new Map<string, Responder>();

  /** Answers with a body, or with the example of openapi.json. */
  answer<M extends Method, P extends Path>(
    method: M,
    path: P,
    body?: ResponseBody<P, M> | ((request: SentRequest) => ResponseBody<P, M>),
    headers: Record<string, string> = {},
  ): this {
    const given = body === undefined ? exampleOf(method, path) : body;
    return this.respond(method, path, (request) => ({
      body: given instanceof Function ? given(request) : given,
      headers,
    }));
  }

  /** Answers with rows and their total number. */
  list<P extends Path>(path: P, rows: ResponseBody<P, 'get'>, total = (rows as readonly unknown[]).length): this {
    return this.answer('get', path, rows, { 'X-Total-Count': String(total) });
  }

  /** Answers with an error. */
  refuse(method: Method, path: Path, status: number, body: Record<string, unknown> = {}, headers = {}): this {
    const text = { code: 'refused', message: 'Refused.', type: 'invalid_request', request_id: 'req_1', ...body };
    return this.respond(method, path, () => ({ status, body: text, headers }));
  }

  /** The network fails: no answer arrives. */
  lose(method: Method, path: Path): this {
    return this.respond(method, path, () => Promise.reject(new TypeError('fetch failed')));
  }

  /** The answer waits until `release` is called. */
  hold(method: Method, path: Path): { readonly release: () => void } {
    const before = this.#responders.get(`${method} ${path}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.respond(method, path, async (request) => {
      this.pending -= 1;
      await promise.finally(() => {
        this.pending += 1;
      });
      return before ? before(request) : { body: exampleOf(method, path) };
    });
    return { release: resolve };
  }

  respond(method: Method, path: Path, responder: Responder): this {
    this.#responders.set(`${method} ${path}`, responder);
    return this;
  }

  /** Requests to one operation, or all of a method. */
  sent(method: Method, path?: Path): SentRequest[] {
    return this.requests.filter((each) => each.method === method && (path === undefined || each.path === path));
  }

  /** Everything that is not only read. */
  get writes(): SentRequest[] {
    return this.requests.filter(({ method }) => method !== 'get');
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request = readRequest(String(input), init);
    if (!request) {
      this.complaints.push(`${init.method ?? 'GET'} ${String(input)} is not in openapi.json`);
      throw new TypeError('fetch failed');
    }
    this.requests.push(request);
    const operation = document.paths[request.path]![request.method]!;
    for (const each of problemsOf(request, operation)) this.complaints.push(`${nameOf(request)}: ${each}`);
    const responder = this.#responders.get(`${request.method} ${request.path}`);
    if (!responder) this.complaints.push(`${nameOf(request)} has no answer`);
    this.pending += 1;
    try {
      await this.pause;
      const answer = await untilAborted(request.signal, responder?.(request) ?? { status: 500, body: {} });
      const { status = 200, body, headers = {} } = answer;
      const content = isOk(status) ? contentOf(operation, status) : undefined;
      const wrong = content && violation(content.schema, body);
      if (wrong) this.complaints.push(`the answer of ${nameOf(request)}: ${wrong}`);
      const isText = typeof body === 'string' && !content;
      return new Response(isText ? body : JSON.stringify(body), {
        status,
        headers: { 'Content-Type': isText ? 'text/plain' : 'application/json', ...headers },
      });
    } finally {
      this.pending -= 1;
    }
  };
}

const nameOf = ({ method, path }: SentRequest) => `${method.toUpperCase()} ${path}`;

function exampleOf(method: Method, path: string): unknown {
  const content = contentOf(document.paths[path]![method]!, 200);
  const [named] = Object.values(content?.examples ?? {});
  const found = content?.example ?? named?.value ?? (content && follow(content.schema).examples?.[0]);
  if (found === undefined) throw new Error(`${method} ${path} has no example: give a body`);
  return structuredClone(found);
}

function readRequest(address: string, { method = 'GET', body, headers, signal }: RequestInit): SentRequest | undefined {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const lower = method.toLowerCase() as Method;
  for (const { path, expression } of templates) {
    const params = expression.exec(pathname)?.groups;
    if (!document.paths[path]![lower] || !expression.test(pathname)) continue;
    const isJson = new Headers(headers).get('Content-Type')?.startsWith('application/json');
    return {
      method: lower,
      path,
      address,
      params: Object.fromEntries(Object.entries(params ?? {}).map(([name, text]) => [name, decodeURIComponent(text)])),
      query: Object.fromEntries(searchParams),
      body: isJson ? JSON.parse(String(body)) : (body ?? undefined),
      headers: new Headers(headers),
      signal: signal ?? undefined,
    };
  }
  return undefined;
}

function* problemsOf({ path, query, body, headers, method }: SentRequest, operation: Operation): Generator<string> {
  const parameters = [...(document.paths[path]!.parameters ?? []), ...(operation.parameters ?? [])].map(follow);
  const inQuery = parameters.filter((each) => each.in === 'query');
  for (const name of Object.keys(query))
    if (!inQuery.some((each) => each.name === name)) yield `unknown parameter ${name}`;
  for (const { name, required, schema } of inQuery) {
    const text = query[name];
    if (text === undefined) {
      if (required) yield `the parameter ${name} is missing`;
      continue;
    }
    const { type } = follow(schema) as { type?: string };
    const value = type === 'integer' || type === 'number' ? Number(text) : type === 'boolean' ? text === 'true' : text;
    const wrong = type === 'array' ? undefined : violation(schema, value);
    if (wrong) yield `parameter ${name}: ${wrong}`;
  }
  if (headers.get('Namehold-Console') !== '1') yield 'the header of the console is missing';
  if (method !== 'get' && !headers.has('Idempotency-Key')) yield 'the idempotency key is missing';
  const declared = operation.requestBody && follow(operation.requestBody);
  if (typeof body === 'string') {
    if (!declared?.content?.['text/plain']) yield 'text is not accepted';
    return;
  }
  const schema = declared?.content?.['application/json']?.schema;
  if (body === undefined) return;
  if (!schema) return yield 'a body is not accepted';
  // The service reads an empty text as an absent field.
  const wrong = violation(schema, body) && violation(schema, withoutEmpty(body));
  if (wrong) yield `body: ${wrong} in ${JSON.stringify(body)}`;
  const fields = fieldsOf(schema);
  for (const name of Object.keys(body as object)) if (fields && !fields.has(name)) yield `unknown field ${name}`;
}

const withoutEmpty = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))
    : body;

function untilAborted<T>(signal: AbortSignal | undefined, answer: T | Promise<T>): Promise<T> {
  if (!signal) return Promise.resolve(answer);
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('The request was cancelled.', 'AbortError'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    Promise.resolve(answer).then(resolve, reject);
  });
}
