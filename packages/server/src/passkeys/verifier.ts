import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Config } from '../config.ts';
import type { PasskeyVerifier } from '../core/ports/passkey-verifier.ts';

const loopback = /^(localhost|\[::1\]|127(\.\d+){3})$/;
const address = /^(\[.*\]|\d+(\.\d+){3})$/;

/** Loaded at the first passkey, because it includes a large certificate library. */
const library = () => import('@simplewebauthn/server');

interface Place {
  readonly host: string;
  readonly isOurs: (origin: string) => boolean;
}

/** Allowed origins: that of the public URL. In sandbox mode on this machine, any port of `localhost`. */
function placeOf(config: Pick<Config, 'publicUrl' | 'mode'>): Place | undefined {
  const url = config.publicUrl ? new URL(config.publicUrl) : undefined;
  if (config.mode === 'sandbox' && (!url || loopback.test(url.hostname)))
    return { host: 'localhost', isOurs: (origin: string) => /^https?:\/\/localhost(:\d+)?$/.test(origin) };
  if (!url || address.test(url.hostname)) return undefined;
  return { host: url.hostname, isOurs: (origin: string) => origin === url.origin };
}

function originOf(answer: object): string {
  try {
    const { clientDataJSON } = (answer as { response: { clientDataJSON: string } }).response;
    return String(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()).origin);
  } catch {
    return '';
  }
}

/** The library throws for every kind of invalid response; all are one case here. */
const orNothing = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

export const passkeyVerifier = (config: Pick<Config, 'publicUrl' | 'mode'>): PasskeyVerifier =>
  verifierAt(placeOf(config));

function verifierAt(place: Place | undefined): PasskeyVerifier {
  const expected = (answer: object, challenge: string) => {
    const origin = originOf(answer);
    if (!place?.isOurs(origin)) return undefined;
    return {
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: place.host,
      requireUserVerification: true,
    };
  };
  return {
    relyingParty: place?.host,
    at: (host) => verifierAt({ host, isOurs: (origin) => origin === `https://${host}` }),
    async readNew(answer, challenge) {
      const wanted = expected(answer, challenge);
      if (!wanted) return undefined;
      const { verifyRegistrationResponse } = await library();
      const response = answer as unknown as RegistrationResponseJSON;
      const found = (await orNothing(verifyRegistrationResponse({ response, ...wanted })))?.registrationInfo;
      if (!found) return undefined;
      const { id: credentialId, publicKey, counter, transports = [] } = found.credential;
      return { credentialId, publicKey, counter, transports };
    },
    async readUse(answer, challenge, key) {
      const wanted = expected(answer, challenge);
      if (!wanted) return undefined;
      const credential = {
        id: key.credentialId,
        publicKey: new Uint8Array(key.publicKey),
        counter: key.counter,
        transports: [...key.transports] as AuthenticatorTransport[],
      };
      const { verifyAuthenticationResponse } = await library();
      const response = answer as unknown as AuthenticationResponseJSON;
      const found = await orNothing(verifyAuthenticationResponse({ response, credential, ...wanted }));
      return found?.verified ? found.authenticationInfo.newCounter : undefined;
    },
  };
}
