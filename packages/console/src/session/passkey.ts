import { call } from '../api/call.ts';
import { Trouble } from '../api/trouble.ts';
import { words } from './words.ts';

/** What `PublicKeyCredential.toJSON()` says; the service alone reads it. */
type Signed = Record<string, unknown> & { readonly id: string };

/** Whether this browser can make and use passkeys at all. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** The browser does not tell whether it was left, took too long or was not there: one sentence for all. */
async function ask(work: Promise<Credential | null>): Promise<Signed> {
  const made = await work.catch(() => null);
  if (!made) throw new Trouble(400, { code: 'passkey_left', message: words().passkeyLeft });
  return (made as PublicKeyCredential).toJSON() as unknown as Signed;
}

/** Signs a challenge: for whoever signs in by it, or for the person that is half or wholly signed in. */
export async function usePasskey(path: '/session/challenge' | '/session/factor/challenge'): Promise<Signed> {
  const { body } = await call('post', path, { body: {} }, { isSignIn: true });
  const wanted = { challenge: body.challenge, rpId: body.rp_id ?? location.hostname, userVerification: 'required' };
  return ask(navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(wanted) }));
}

export async function makePasskey(): Promise<Signed> {
  const { body } = await call('post', '/me/passkeys/challenge', { body: {} });
  const options = body.options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return ask(navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }));
}
