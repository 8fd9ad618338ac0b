import { signal } from '@preact/signals';
import { call, hooks } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { now, setBusinessTime } from '../data/clock.ts';
import { deleteDrafts } from '../data/draft-store.ts';
import { cache, disconnectedSince } from '../data/resource.ts';
import { listen, stopListening } from '../data/stream.ts';
import { type Locale, locale } from '../messages/locale.ts';
import { readBrand } from './brand.ts';
import { currentSession } from './current-session.ts';

/** Increased when another user or account becomes active, so that all pages are rendered anew. */
export const epoch = signal(0);

/** The error of reading the session. */
export const sessionError = signal<ApiError | undefined>(undefined);

interface SignInRequest {
  readonly before: Schema<'Session'>;
  readonly answer: (isSame: boolean) => void;
}

/** Set when the session ended while a page is open; the user signs in over the page. */
export const signInRequest = signal<SignInRequest | undefined>(undefined);
let pendingSignIn: Promise<boolean> | undefined;

/** Another tab can have renewed the session cookie while a request was in progress. */
const isStillSignedIn = (before: Schema<'Session'>): Promise<boolean> =>
  call('get', '/session', {}, { isSignIn: true }).then(
    ({ body }) => sessionKey(body) === sessionKey(before),
    () => false,
  );

hooks.signedOut = async () => {
  const before = currentSession.value;
  if (!before) return false;
  if (pendingSignIn === undefined && (await isStillSignedIn(before))) return true;
  pendingSignIn ??= new Promise<boolean>((answer) => {
    signInRequest.value = { before, answer };
  }).finally(() => {
    pendingSignIn = undefined;
    signInRequest.value = undefined;
  });
  return pendingSignIn;
};

interface IdentityCheck {
  readonly methods: readonly ('passkey' | 'totp' | 'recovery_code' | 'password')[];
  readonly answer: (isConfirmed: boolean) => void;
}

/** Set when an action requires an identity check. */
export const identityCheck = signal<IdentityCheck | undefined>(undefined);
let pendingCheck: Promise<boolean> | undefined;

hooks.identityRequired = ({ facts }) => {
  const methods = (facts.methods ?? ['password']) as IdentityCheck['methods'];
  pendingCheck ??= new Promise<boolean>((answer) => {
    identityCheck.value = { methods, answer };
  }).finally(() => {
    pendingCheck = undefined;
    identityCheck.value = undefined;
  });
  return pendingCheck;
};

hooks.reached = (isReached) => {
  if (isReached === (disconnectedSince.value === undefined)) return;
  disconnectedSince.value = isReached ? undefined : now();
};

export async function loadSession(): Promise<void> {
  sessionError.value = undefined;
  try {
    enter((await call('get', '/session', {}, { isSignIn: true })).body);
  } catch (cause) {
    const error = asApiError(cause);
    if (error.status !== 401) sessionError.value = error;
    else {
      // The host decides which sign-in form is shown.
      await readBrand();
      currentSession.value = null;
    }
  }
}

const sessionKey = (session: Schema<'Session'>) => `${session.person.person_id}/${session.account.reseller_id}`;

/** Sets the session after a sign-in. */
export function enter(session: Schema<'Session'>): void {
  const before = currentSession.value ?? undefined;
  const isSame = before !== undefined && sessionKey(before) === sessionKey(session);
  if (before && !isSame) {
    cache.clear();
    epoch.value += 1;
  }
  currentSession.value = session;
  setBusinessTime(session.business_time);
  setLocale(session.person.language);
  signInRequest.value?.answer(isSame);
  listen();
}

export function setLocale(chosen: Locale): void {
  locale.value = chosen;
  document.documentElement.lang = chosen;
}

export async function saveLocale(chosen: Locale): Promise<void> {
  setLocale(chosen);
  // Customers have no stored language: the choice lasts until the page is reloaded.
  if (currentSession.value && !currentSession.value.customer) await call('put', '/me', { body: { language: chosen } });
}

export async function switchAccount(resellerId: string): Promise<void> {
  enter((await call('put', '/session/account', { body: { reseller_id: resellerId } })).body);
}

/** The sign-in page of this user; for customers, that of their provider. */
const signInPath = (session: Schema<'Session'> | null | undefined) =>
  session?.customer ? `/app/at/${session.account.reseller_id}` : '/app';

/** Deletes all data in the browser. */
export async function signOut(to = signInPath(currentSession.value)): Promise<void> {
  await call('delete', '/session', {}, { isSignIn: true }).catch(() => undefined);
  stopListening();
  await deleteDrafts();
  cache.clear();
  location.assign(to);
}
