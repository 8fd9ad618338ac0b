import type { components, paths } from './types.ts';

/** A schema of the OpenAPI document, such as `Schema<'Domain'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type Path = keyof paths;
/** Paths with a GET operation. */
export type Readable = { [P in Path]: paths[P] extends { get: { responses: unknown } } ? P : never }[Path];

type Json<R, S extends number> = R extends Record<S, { content: { 'application/json': infer T } }> ? T : never;

/** The response body of a call, typed from the OpenAPI document. */
export type ResponseBody<P extends Path, M extends Method> =
  paths[P] extends Record<M, { responses: infer R }> ? Json<R, 200> | Json<R, 202> : never;

type InputsOf<O> = (O extends { parameters: { path: infer T } } ? { path: T } : { path?: never }) &
  (O extends { parameters: { query: infer T } }
    ? { query: T }
    : O extends { parameters: { query?: infer T } }
      ? { query?: T }
      : { query?: never }) &
  (O extends { requestBody: { content: { 'application/json': infer T } } }
    ? { body: T }
    : O extends { requestBody?: { content: { 'application/json': infer T } } }
      ? { body?: T }
      : { body?: never });

/** The `path`, `query` and `body` of a call. */
export type Inputs<P extends Path, M extends Method> = paths[P] extends Record<M, infer O> ? InputsOf<O> : never;
