import type { z } from 'zod';
import type { Actor, AppContext } from '../core/app-context.ts';
import { type Area, allows } from '../core/keys/key.ts';
import type { Access } from '../core/model/customer-access.ts';
import type { Listed } from '../core/page.ts';
import type { Former } from './aliases.ts';
import type { Deprecated } from './deprecation.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Facts of the request besides its fields. */
export interface Caller extends Actor {
  readonly header: (name: string) => string | undefined;
}

/** A response with its own status or headers. A plain body means 200. */
export class Answer {
  readonly body: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Media type, if it differs from that of the route. */
  readonly type: 'application/pdf' | undefined;
  /** The data for `Link`. */
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

/** A route returns a body, or an answer with its own status or headers. */
export function asAnswer(result: unknown): Answer {
  return result instanceof Answer ? result : new Answer(result);
}

export interface Example {
  readonly input?: Record<string, unknown>;
  readonly output: unknown;
  /** If the example does not work on a new installation: the preparation it needs, in a sentence. */
  readonly first?: string;
}

export interface Route<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  readonly method: Method;
  /** Below /v1, with path parameters in braces: `/customers/{customer_id}`. */
  readonly path: string;
  readonly area: Area | 'common' | 'users';
  /** Scope that the key needs, or any one of several. Default: `area:read` for GET, else `area:write`. Null: any key. */
  readonly scope?: string | readonly string[] | null;
  /** A scope of another area that the key needs as well, because the call has an effect there. */
  readonly alsoScope?: string;
  /** Contract calls ignore unknown parameters and read form bodies. Our own calls refuse unknown parameters. */
  readonly style: 'contract' | 'own';
  readonly summary: string;
  readonly description: string;
  /** All parameters by name: those in the path, then query (GET, DELETE) or body. */
  readonly input: I;
  readonly output: O;
  /** The body of 202: the operation continues. */
  readonly accepted?: z.ZodType;
  readonly errors: readonly ErrorCode[];
  /** A call that works on a new installation or in the documentation, and its response. */
  readonly example: Example;
  /** The response holds a secret: `no-store`, and encrypted where idempotency stores it. */
  readonly secret?: boolean;
  /** Units of work beyond one request: passwords to hash, domain names to query, zones to read. Lists cost by their page size. */
  readonly cost?: number | ((input: z.output<I>) => number);
  /** The response has the list headers X-Total-Count and Link. */
  readonly isList?: boolean;
  /** A list that continues after a position. */
  readonly isLog?: true;
  /** A list without pages: only X-Total-Count. */
  readonly hasTotal?: true;
  /** The response has the serial of a zone, or the version of an object, as its ETag. */
  readonly hasETag?: true;
  /** Name of the body in the document, if calls share it or the name of the call is unclear. */
  readonly bodyName?: string;
  /** Accepts Content-Type text/dns or text/plain as a raw body, handed in as `input[rawBody]`. */
  readonly rawBody?: string;
  /** Maximum body size, if the default is too small. */
  readonly bodyLimitBytes?: number;
  /** Maximum number of JSON values, if the default is too small for the longest list. */
  readonly bodyValues?: number;
  /** Contract style: parameters for which empty has a meaning (the apex of a zone) and differs from missing. */
  readonly keepEmpty?: readonly string[];
  /** Contract style: parameters that are not accepted with hyphens. */
  readonly noAlias?: readonly string[];
  /** The response is text of this type, not JSON. */
  readonly answerType?: 'text/dns' | 'text/csv' | 'application/pdf' | 'text/event-stream';
  /** Alternative type, returned if the client accepts it. */
  readonly alsoAs?: 'application/pdf';
  /** Converts the result of the business transaction to the body. If present, idempotency stores the body in that transaction. */
  readonly render?: (result: never) => unknown;
  /** For calls that continue an existing operation: the response to a repeated request with its Idempotency-Key. */
  readonly again?: (ctx: AppContext, caller: Caller, operationId: string) => Promise<unknown>;
  /** The current state, for a repeated request whose stored response may be outdated. */
  readonly now?: (ctx: AppContext, caller: Caller, kept: unknown) => Promise<unknown>;
  /** Deprecated: announced in headers and in the document. */
  readonly deprecated?: Deprecated;
  /** Earlier names of its path, fields and values, which requests may still use. */
  readonly former?: Former;
  /** This route is the earlier path of another one (`withFormerPaths`). */
  readonly isFormer?: true;
  /** The call completes pending work and is never refused for load. */
  readonly settlesMoney?: true;
  /** Needs no credentials: its content is the proof. A wrong one counts as a failed login of the address. */
  readonly isPublic?: true;
  /** Only for users, in a session or, if public too, to start one. API keys cannot use it. No Idempotency-Key is stored. */
  readonly forUsers?: true;
  /** The access level with which customers can use it for their own objects. Absent: the path does not exist for them. */
  readonly customer?: Exclude<Access, 'none'>;
  /** Nothing can be guessed with it, so it stays available after too many guesses. */
  readonly isExemptFromGuessLimit?: true;
  /** Also available to a session whose second factor is pending (2FA). */
  readonly allowsPendingTwoFactor?: true;
  /** A session needs an authentication within the last ten minutes. Keys are exempt, because they have a whitelist and scopes. */
  readonly sudo?: true;
  /** Exists only in sandbox mode. */
  readonly isSandboxOnly?: true;
  readonly answer: (ctx: AppContext, caller: Caller, input: z.output<I>) => Promise<unknown>;
}

export function route<I extends z.ZodObject, O extends z.ZodType>(definition: Route<I, O>): Route {
  return definition as unknown as Route;
}

/** Scopes of which the key needs one. Empty: every key may call it. */
export function neededScopes(definition: Route): readonly string[] {
  const { scope } = definition;
  if (scope === null || (scope === undefined && definition.area === 'common')) return [];
  if (scope !== undefined) return typeof scope === 'string' ? [scope] : scope;
  return [`${definition.area}:${definition.method === 'GET' ? 'read' : 'write'}`];
}

/** Scopes of which one is missing. Empty: these scopes allow the call. */
export function missingScopes(definition: Route, own: readonly string[]): readonly string[] {
  const needed = neededScopes(definition);
  if (needed.length > 0 && !needed.some((scope) => allows(own, scope))) return needed;
  const { alsoScope } = definition;
  return alsoScope === undefined || allows(own, alsoScope) ? [] : [alsoScope];
}

/** A GET that needs more than a read scope changes something (auth codes, temporary passwords). */
export function changesSomething(definition: Route): boolean {
  return definition.method !== 'GET' || neededScopes(definition).some((scope) => !scope.endsWith(':read'));
}

/** Lists may be read from a standby, because they are long and need not be current. */
export const readsAnywhere = (definition: Route): boolean =>
  definition.method === 'GET' && (definition.isList === true || definition.isLog === true);

export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
