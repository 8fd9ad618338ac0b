import { EppInputError } from '../errors.ts';
import { LOGIN_SECURITY_MARK } from '../extension/loginSec.ts';
import type { LoginSec } from '../model/extension.ts';
import type { Greeting, LoginRequest } from '../model/session.ts';
import { extensionUris, followsSecureAuthInfo, objectUris, type RegistryProfile } from '../profile.ts';
import { compact } from '../xml/read.ts';
import type { EppCredentials } from './ports.ts';

const PROTOCOL_VERSION = '1.0';
/** RFC 5730 pwType */
const MAX_PLAIN_PASSWORD_LENGTH = 16;
const MIN_PASSWORD_LENGTH = 6;

/** RFC 5730 2.9.1.1: announces what the greeting offers and this library can read, nothing else. */
export function loginRequest(credentials: EppCredentials, greeting: Greeting, profile: RegistryProfile): LoginRequest {
  const ns = profile.namespaces;
  const fixed = profile.extensions.map(({ uri }) => uri);
  // RFC 9154 is a policy: a registry that does not follow it does not announce it.
  const withheld = followsSecureAuthInfo(profile) ? undefined : ns.secureAuthInfo;
  const extensions = [...new Set(extensionUris(ns, [...profile.otherExtensionURIs, ...fixed]))];
  // Each URI goes where the greeting lists it: some mappings (lowbalance-poll, rgp-poll, RFC 9167) are objects at one registry and
  // extensions at another.
  const known = [...objectUris(ns), ...extensions].filter((uri) => uri !== withheld);
  const objURIs = known.filter((uri) => greeting.objURIs.includes(uri));
  const extURIs = known.filter((uri) => greeting.extURIs.includes(uri) && !objURIs.includes(uri));
  const loginSec = loginSecurity(
    credentials,
    ns.loginSec !== undefined && extURIs.includes(ns.loginSec),
    profile.alwaysLoginSec,
  );
  return compact<LoginRequest>({
    object: 'session',
    verb: 'login',
    clID: credentials.clID,
    pw: loginSec?.pw === undefined ? credentials.pw : LOGIN_SECURITY_MARK,
    newPW: loginSec?.newPW === undefined ? credentials.newPW : LOGIN_SECURITY_MARK,
    version: PROTOCOL_VERSION,
    lang: greeting.langs.includes(profile.lang) ? profile.lang : (greeting.langs[0] ?? profile.lang),
    objURIs,
    extURIs,
    ext: loginSec === undefined ? undefined : { loginSec },
  });
}

/** RFC 8807: the extension carries what the login's own fields cannot hold. */
function loginSecurity(credentials: EppCredentials, offered: boolean, always: boolean): LoginSec | undefined {
  const long = (pw: string | undefined) => pw !== undefined && pw.length > MAX_PLAIN_PASSWORD_LENGTH;
  const isInExtension = (pw: string | undefined) => pw !== undefined && (always || long(pw));
  for (const [field, pw] of [
    ['pw', credentials.pw],
    ['newPW', credentials.newPW],
  ] as const) {
    if (pw !== undefined && pw.length < MIN_PASSWORD_LENGTH) throw new EppInputError(field, 'too short');
    if (long(pw) && !offered) throw new EppInputError(field, 'too long for a registry without loginSec');
  }
  if (!offered) return undefined;
  const sec = compact<LoginSec>({
    userAgent: credentials.userAgent,
    pw: isInExtension(credentials.pw) ? credentials.pw : undefined,
    newPW: isInExtension(credentials.newPW) ? credentials.newPW : undefined,
  });
  return Object.keys(sec).length === 0 ? undefined : sec;
}
