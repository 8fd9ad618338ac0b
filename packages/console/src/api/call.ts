import { signal } from '@preact/signals';
import type { AnswerOf, Inputs, Method, Path } from './shapes.ts';
import { Trouble } from './trouble.ts';

/** How a call is made, beside what it says. */
export interface Manner {
  /** One for each form, kept with its draft: a repeat is harmless. */
  readonly idempotencyKey?: string;
  /** The ETag of what is changed. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
  /** Sign-in itself: a 401 is the answer, not a reason to ask who is there. */
  readonly isSignIn?: boolean;
}

export interface Answered<T> {
  readonly body: T;
  readonly status: number;
  readonly headers: Headers;
}

/**
 * What the page does before a call is sent once more. `signedOut`: somebody signs in over the page; false: it was somebody else, and what
 * was on its way is not sent. `proofWanted`: the person proves to be there (403 `reauthentication_required`).
 */
export const hooks: {
  signedOut: (trouble: Trouble) => Promise<boolean>;
  proofWanted: (trouble: Trouble) => Promise<boolean>;
  reached: (isReached: boolean) => void;
} = {
  signedOut: async () => false,
  proofWanted: async () => false,
  reached: () => undefined,
};

const longestWaitSeconds = 60;

/** Seconds for which the service asked to wait before the call is sent once more; undefined while nothing waits. */
export const waitsFor = signal<number | undefined>(undefined);

interface Given {
  readonly path?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
}

/** The address of a call: `{domain_id}` filled in, what is undefined left out. */
export function addressOf(path: string, { path: names = {}, query = {} }: Given): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString();
  return `/v1${filled}${text ? `?${text}` : ''}`;
}

/** One call of the service, typed from its document. Throws `Trouble`. */
export async function call<P extends Path, M extends Method>(
  method: M,
  path: P,
  inputs: Inputs<P, M>,
  manner: Manner = {},
): Promise<Answered<AnswerOf<P, M>>> {
  const given = inputs as Given;
  const answered = await send(method, addressOf(path, given), given.body, manner);
  return answered as Answered<AnswerOf<P, M>>;
}

/** The same by an address that is known already. */
export async function send(
  method: Method,
  address: string,
  body: unknown,
  manner: Manner = {},
): Promise<Answered<unknown>> {
  // A write that is sent again after a sign-in, a proof or a wait is the same order.
  const settled = method === 'get' ? manner : { idempotencyKey: crypto.randomUUID(), ...manner };
  let isAsked = false;
  for (;;) {
    try {
      return await sendOnce(method, address, body, settled);
    } catch (error) {
      if (!(error instanceof Trouble) || isAsked || !(await mayGoOn(error, manner))) throw error;
      isAsked = true;
    }
  }
}

async function mayGoOn(trouble: Trouble, { isSignIn }: Manner): Promise<boolean> {
  if (trouble.status === 401 && !isSignIn) return hooks.signedOut(trouble);
  if (trouble.code === 'reauthentication_required') return hooks.proofWanted(trouble);
  if (
    trouble.status === 429 &&
    !isSignIn &&
    (trouble.retryAfterSeconds ?? Number.POSITIVE_INFINITY) <= longestWaitSeconds
  ) {
    for (let left = trouble.retryAfterSeconds ?? 1; left > 0; left--) {
      waitsFor.value = left;
      await new Promise((resolve) => setTimeout(resolve, Math.min(1, left) * 1_000));
    }
    waitsFor.value = undefined;
    return true;
  }
  return false;
}

/** The headers of every call of the console: a cookie counts only with the first. */
export const ownHeaders = { 'Namehold-Console': '1', Accept: 'application/json' };

async function sendOnce(
  method: Method,
  address: string,
  body: unknown,
  { idempotencyKey, ifMatch, signal }: Manner,
): Promise<Answered<unknown>> {
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
  } catch (error) {
    if (signal?.aborted) throw error;
    hooks.reached(false);
    throw new Trouble(0, { code: 'offline' });
  }
  hooks.reached(true);
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  const read: unknown = isJson ? await response.json().catch(() => ({})) : await response.text();
  if (!response.ok)
    throw new Trouble(response.status, isJson ? (read as Record<string, unknown>) : {}, response.headers);
  return { body: read, status: response.status, headers: response.headers };
}

/** The call as a program makes it, for the reader to try: the console teaches the interface. */
export function asCurl(method: Method, address: string, body?: unknown): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [`curl -u RESELLER_ID:API_KEY -X ${method.toUpperCase()} ${quote(`${location.origin}${address}`)}`];
  if (method !== 'get') lines.push(`-H 'Idempotency-Key: ${crypto.randomUUID()}'`);
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
