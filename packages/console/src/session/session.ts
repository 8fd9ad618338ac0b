import { signal } from '@preact/signals';
import { call, hooks } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { now, tellBusinessTime } from '../data/clock.ts';
import { forgetDrafts } from '../data/kept.ts';
import { cache, lostAt } from '../data/resource.ts';
import { listen, stopListening } from '../data/stream.ts';
import { type Language, language } from '../words/speak.ts';
import { readBrand } from './brand.ts';
import { who } from './who.ts';

/** Grows when somebody else, or another account, is at work: nothing of the page before stays. */
export const epoch = signal(0);

/** Why it is not known who is signed in: the service could not be asked. */
export const sessionTrouble = signal<Trouble | undefined>(undefined);

interface Asked {
  readonly before: Shape<'Session'>;
  readonly answer: (isSame: boolean) => void;
}

/** The session ended while a page is open: somebody signs in over it. */
export const askedAgain = signal<Asked | undefined>(undefined);
let asking: Promise<boolean> | undefined;

/** Another tab changed the secret of the session while a request was under way: the cookie of now is good. */
const isStillSignedIn = (before: Shape<'Session'>): Promise<boolean> =>
  call('get', '/session', {}, { isSignIn: true }).then(
    ({ body }) => placeOf(body) === placeOf(before),
    () => false,
  );

hooks.signedOut = async () => {
  const before = who.value;
  if (!before) return false;
  if (asking === undefined && (await isStillSignedIn(before))) return true;
  asking ??= new Promise<boolean>((answer) => {
    askedAgain.value = { before, answer };
  }).finally(() => {
    asking = undefined;
    askedAgain.value = undefined;
  });
  return asking;
};

interface ProofAsked {
  readonly methods: readonly ('passkey' | 'totp' | 'recovery_code' | 'password')[];
  readonly answer: (isProven: boolean) => void;
}

/** Something that matters was refused until the person has proven to be there. */
export const proofAsked = signal<ProofAsked | undefined>(undefined);
let proving: Promise<boolean> | undefined;

hooks.proofWanted = ({ facts }) => {
  const methods = (facts.methods ?? ['password']) as ProofAsked['methods'];
  proving ??= new Promise<boolean>((answer) => {
    proofAsked.value = { methods, answer };
  }).finally(() => {
    proving = undefined;
    proofAsked.value = undefined;
  });
  return proving;
};

hooks.reached = (isReached) => {
  if (isReached === (lostAt.value === undefined)) return;
  lostAt.value = isReached ? undefined : now();
};

export async function loadSession(): Promise<void> {
  sessionTrouble.value = undefined;
  try {
    enter((await call('get', '/session', {}, { isSignIn: true })).body);
  } catch (error) {
    const trouble = asTrouble(error);
    if (trouble.status !== 401) sessionTrouble.value = trouble;
    else {
      // Who is let in by which form depends on whose host it is.
      await readBrand();
      who.value = null;
    }
  }
}

const placeOf = (session: Shape<'Session'>) => `${session.person.person_id}/${session.account.reseller_id}`;

/** Somebody signed in, for the first time or over a page. */
export function enter(session: Shape<'Session'>): void {
  const before = who.value ?? undefined;
  const isSame = before !== undefined && placeOf(before) === placeOf(session);
  if (before && !isSame) {
    cache.clear();
    epoch.value += 1;
  }
  who.value = session;
  tellBusinessTime(session.business_time);
  setLanguage(session.person.language);
  askedAgain.value?.answer(isSame);
  listen();
}

export function setLanguage(chosen: Language): void {
  language.value = chosen;
  document.documentElement.lang = chosen;
}

export async function saveLanguage(chosen: Language): Promise<void> {
  setLanguage(chosen);
  // A customer has no place for it yet: the choice holds until the page is loaded anew.
  if (who.value && !who.value.customer) await call('put', '/me', { body: { language: chosen } });
}

export async function switchAccount(resellerId: string): Promise<void> {
  enter((await call('put', '/session/account', { body: { reseller_id: resellerId } })).body);
}

/** Where somebody like this signs in: a customer at its reseller's. */
const entranceOf = (session: Shape<'Session'> | null | undefined) =>
  session?.customer ? `/app/at/${session.account.reseller_id}` : '/app';

/** Nothing stays behind in the browser. */
export async function signOut(to = entranceOf(who.value)): Promise<void> {
  await call('delete', '/session', {}, { isSignIn: true }).catch(() => undefined);
  stopListening();
  await forgetDrafts();
  cache.clear();
  location.assign(to);
}
