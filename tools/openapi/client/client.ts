import type { paths } from '../../../packages/console/src/api/types.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Inputs<O> = (O extends { parameters: { path: infer T } } ? { path: T } : { path?: never }) &
  (O extends { parameters: { query: infer T } }
    ? { query: T }
    : O extends { parameters: { query?: infer T } }
      ? { query?: T }
      : unknown) &
  (O extends { requestBody: { content: { 'application/json': infer T } } }
    ? { body: T }
    : O extends { requestBody?: { content: { 'application/json': infer T } } }
      ? { body?: T }
      : { body?: never });
type Json<R, S extends number> = R extends Record<S, { content: { 'application/json': infer T } }> ? T : never;
type Answer<O> = O extends { responses: infer R } ? Json<R, 200> | Json<R, 202> : never;

interface Given {
  readonly path?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
}

/** A minimal client to check the document with the compiler: inputs and answers are typed from it alone. */
export function clientOf(address: string, credentials: string) {
  const headers = { Authorization: `Basic ${btoa(credentials)}`, 'Content-Type': 'application/json' };
  return async <P extends keyof paths, M extends Method>(
    path: P,
    method: M,
    inputs: Inputs<paths[P][M]>,
  ): Promise<Answer<paths[P][M]>> => {
    const given = inputs as unknown as Given;
    const filled = String(path).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.path![name]!));
    const query = Object.entries(given.query ?? {}).map(([name, value]) => [name, String(value)]);
    const body = given.body === undefined ? {} : { body: JSON.stringify(given.body) };
    const answer = await fetch(`${address}/v1${filled}?${new URLSearchParams(query)}`, { method, headers, ...body });
    const read: unknown = await answer.json();
    if (!answer.ok) throw new Error(`${answer.status} ${(read as { code: string }).code}`);
    return read as Answer<paths[P][M]>;
  };
}
