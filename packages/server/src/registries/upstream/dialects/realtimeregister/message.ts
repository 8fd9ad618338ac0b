import type { Call, Login, SignedCall } from '../../wire.ts';

/** Stands for the handle of our account, which is the user of the login, in a path and in `customer` of a body. */
const ownHandle = ':customer';
const ownPath = `/customers/${ownHandle}`;

type Query = NonNullable<Call['query']>;

export const question = (path: string, query?: Query): Call => ({ method: 'GET', path, ...(query ? { query } : {}) });

export const order = (path: string, message: Readonly<Record<string, unknown>> = {}): Call => ({
  method: 'POST',
  path,
  message,
});

export const removal = (path: string): Call => ({ method: 'DELETE', path });

export const pathOf = (name: string): string => `/domains/${encodeURIComponent(name)}`;

export const contactPath = (handle: string): string => `${ownPath}/contacts/${encodeURIComponent(handle)}`;

export const accountPath = (part: string): string => `${ownPath}/${part}`;

/** In an order for a domain: the account that will own it. */
export const byOurAccount = { customer: ownHandle } as const;

/** Only this function sees the key, which is sent in a header. */
export function sign(call: Call, { user, secret }: Login): SignedCall {
  const { message } = call;
  const named = message?.customer === ownHandle ? { ...message, customer: user } : message;
  return {
    ...call,
    path: call.path.startsWith(ownPath) ? call.path.replace(ownHandle, encodeURIComponent(user)) : call.path,
    headers: { Authorization: `ApiKey ${secret}` },
    ...(named ? { content: { type: 'application/json', text: JSON.stringify(named) } } : {}),
  };
}
