import { STATUS_CODES } from 'node:http';
import type { Called, TestService } from '../support/service.ts';

/** Values that examples pass to later ones: ids from answers. */
export type ExampleValues = Record<string, string>;

export type User = 'demo' | 'operator' | 'nobody' | 'wrong' | 'reader' | 'child' | 'second';

interface Common {
  /** In the marker of the page that shows it. */
  readonly name: string;
  /** Prepares the service: a fault at the registry, a moved clock. Not shown. */
  readonly before?: (t: TestService, values: ExampleValues) => Promise<void>;
  readonly after?: (t: TestService, values: ExampleValues) => Promise<void>;
}

export interface HttpExample extends Common {
  readonly kind: 'http';
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string | ((values: ExampleValues) => string);
  readonly query?: Record<string, string>;
  readonly form?: Record<string, string> | ((values: ExampleValues) => Record<string, string>);
  readonly json?: object | ((values: ExampleValues) => object);
  readonly headers?: Record<string, string> | ((values: ExampleValues) => Record<string, string>);
  /** The credentials; those of `reader`, `child` and `second` are created by earlier examples and kept there. */
  readonly as?: User;
  readonly status?: number;
  readonly showHeaders?: readonly string[];
  /** Shows only these fields, and that there are more. */
  readonly keep?: readonly string[];
  /** Shows this many rows of a list. */
  readonly rows?: number;
  readonly remember?: (body: Called['body'], values: ExampleValues, headers: Headers) => void;
}

export interface ShellExample extends Common {
  readonly kind: 'dig' | 'namehold';
  readonly args: readonly string[] | ((values: ExampleValues) => string[]);
}

/** A mail that is sent to the sandbox. */
export interface LetterExample extends Common {
  readonly kind: 'letter';
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type Example = HttpExample | ShellExample | LetterExample;

const quote = (text: string) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly form: Record<string, string> | undefined;
  readonly json: object | undefined;
}

export function requestOf(example: HttpExample, values: ExampleValues): Request {
  const path = typeof example.path === 'function' ? example.path(values) : example.path;
  const headers = typeof example.headers === 'function' ? example.headers(values) : (example.headers ?? {});
  const form = typeof example.form === 'function' ? example.form(values) : example.form;
  const query = example.query ? `?${new URLSearchParams(example.query)}` : '';
  const json =
    typeof example.json === 'function' ? (example.json as (values: ExampleValues) => object)(values) : example.json;
  return { method: example.method ?? (form || json ? 'POST' : 'GET'), path: path + query, headers, form, json };
}

/** The request as a user would type it. */
export function curlOf(example: HttpExample, request: Request, url: string): string {
  const users: Record<User, string> = {
    demo: '-u 1000:$KEY',
    operator: '-u 1:$OPERATOR_KEY',
    wrong: '-u 1000:wrong',
    nobody: '',
    reader: '-u 1000:$READ_KEY',
    child: '-u 1001:$CHILD_KEY',
    second: '-u 1000:$SECOND_KEY',
  };
  const { method, headers, form, json } = request;
  const hasBody = form !== undefined || json !== undefined;
  const first = [
    'curl',
    users[example.as ?? 'demo'],
    method === 'GET' || (method === 'POST' && hasBody) ? '' : `-X ${method}`,
    quote(url + request.path),
  ].filter((part) => part !== '');
  const rest = [
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...Object.entries(form ?? {}).map(
      ([name, value]) => `${value.includes('&') ? '--data-urlencode' : '-d'} ${quote(`${name}=${value}`)}`,
    ),
    ...(json === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(json))}`]),
  ];
  const plain = [first.join(' '), ...rest];
  return plain.join(' ').length <= 110 ? plain.join(' ') : plain.join(' \\\n  ');
}

/** Status, relevant headers, then the body. */
export function answerText(example: HttpExample, called: Called): string {
  const shown = (example.showHeaders ?? []).map((name) => `${name}: ${called.headers.get(name) ?? '(absent)'}`);
  const head =
    called.status === 200 && shown.length === 0
      ? []
      : ['```http', `HTTP/1.1 ${called.status} ${STATUS_CODES[called.status]}`, ...shown, '```'];
  return [...head, bodyText(example, called)].join('\n');
}

function bodyText(example: HttpExample, called: Called): string {
  if (called.body === undefined) return `\`\`\`text\n${called.text.trimEnd()}\n\`\`\``;
  const all: unknown = called.body;
  if (Array.isArray(all)) {
    const rows = all.slice(0, example.rows ?? all.length).map((row: unknown) => kept(example, row));
    return fence(rows, rows.length < all.length ? '  // and further rows' : undefined);
  }
  const isCut = example.keep !== undefined && Object.keys(all as object).some((key) => !example.keep!.includes(key));
  return fence(kept(example, all), isCut ? '  // and more fields' : undefined);
}

function kept(example: HttpExample, value: unknown): unknown {
  if (!example.keep || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => example.keep!.includes(key)));
}

function fence(value: unknown, note: string | undefined): string {
  const text = JSON.stringify(value, null, 2);
  if (note === undefined) return `\`\`\`json\n${text}\n\`\`\``;
  const lines = text.split('\n');
  return `\`\`\`jsonc\n${[...lines.slice(0, -1), note, lines.at(-1)].join('\n')}\n\`\`\``;
}
