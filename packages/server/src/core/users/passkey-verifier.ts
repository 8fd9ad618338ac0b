/** What a browser answers with, as `PublicKeyCredential.toJSON()` writes it. Whoever sent it wrote it: only the verifier reads it. */
export type PasskeyAnswer = Readonly<Record<string, unknown>> & { readonly id: string };

export interface PasskeyKey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** What lets people in is not written by hand: a library fulfils this port. */
export interface PasskeyVerifier {
  /** The name that passkeys are bound to: the configured host, or a verified one of a brand, never what a request names. Undefined: there are none here. */
  readonly relyingParty: string | undefined;
  /** A new one that signed the challenge; undefined: it is none. */
  readNew(answer: PasskeyAnswer, challenge: string): Promise<PasskeyKey | undefined>;
  /** Its counter after this use; undefined: it did not sign the challenge. */
  readUse(answer: PasskeyAnswer, challenge: string, key: PasskeyKey): Promise<number | undefined>;
  /** The same at a verified host of a brand: what was made elsewhere signs nothing there. */
  at(host: string): PasskeyVerifier;
}
