import type { LoginSec, OtherExtensions } from './extension.ts';

export type LoginRequest = {
  readonly object: 'session';
  readonly verb: 'login';
  readonly clID: string;
  /** RFC 8807 2.1: [LOGIN-SECURITY] here means that the password is in ext.loginSec. */
  readonly pw: string;
  readonly newPW?: string;
  readonly version: string;
  readonly lang: string;
  readonly objURIs: readonly string[];
  readonly extURIs: readonly string[];
  readonly ext?: OtherExtensions & { readonly loginSec?: LoginSec };
};
export type LogoutRequest = { readonly object: 'session'; readonly verb: 'logout'; readonly ext?: OtherExtensions };
export type SessionRequest = LoginRequest | LogoutRequest;

export type Greeting = {
  readonly svID: string;
  readonly svDate: Date;
  readonly versions: readonly string[];
  readonly langs: readonly string[];
  readonly objURIs: readonly string[];
  readonly extURIs: readonly string[];
};
