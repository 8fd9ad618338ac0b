import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');

/** Flags of authenticator data (WebAuthn 6.1): user present, user verified, attested credential data. */
const present = 0x01;
const verified = 0x04;
const attested = 0x40;

/** A passkey in software, without attestation (WebAuthn level 3, ES256), for pages of `localhost`. */
export class SoftwareAuthenticator {
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(32);
  readonly #origin: string;
  #counter = 0;

  constructor(origin = 'http://localhost:8080') {
    this.#origin = origin;
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  #authenticatorData(flags: number, more = Buffer.alloc(0)): Buffer {
    this.#counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256('localhost'), Buffer.from([present | verified | flags]), counter, more]);
  }

  /** RFC 9053, section 7.1.1: a map of key type EC2, algorithm ES256, curve P-256, x and y. */
  #publicKey(): Buffer {
    const { x, y } = this.#pair.publicKey.export({ format: 'jwk' });
    const coordinate = (label: number, text: string) =>
      Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(text, 'base64url')]);
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
      coordinate(0x21, x!),
      coordinate(0x22, y!),
    ]);
  }

  #answer(response: object): object {
    const id = base64url(this.#id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  /** The result of `navigator.credentials.create()`. */
  create(challenge: string): object {
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.#id.length]),
      this.#id,
      this.#publicKey(),
    ]);
    const data = this.#authenticatorData(attested, credential);
    // CBOR: { fmt: "none", attStmt: {}, authData: bytes }
    const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ]);
    return this.#answer({
      clientDataJSON: base64url(this.#clientData('webauthn.create', challenge)),
      attestationObject: base64url(attestation),
      transports: ['internal'],
    });
  }

  /** The result of `navigator.credentials.get()`. */
  get(challenge: string): object {
    const clientData = this.#clientData('webauthn.get', challenge);
    const data = this.#authenticatorData(0);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#pair.privateKey);
    return this.#answer({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    });
  }
}
