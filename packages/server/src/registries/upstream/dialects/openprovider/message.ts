import { type Fields, objectOf, objectsOf, textOf } from '../../fields.ts';
import type { Answered, Call, Login, SignedCall } from '../../wire.ts';

type Body = NonNullable<Call['message']>;
type Query = NonNullable<Call['query']>;
type Repeats = NonNullable<Call['repeats']>;

/** The login, whose answer has the token of all other requests. */
const loginCall: Call = { method: 'POST', path: '/auth/login', message: {} };

/** A query about a domain, which may be answered from a query of a moment ago. */
export const question = (path: string, query: Query, ...names: readonly string[]): Call => ({
  method: 'GET',
  path,
  query,
  ...(names.length > 0 ? { repeats: { limit: 'query', names } } : {}),
});

export const order = (method: 'POST' | 'PUT', path: string, message: Body, repeats?: Repeats): Call => ({
  method,
  path,
  message,
  ...(repeats ? { repeats } : {}),
});

export const removal = (path: string, query: Query = {}): Call => ({ method: 'DELETE', path, query });

/** The token is added only here, so no stored request contains it. */
export function sign(call: Call, { user, secret, token }: Login): SignedCall {
  const isLogin = call.path === loginCall.path;
  const body = isLogin ? { username: user, password: secret } : call.message;
  return {
    ...call,
    ...(body === undefined ? {} : { content: { type: 'application/json', text: JSON.stringify(body) } }),
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  };
}

/** The code for wrong credentials, and for a token that has ended. */
export const loginRefused = '196';

export const session = (hours: number) => ({
  call: loginCall,
  read: (body: unknown) => textOf(dataOf(body).token),
  isEnded: ({ status, body }: Answered) =>
    textOf(objectOf(body)?.code) === loginRefused || (status === 401 && objectOf(body)?.code === undefined),
  validMs: hours * 3_600_000,
});

export const dataOf = (body: unknown): Fields => objectOf(objectOf(body)?.data) ?? {};

/** The rows of a list. Undefined: the answer has no list. */
export function rowsOf(body: unknown): { readonly rows: readonly Fields[]; readonly total: number } | undefined {
  const { results, total } = dataOf(body);
  const count = Number(textOf(total) ?? Number.NaN);
  // A list without rows has no `results` in some answers.
  if (results === undefined && count === 0) return { rows: [], total: 0 };
  return Array.isArray(results)
    ? { rows: objectsOf(results), total: Number.isFinite(count) ? count : results.length }
    : undefined;
}

/** `example.co.uk` is the name `example` and the extension `co.uk`. */
export function partsOf(name: string): { readonly name: string; readonly extension: string } {
  const dot = name.indexOf('.');
  return { name: name.slice(0, dot), extension: name.slice(dot + 1) };
}

/** The name of a domain in a row; some answers have it as one text. */
export function nameOf(row: Fields): string | undefined {
  const parts = objectOf(row.domain);
  const [name, extension] = [textOf(parts?.name), textOf(parts?.extension)];
  const whole = name !== undefined && extension !== undefined ? `${name}.${extension}` : textOf(row.domain);
  return whole?.toLowerCase();
}
