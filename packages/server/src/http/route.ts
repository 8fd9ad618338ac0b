import type { z } from 'zod';
import type { Actor, AppContext } from '../core/app-context.ts';
import type { Access } from '../core/customers/access.ts';
import type { Area } from '../core/keys/key.ts';
import type { Listed } from '../core/page.ts';
import type { Former } from './aliases.ts';
import type { Deprecated } from './deprecation.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler may want to know of the request besides its fields. */
export interface Caller extends Actor {
  readonly header: (name: string) => string | undefined;
}

/** A body with a status or headers of its own; a plain body means 200. */
export class Answer {
  readonly body: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Where it is not the type of its route. */
  readonly type: 'application/pdf' | undefined;
  /** What `Link` is made of. */
  readonly listed: Omit<Listed<unknown>, 'rows'> | undefined;
  constructor(
    body: unknown,
    options: {
      status?: number;
      headers?: Readonly<Record<string, string | string[]>>;
      type?: 'application/pdf';
      listed?: Omit<Listed<unknown>, 'rows'>;
    } = {},
  ) {
    this.body = body;
    this.status = options.status ?? 200;
    this.headers = options.headers ?? {};
    this.type = options.type;
    this.listed = options.listed;
  }
}

export interface Example {
  readonly input?: Record<string, unknown>;
  readonly output: unknown;
  /** Where it does not work as it stands on a fresh installation: what must be done first, in a sentence. */
  readonly first?: string;
}

export interface Route<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  readonly method: Method;
  /** Below /v1, path parameters in braces: `/customers/{customer_id}`. */
  readonly path: string;
  readonly area: Area | 'common' | 'users';
  /** Scope that the key needs, or any of several; by default `area:read` for GET and `area:write` for the rest; null: any key. */
  readonly scope?: string | readonly string[] | null;
  /** Contract calls ignore unknown parameters and read form bodies; our own refuse what they do not know. */
  readonly style: 'contract' | 'own';
  readonly summary: string;
  readonly description: string;
  /** All parameters by name: those in the path, then query (GET, DELETE) or body. */
  readonly input: I;
  readonly output: O;
  /** The body of 202: what was asked goes on. */
  readonly accepted?: z.ZodType;
  readonly errors: readonly ErrorCode[];
  /** A call that works on a fresh installation or in the documentation, and what it answers. */
  readonly example: Example;
  /** The answer holds a secret: `no-store`, and sealed where idempotency keeps it. */
  readonly secret?: boolean;
  /** Units of work beyond one request: passwords to hash, names to ask for, zones to read. Lists cost by their page. */
  readonly cost?: number | ((input: z.output<I>) => number);
  /** The list headers X-Total-Count and Link belong to the answer. */
  readonly isList?: boolean;
  /** A list that is read on from a place in it. */
  readonly isLog?: true;
  /** A list without pages: X-Total-Count alone. */
  readonly hasTotal?: true;
  /** The answer carries the serial of a zone, or the version of what can be changed, as its ETag. */
  readonly hasETag?: true;
  /** What the document calls the body, where other calls take the same one or the name of the call says less. */
  readonly bodyName?: string;
  /** Accepts Content-Type text/dns or text/plain as a raw body, handed in as `input[rawBody]`. */
  readonly rawBody?: string;
  /** Bodies up to this size, where the usual limit is too small. */
  readonly bodyLimitBytes?: number;
  /** Values in a JSON body up to this many, where the usual limit is too small for the longest list. */
  readonly bodyValues?: number;
  /** Contract style: parameters whose empty value says something (the apex of a zone) and is not the same as a missing one. */
  readonly keepEmpty?: readonly string[];
  /** Contract style: parameters that are known by their own spelling only, not with hyphens. */
  readonly noAlias?: readonly string[];
  /** The answer is text of this type, not JSON. */
  readonly answerType?: 'text/dns' | 'text/csv' | 'application/pdf' | 'text/event-stream';
  /** Who accepts this instead is answered with it. */
  readonly alsoAs?: 'application/pdf';
  /** Turns what the business transaction returns into the body; where given, idempotency stores it in that transaction. */
  readonly render?: (result: never) => unknown;
  /** Where it goes on with an operation that is there already: what a repeated request with its Idempotency-Key is answered with. */
  readonly again?: (ctx: AppContext, caller: Caller, operationId: string) => Promise<unknown>;
  /** What a kept answer tells may have changed since: how it stands now, for a repeated request. */
  readonly now?: (ctx: AppContext, caller: Caller, kept: unknown) => Promise<unknown>;
  /** It is to go, or should not be used any more: told in headers and in the document. */
  readonly deprecated?: Deprecated;
  /** Earlier names of its path, fields and values, which requests may still use. */
  readonly former?: Former;
  /** This route is the earlier path of another one (`withFormerPaths`). */
  readonly isFormer?: true;
  /** What comes to an end by this call must not wait for calmer times: it is never turned away for load. */
  readonly settlesMoney?: true;
  /** Needs no credentials: what it carries is its own proof. A wrong one counts as a failed login of the address. */
  readonly isPublic?: true;
  /** Only for people, in a session or, where it is public too, to get one: no key opens it. Nothing is kept under an Idempotency-Key. */
  readonly forUsers?: true;
  /** The level of access with which it is open to customers, for what is their own; without one there is no such path for them. */
  readonly customer?: Exclude<Access, 'none'>;
  /** Nothing can be guessed by it: it is open also where too much was guessed. */
  readonly isNoGuess?: true;
  /** Open also to a session that still lacks its second step. */
  readonly opensHalf?: true;
  /** In a session it takes a proof of who it is that is no older than ten minutes. Keys are exempt: they have whitelist and scopes. */
  readonly sudo?: true;
  /** There only in sandbox mode; production knows no such path. */
  readonly isSandboxOnly?: true;
  readonly answer: (ctx: AppContext, caller: Caller, input: z.output<I>) => Promise<unknown>;
}

export function route<I extends z.ZodObject, O extends z.ZodType>(definition: Route<I, O>): Route {
  return definition as unknown as Route;
}

/** Scopes of which the key needs one; none: every key may. */
export function neededScopes(definition: Route): readonly string[] {
  const { scope } = definition;
  if (scope === null || (scope === undefined && definition.area === 'common')) return [];
  if (scope !== undefined) return typeof scope === 'string' ? [scope] : scope;
  return [`${definition.area}:${definition.method === 'GET' ? 'read' : 'write'}`];
}

/** A GET that asks for more than the right to read changes something, whatever its method says (auth codes, temporary passwords). */
export function changesSomething(definition: Route): boolean {
  return definition.method !== 'GET' || neededScopes(definition).some((scope) => !scope.endsWith(':read'));
}

/** Lists may be read at a standby: they are long, and there it does not matter to those who write. */
export const readsAnywhere = (definition: Route): boolean =>
  definition.method === 'GET' && (definition.isList === true || definition.isLog === true);

export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
