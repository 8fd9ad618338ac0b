import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { messages } from './messages.ts';

/** The output of `PublicKeyCredential.toJSON()`, which only the service reads. */
type Assertion = Record<string, unknown> & { readonly id: string };

/** Whether the browser supports passkeys. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Browsers do not report why a passkey was not used, so there is one message for all reasons. */
async function assertionOf(work: Promise<Credential | null>): Promise<Assertion> {
  const made = await work.catch(() => null);
  if (!made) throw new ApiError(400, { code: 'passkey_left', message: messages().passkeyNotUsed });
  return (made as PublicKeyCredential).toJSON() as unknown as Assertion;
}

/** Signs a challenge for sign-in, two-factor authentication or an identity check. */
export async function usePasskey(path: '/session/challenge' | '/session/factor/challenge'): Promise<Assertion> {
  const { body } = await call('post', path, {}, { isSignIn: true });
  const wanted = { challenge: body.challenge, rpId: body.rp_id ?? location.hostname, userVerification: 'required' };
  return assertionOf(navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(wanted) }));
}

export async function makePasskey(): Promise<Assertion> {
  const { body } = await call('post', '/me/passkeys/challenge', {});
  const options = body.options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return assertionOf(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
}
