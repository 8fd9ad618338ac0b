import { createHash, createHmac } from 'node:crypto';
import { type Fields, objectOf } from '../../fields.ts';
import type { Call, Login, SignedCall } from '../../wire.ts';
import { type OpsMap, readEnvelope, UnreadableEnvelope, writeEnvelope } from './envelope.ts';

/** One request: an action on an object, with attributes. All requests have the same address. */
export const message = (action: string, attributes: OpsMap, object = 'DOMAIN'): Call => ({
  method: 'POST',
  path: '/',
  message: { action, object, attributes },
});

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** OpenSRS requires a password for the registrant's own login, which nobody uses. It is derived, so it is stored nowhere. */
const passwordOf = (username: string, secret: string): string =>
  `${createHmac('sha256', secret).update(`registrant ${username}`).digest('hex').slice(0, 16)}aA1`;

export function sign(call: Call, { user, secret }: Login): SignedCall {
  const { attributes, ...rest } = (call.message ?? {}) as { readonly attributes: OpsMap };
  const username = attributes.reg_username;
  const login: OpsMap = typeof username === 'string' ? { reg_password: passwordOf(username, secret) } : {};
  // Some requests name our account again.
  const account: OpsMap = 'reseller' in attributes ? { reseller: user } : {};
  const text = writeEnvelope({ protocol: 'XCP', ...rest, attributes: { ...attributes, ...login, ...account } });
  return {
    ...call,
    content: { type: 'text/xml', text },
    headers: { Accept: 'text/xml', 'X-Username': user, 'X-Signature': md5(md5(text + secret) + secret) },
  };
}

export function readAnswer(text: string): OpsMap | undefined {
  try {
    return readEnvelope(text);
  } catch (error) {
    if (error instanceof UnreadableEnvelope) return undefined;
    throw error;
  }
}

export const attributesOf = (body: unknown): Fields => objectOf(objectOf(body)?.attributes) ?? {};
