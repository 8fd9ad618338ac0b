import type { Ending, Script, Step, Verb } from './script.ts';

/** Domains that are registered, removed, moved and renewed automatically: the plain case of each, before seeds add faults. */

const day = 86_400;
const check: Step = { do: 'check' };
const order = (verb: Verb, name: number, years = 1): Step => ({ do: 'order', verb, name, years, via: name % 2 });
const otherRegistrar = (act: 'register' | 'approve' | 'reject', name: number): Step => ({
  do: 'other-registrar',
  name,
  act,
});
const offer = (name: number, to: number, ending: Ending, contacts: 'oldcontact' | 'default' = 'oldcontact'): Step => ({
  do: 'offer',
  name,
  to,
  contacts,
  ending,
});

const byThemselves: Script & { about: string } = {
  seed: 921,
  about:
    'renewed by mode on three levels, with a limit to the cent, once, expired at the end; found late after two terms',
  tlds: ['com', 'fr', 'co.id', 'com', 'gem-*.shop', 'org', 'com'],
  buyers: [0, 1, 2, 2, 1, 0, 0],
  steps: [
    { do: 'default-mode', level: 1, of: 'account', mode: 'renew' },
    { do: 'default-mode', level: 2, of: 'customer', mode: 'renew_once' },
    ...[0, 1, 2, 4, 5, 6].map((name) => order('register', name)),
    { ...order('register', 3), withPrivacy: true } as Step,
    check,
    { do: 'mode', name: 0, mode: 'renew', limit: 'short', via: 0 },
    { do: 'mode', name: 5, mode: 'delete', via: 1 },
    { do: 'mode', name: 6, mode: 'renew', via: 1 },
    { do: 'move-to', name: 0, boundary: 'renewalDue', offsetS: 10 },
    check,
    { do: 'mode', name: 0, mode: 'renew', limit: 'exact', via: 0 },
    { do: 'move-to', name: 5, boundary: 'expiry', offsetS: 10 },
    check,
    order('delete', 2),
    check,
    // Two ends of a term, and the last days of the grace period.
    { do: 'move', byS: (730 + 42) * day },
  ],
};

const comingAndGoing: Script & { about: string } = {
  seed: 922,
  about:
    'transfers in: approved, rejected, without response, wrong code, cancelled and deleted; away: approved, rejected and without response',
  tlds: ['com', 'fr', 'co.id', 'org', 'com', 'app', 'com', 'com', 'com', 'com'],
  buyers: [0, 1, 2, 2, 1, 0, 2, 0, 1, 0],
  steps: [
    ...[0, 1, 2, 3, 4, 5, 9].map((name) => otherRegistrar('register', name)),
    { do: 'move', byS: 61 * day },
    ...[6, 7, 8].map((name) => order('register', name)),
    ...[0, 1, 2, 5].map((name) => order('transfer', name)),
    { ...order('transfer', 3), isCodeWrong: true, remedy: 'code' } as Step,
    { ...order('transfer', 4), isCodeWrong: true, remedy: 'cancel' } as Step,
    { ...order('transfer', 9), isCodeWrong: true, remedy: 'expire' } as Step,
    { do: 'holds' },
    otherRegistrar('approve', 0),
    otherRegistrar('reject', 1),
    { do: 'cancel-transfer', name: 5 },
    { do: 'move-to', name: 2, boundary: 'transfer', offsetS: 1 },
    check,
    order('delete', 3),
    ...[6, 7, 8].map((name): Step => ({ do: 'ask-away', name })),
    check,
    order('approve', 6),
    order('reject', 7),
    { do: 'move-to', name: 8, boundary: 'transfer', offsetS: 5 },
    check,
    order('transfer', 6),
  ],
};

const declinedOffers: Script & { about: string } = {
  seed: 923,
  about: 'offers: accepted, declined, withdrawn and expired; a delete in a grace period refunds the reseller that paid',
  tlds: ['com', 'fr', 'co.id', 'org', 'com', 'app', 'com'],
  buyers: [0, 1, 2, 2, 1, 0, 2],
  steps: [
    { do: 'default-mode', level: 2, of: 'account', mode: 'renew' },
    ...[0, 1, 2, 3, 4, 5].map((name) => order('register', name)),
    { ...order('register', 6), withPrivacy: true } as Step,
    check,
    offer(0, 2, 'accept'),
    offer(1, 0, 'accept', 'default'),
    offer(2, 1, 'decline'),
    offer(3, 0, 'withdraw'),
    offer(4, 2, 'accept'),
    offer(6, 0, 'accept'),
    { do: 'answer-offer', name: 0 },
    { do: 'answer-offer', name: 1 },
    order('hand-over', 5),
    check,
    order('renew', 0, 2),
    order('renew', 1),
    check,
    ...[0, 1, 6].map((name) => order('delete', name)),
    offer(5, 1, 'expire', 'default'),
    check,
    { do: 'move-to', name: 4, boundary: 'renewalDue', offsetS: 5 },
  ],
};

export const knownLives: readonly (Script & { readonly about: string })[] = [
  byThemselves,
  comingAndGoing,
  declinedOffers,
];

/** Only moves, and short. */
export const knownMoves: readonly (Script & { readonly about: string })[] = [
  {
    seed: 924,
    about: 'a mode chosen by the giving reseller during a move is not kept, and one chosen by the new reseller is',
    tlds: ['fr', 'com'],
    buyers: [0, 1],
    steps: [
      order('register', 0),
      order('register', 1),
      check,
      offer(0, 2, 'accept'),
      offer(1, 0, 'accept'),
      { do: 'answer-offer', name: 0 },
      { do: 'answer-offer', name: 1 },
      { do: 'mode', name: 0, mode: 'renew_once', via: 0 },
      { do: 'mode', name: 1, mode: 'renew', via: 1 },
      check,
      { do: 'mode', name: 0, mode: 'renew', via: 0 },
      check,
      { do: 'move-to', name: 0, boundary: 'renewalDue', offsetS: 10 },
    ],
  },
  {
    seed: 925,
    about: 'the clock moves past the end of an offer by more than a year and is not moved back',
    tlds: ['com', 'com'],
    steps: [
      order('register', 0, 3),
      order('register', 1, 3),
      check,
      offer(0, 1, 'expire'),
      { do: 'move', byS: 400 * day },
      order('renew', 1),
    ],
  },
];
