import { signal } from '@preact/signals';
import { ApiError } from './error.ts';
import type { Inputs, Method, Path, ResponseBody } from './shapes.ts';

/** Options of a call besides its inputs. */
export interface CallOptions {
  /** One key per form, stored with its draft. A repeated request is processed only once. */
  readonly idempotencyKey?: string;
  /** The ETag of the resource to change. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
  /** For the sign-in calls: a 401 is returned and does not open the sign-in form. */
  readonly isSignIn?: boolean;
}

export interface ApiResponse<T> {
  readonly body: T;
  readonly status: number;
  readonly headers: Headers;
}

/**
 * Called before a request is sent again. `signedOut` opens the sign-in form; it returns false if another user signed in, and the request is
 * dropped. `identityRequired` asks the user to confirm their identity (403 `reauthentication_required`).
 */
export const hooks: {
  signedOut: (error: ApiError) => Promise<boolean>;
  identityRequired: (error: ApiError) => Promise<boolean>;
  reached: (isReached: boolean) => void;
} = {
  signedOut: async () => false,
  identityRequired: async () => false,
  reached: () => undefined,
};

const longestWaitSeconds = 60;

/** Seconds left until a rate-limited call is retried; undefined if no call waits. */
export const retryCountdown = signal<number | undefined>(undefined);

interface CallInputs {
  readonly path?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
}

/** The address of a call, with path parameters filled in and undefined query parameters left out. */
export function resourcePathOf(path: string, { path: names = {}, query = {} }: CallInputs): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString();
  return `/v1${filled}${text ? `?${text}` : ''}`;
}

/** Calls the API. Inputs and response are typed from the OpenAPI document. Throws `ApiError`. */
export async function call<P extends Path, M extends Method>(
  method: M,
  path: P,
  inputs: Inputs<P, M>,
  options: CallOptions = {},
): Promise<ApiResponse<ResponseBody<P, M>>> {
  const callInputs = inputs as CallInputs;
  const response = await send(method, resourcePathOf(path, callInputs), callInputs.body, options);
  return response as ApiResponse<ResponseBody<P, M>>;
}

/** Calls an address that is already complete. */
export async function send(
  method: Method,
  address: string,
  body: unknown,
  options: CallOptions = {},
): Promise<ApiResponse<unknown>> {
  // A write keeps its idempotency key when it is sent again after a sign-in, an identity check or a wait.
  const settled = method === 'get' ? options : { idempotencyKey: crypto.randomUUID(), ...options };
  let isRetried = false;
  for (;;) {
    try {
      return await sendOnce(method, address, body, settled);
    } catch (cause) {
      if (!(cause instanceof ApiError) || isRetried || !(await canRetry(cause, options))) throw cause;
      isRetried = true;
    }
  }
}

async function canRetry(error: ApiError, { isSignIn, signal }: CallOptions): Promise<boolean> {
  if (error.status === 401 && !isSignIn) return hooks.signedOut(error);
  if (error.code === 'reauthentication_required') return hooks.identityRequired(error);
  if (
    error.status === 429 &&
    !isSignIn &&
    (error.retryAfterSeconds ?? Number.POSITIVE_INFINITY) <= longestWaitSeconds
  ) {
    for (let left = error.retryAfterSeconds ?? 1; left > 0 && !signal?.aborted; left--) {
      retryCountdown.value = left;
      await new Promise((resolve) => setTimeout(resolve, Math.min(1, left) * 1_000));
    }
    retryCountdown.value = undefined;
    return true;
  }
  return false;
}

/** The server accepts the session cookie only with the `Namehold-Console` header. */
export const ownHeaders = { 'Namehold-Console': '1', Accept: 'application/json' };

async function sendOnce(
  method: Method,
  address: string,
  body: unknown,
  { idempotencyKey, ifMatch, signal }: CallOptions,
): Promise<ApiResponse<unknown>> {
  const headers: Record<string, string> = { ...ownHeaders, 'Accept-Language': document.documentElement.lang };
  const isText = typeof body === 'string';
  if (body !== undefined) headers['Content-Type'] = isText ? 'text/plain; charset=utf-8' : 'application/json';
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
  if (ifMatch) headers['If-Match'] = ifMatch;
  let response: Response;
  try {
    response = await fetch(address, {
      method: method.toUpperCase(),
      headers,
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    hooks.reached(false);
    throw new ApiError(0, { code: 'offline' });
  }
  hooks.reached(true);
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  const read = await bodyOf(response, isJson).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    // The connection ended in the middle of the response, so that the result of the request is unknown.
    if (response.ok) throw new ApiError(0, { code: 'offline' });
    return {};
  });
  if (!response.ok)
    throw new ApiError(response.status, isJson ? (read as Record<string, unknown>) : {}, response.headers);
  return { body: read, status: response.status, headers: response.headers };
}

const bodyOf = (response: Response, isJson: boolean | undefined): Promise<unknown> =>
  isJson ? response.json() : response.text();

/** The call as a curl command, to try outside the console. */
export function asCurl(method: Method, address: string, body?: unknown): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [`curl -u RESELLER_ID:API_KEY -X ${method.toUpperCase()} ${quote(`${location.origin}${address}`)}`];
  if (method !== 'get') lines.push(`-H 'Idempotency-Key: ${crypto.randomUUID()}'`);
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
