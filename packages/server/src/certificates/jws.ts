import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url');
const json = (value: unknown) => base64url(JSON.stringify(value));

/** Signs requests to an ACME server (RFC 8555 6.2): JWS with ES256. */
export class Signer {
  readonly #key: KeyObject;
  readonly jwk: { readonly crv: string; readonly kty: string; readonly x: string; readonly y: string };

  constructor(pem: string) {
    this.#key = createPrivateKey(pem);
    const { x, y } = createPublicKey(this.#key).export({ format: 'jwk' });
    this.jwk = { crv: 'P-256', kty: 'EC', x: String(x), y: String(y) };
  }

  /** RFC 7638 requires the members in this order. */
  get thumbprint(): string {
    const { crv, kty, x, y } = this.jwk;
    return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  }

  /** RFC 8555 8.1. */
  keyAuthorization(token: string): string {
    return `${token}.${this.thumbprint}`;
  }

  /** `payload` undefined: POST-as-GET. `accountUrl` undefined: the JWS contains the public key, for a new account. */
  sign(of: { url: string; nonce: string; accountUrl: string | undefined; payload: unknown }): string {
    const { url, nonce, accountUrl, payload } = of;
    const who = accountUrl === undefined ? { jwk: this.jwk } : { kid: accountUrl };
    const head = json({ alg: 'ES256', nonce, url, ...who });
    const body = payload === undefined ? '' : json(payload);
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return JSON.stringify({ protected: head, payload: body, signature: base64url(signature) });
  }

  /** RFC 8555 7.3.4: binds our account to an existing account at the authority. */
  bind(of: { url: string; keyId: string; hmacKey: string }): object {
    const head = json({ alg: 'HS256', kid: of.keyId, url: of.url });
    const body = json(this.jwk);
    const signature = createHmac('sha256', Buffer.from(of.hmacKey, 'base64url'))
      .update(`${head}.${body}`)
      .digest('base64url');
    return { protected: head, payload: body, signature };
  }
}
