import { LOGIN_SECURITY_MARK } from '../extension/loginSec.ts';
import type { ResponseSpec } from '../model/response.ts';
import type { Greeting, LoginRequest } from '../model/session.ts';
import type { Namespaces } from '../profile.ts';
import { refusal } from './refusal.ts';

/** RFC 5730 2.9.1.1: a client may only request services that the greeting offers. */
export function refuseServices(login: LoginRequest, offered: Greeting): ResponseSpec | undefined {
  const objects = login.objURIs.filter((uri) => !offered.objURIs.includes(uri));
  if (objects.length > 0) return refusal(2307, ...objects.map((uri) => `${uri} is not served`));
  const extensions = login.extURIs.filter((uri) => !offered.extURIs.includes(uri));
  if (extensions.length > 0) return refusal(2103, ...extensions.map((uri) => `${uri} is not served`));
  return undefined;
}

/** RFC 8807 section 4.1: moves the long passwords into the login, so that the server code has one form. */
export function resolveLoginSec(login: LoginRequest, ns: Namespaces): LoginRequest | ResponseSpec {
  const sec = login.ext?.loginSec;
  const announced = ns.loginSec !== undefined && login.extURIs.includes(ns.loginSec);
  if (sec !== undefined && !announced) return refusal(2103, 'loginSec was not announced in this login');
  let resolved = login;
  if (login.pw === LOGIN_SECURITY_MARK) {
    if (sec?.pw === undefined) return refusal(2003, 'loginSec:pw is missing');
    resolved = { ...resolved, pw: sec.pw };
  }
  if (login.newPW === LOGIN_SECURITY_MARK) {
    if (sec?.newPW === undefined) return refusal(2003, 'loginSec:newPW is missing');
    resolved = { ...resolved, newPW: sec.newPW };
  }
  return resolved;
}
