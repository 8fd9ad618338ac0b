/** The response of a browser, as `PublicKeyCredential.toJSON()` writes it. It is untrusted: only the verifier reads it. */
export type PasskeyAnswer = Readonly<Record<string, unknown>> & { readonly id: string };

interface PasskeyKey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Port for a WebAuthn library: signature checks are not written by hand. */
export interface PasskeyVerifier {
  /**
   * The host name that passkeys are bound to: the configured host, or a verified one of a brand, never one from a request. Undefined: no
   * passkeys here.
   */
  readonly relyingParty: string | undefined;
  /** A new passkey that signed the challenge; undefined: invalid. */
  readNew(answer: PasskeyAnswer, challenge: string): Promise<PasskeyKey | undefined>;
  /** Its counter after this use; undefined: it did not sign the challenge. */
  readUse(answer: PasskeyAnswer, challenge: string, key: PasskeyKey): Promise<number | undefined>;
  /** The same at a verified host of a brand: a passkey made elsewhere does not work there. */
  at(host: string): PasskeyVerifier;
}
