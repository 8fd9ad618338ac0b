import { knownLives, knownMoves } from './known-lifecycles.ts';
import type { Script, Step, Verb } from './script.ts';

/** Former defects of money and domains, each as the shortest script that shows it. */

const day = 86_400;
const hour = 3_600;
const check: Step = { do: 'check' };
/** Longer than a timeout and the query after it. */
const wait: Step = { do: 'wait', ms: 5_000 };
const order = (verb: Verb, name = 0, years = 1): Step => ({ do: 'order', verb, name, years, via: name % 2 });
/** A command that never arrives; queries do, until they are blocked too. */
const unheard = (verb: string, name = 0): Step => ({
  do: 'fault',
  fault: { kind: 'drop-before', commands: [`domain:${verb}`], name },
});
const struck = (verb: string, name = 0): Step => ({ do: 'until-struck', name, command: `domain:${verb}` });
/** The command has met its fault; the query that follows gets no answer. */
const mute = (verb: string, name = 0): Step[] => [struck(verb, name), unheard('info', name), struck('info', name)];
const lost = (verb: string, name = 0): Step => ({
  do: 'fault',
  fault: { kind: 'drop-after-commit', commands: [`domain:${verb}`], limit: 1, name },
});
const late = (verb: string, name = 0): Step => ({
  do: 'fault',
  fault: { kind: 'held', commands: [`domain:${verb}`], until: 'question', limit: 1, name },
});
const slow = (verb: string, name = 0, ms = 1_200): Step => ({
  do: 'fault',
  fault: { kind: 'delay', commands: [`domain:${verb}`], ms, limit: 1, name },
});
const move = (byS: number): Step => ({ do: 'move', byS });
const inRedemption = (names: readonly number[]): Step[] => [
  ...names.map((name) => order('register', name)),
  check,
  move(10 * day),
  ...names.map((name) => order('delete', name)),
  check,
];

const script = (
  seed: number,
  about: string,
  tlds: readonly string[],
  steps: readonly Step[],
  buyers?: readonly number[],
): Script & { about: string } => ({ seed, about, tlds, steps, ...(buyers ? { buyers } : {}) });

/** Scripts that take seconds. */
export const quick: readonly (Script & { readonly about: string })[] = [
  script(
    901,
    'a restore is charged that never happened',
    ['com'],
    [
      ...inRedemption([0]),
      unheard('update'),
      order('restore'),
      ...mute('update'),
      { do: 'move-to', name: 0, boundary: 'redemption', offsetS: 10 },
    ],
  ),
  script(
    902,
    'the fence is issued twice after the death of the database',
    ['com', 'com', 'com', 'com'],
    [
      ...inRedemption([0, 1, 2, 3]),
      ...[0, 1, 2, 3].map((name) => lost('update', name)),
      ...[0, 1, 2, 3].map((name) => order('restore', name)),
      { do: 'kill-database', afterMs: 700 },
    ],
  ),
  script(
    903,
    'a restore and a delete arrive late',
    ['com', 'com'],
    [
      ...inRedemption([0]),
      order('register', 1),
      check,
      move(10 * day),
      late('update', 0),
      late('delete', 1),
      order('restore', 0),
      order('delete', 1),
      wait,
    ],
  ),
  script(
    904,
    "our own create is called another registrar's",
    ['com', 'com', 'com'],
    [
      { do: 'fault', fault: { kind: 'midnight-dates', commands: ['domain'], name: 0 } },
      lost('create', 0),
      order('register', 0),
      check,
      lost('create', 1),
      order('register', 1),
      ...mute('create', 1),
      move(3 * day),
      check,
      { do: 'jump', service: 0, byS: 2 * hour },
      lost('create', 2),
      order('register', 2),
    ],
  ),
  script(
    905,
    "a delete's refund plan outlives the delete",
    ['com'],
    [
      order('register'),
      check,
      unheard('delete'),
      order('delete'),
      ...mute('delete'),
      { do: 'move-to', name: 0, boundary: 'add', offsetS: 10 },
    ],
  ),
  script(
    906,
    'a lease of an idempotency key is taken over from a process that sleeps',
    [],
    [
      { do: 'fund', count: 6, debit: false, pauseAfterMs: 10, jumpS: 200 },
      { do: 'fund', count: 6, debit: true, pauseAfterMs: 25, jumpS: 200 },
      { do: 'fund', count: 6, debit: false, pauseAfterMs: 45, jumpS: 200 },
    ],
  ),
  script(
    907,
    "a renewal planned before the registry's own",
    ['com', 'com'],
    [
      order('register', 0),
      order('register', 1),
      check,
      { do: 'move-to', name: 0, boundary: 'expiry', offsetS: -hour },
      unheard('renew', 0),
      unheard('renew', 1),
      order('renew', 0),
      order('renew', 1, 2),
      struck('renew', 0),
      unheard('info', 0),
      ...mute('renew', 1),
      struck('info', 0),
      { do: 'move-to', name: 1, boundary: 'expiry', offsetS: 10 },
      check,
      order('delete', 0),
      order('delete', 1),
    ],
  ),
  script(
    908,
    'a grace period is counted from our settlement',
    ['com'],
    [
      order('register'),
      check,
      move(10 * day),
      lost('renew'),
      order('renew'),
      ...mute('renew'),
      move(3 * day),
      check,
      order('renew'),
      check,
      move(2 * day + 12 * hour),
      order('delete'),
    ],
  ),
  script(
    909,
    'privacy renewed with a name shortens privacy that is paid for',
    ['com'],
    [order('register'), check, order('privacy', 0, 4), check, { ...order('renew'), withPrivacy: true } as Step],
  ),
  script(
    910,
    'a renewal pays for years that the registry added while no process ran, and sends only the missing ones',
    ['org', 'com', 'fr'],
    [
      order('register', 0),
      order('register', 1),
      order('register', 2),
      check,
      { do: 'move-to', name: 2, boundary: 'expiry', offsetS: -day },
      move(3 * 365 * day),
      check,
      unheard('renew', 1),
      order('renew', 0, 3),
      order('renew', 1, 4),
      order('renew', 2, 1),
      check,
      order('delete', 0),
      order('delete', 1),
    ],
  ),
  script(
    911,
    'premium names: bought and renewed at their own price, with a guard to the cent, on three levels',
    ['gem-*.shop', 'gem-*.shop', 'gem-*.shop', 'shop'],
    [
      ...[0, 1, 2, 3].map((name) => order('register', name, 2)),
      check,
      { ...order('renew', 0), isGuardShort: true } as Step,
      lost('renew', 1),
      ...[1, 2, 3].map((name) => order('renew', name)),
      check,
      move(10 * day),
      ...[0, 1, 2, 3].map((name) => order('delete', name)),
      check,
      lost('update', 2),
      ...[0, 2, 3].map((name) => order('restore', name)),
    ],
    [0, 1, 2, 2],
  ),
  script(
    912,
    'a review that is refused, approved, or ends without a decision; with and without a poll message',
    ['co.id', 'my.id', 'co.id', 'my.id'],
    [
      lost('create', 1),
      ...[0, 1, 2, 3].map((name) => order('register', name)),
      { do: 'review', name: 0, decision: 'refuse', afterMs: 1_500 },
      { do: 'review', name: 1, decision: 'refuse' },
      { do: 'review', name: 2, decision: 'approve' },
      { do: 'move-to', name: 3, boundary: 'phase', offsetS: 1 },
      check,
      order('register', 0),
      order('renew', 2),
      { do: 'move-to', name: 3, boundary: 'expiry', offsetS: -1 },
      order('renew', 3),
    ],
    [0, 1, 2, 0],
  ),
  script(
    913,
    'a restore with a report that is late, beside one that needs none',
    ['com', 'fr', 'com', 'fr'],
    [
      ...inRedemption([0, 1, 2, 3]),
      lost('update', 0),
      late('update', 1),
      ...[0, 1, 2, 3].map((name) => order('restore', name)),
      { ...unheard('update', 2), afterMs: 100 } as Step,
      wait,
    ],
    [0, 0, 2, 2],
  ),
  script(
    914,
    'three levels: each holds its own price, and each gets it back when the registry refuses',
    ['com', 'org', 'fr', 'co.id'],
    [
      ...[0, 1, 2, 3].map((name) => unheard('create', name)),
      ...[0, 1, 2, 3].map((name) => order('register', name, 3)),
      { do: 'holds' },
      { do: 'calm' },
      { do: 'review', name: 3, decision: 'refuse', afterMs: 8_000 },
      check,
      ...[0, 1, 2].map((name) => lost('renew', name)),
      ...[0, 1, 2].map((name) => order('renew', name)),
      { do: 'holds' },
      check,
      ...[0, 1, 2].map((name) => order('delete', name)),
    ],
    [2, 1, 2, 2],
  ),
  script(
    915,
    'deletes in the seconds around the end of a grace period',
    ['com', 'com', 'org', 'fr'],
    [
      ...[0, 1, 2, 3].map((name) => order('register', name)),
      check,
      { do: 'move-to', name: 0, boundary: 'add', offsetS: -1 },
      order('delete', 0),
      order('delete', 1),
      check,
      { do: 'move-to', name: 2, boundary: 'expiry', offsetS: -1 },
      order('renew', 2),
      order('renew', 3),
      check,
      { do: 'move-to', name: 2, boundary: 'renew', offsetS: -1 },
      order('delete', 2),
      order('delete', 3),
    ],
    [0, 2, 1, 2],
  ),
  script(
    916,
    'privacy is refunded with the registration or the renewal that it was bought with, and only then',
    ['com', 'com', 'fr', 'com'],
    [
      { ...order('register', 0), withPrivacy: true } as Step,
      order('register', 1),
      order('register', 2, 2),
      order('register', 3),
      check,
      order('privacy', 1),
      check,
      order('delete', 0),
      order('delete', 1),
      order('privacy', 2, 2),
      order('privacy', 3),
      check,
      move(10 * day),
      ...[2, 3].map((name) => ({ ...order('renew', name, 2), withPrivacy: true }) as Step),
      check,
      order('delete', 2),
      order('delete', 3),
    ],
    [0, 1, 2, 0],
  ),
  script(
    917,
    'the database dies when the registry has just acted',
    ['com'],
    [...inRedemption([0]), slow('update', 0), order('restore', 0), { do: 'kill-database-at-act', name: 0 }],
  ),
  script(
    919,
    'the no of a review is about an earlier create, and what the registry shows is older than the later one',
    ['co.id'],
    [
      { do: 'fault', fault: { kind: 'lagging-info', ms: 4_000, name: 0 } },
      lost('create'),
      order('register'),
      struck('create'),
      { do: 'review', name: 0, decision: 'refuse' },
      wait,
    ],
  ),
  script(
    920,
    'a query about a registration under review gets no answer, and then the review refuses it',
    ['co.id'],
    [
      lost('create'),
      order('register'),
      struck('create'),
      wait,
      unheard('info'),
      struck('info'),
      { do: 'review', name: 0, decision: 'refuse' },
      wait,
    ],
  ),
  ...knownMoves,
];

const forgotten: Script & { readonly about: string } = {
  ...script(
    918,
    'the database loses the claim of an order; the next process claims it and sends, and then the first continues',
    ['com', 'com'],
    [
      ...inRedemption([0, 1]),
      // Twice: if something else was flushed at the same time, the claim was not lost.
      ...[0, 1].flatMap((name): Step[] => [
        slow('info', name, 7_000),
        lost('update', name),
        order('restore', name),
        { do: 'kill-database-at-claim', name },
        { do: 'wait', ms: 10_000 },
        check,
      ]),
    ],
  ),
  isPatient: true,
};

/** The one with long waits last: it needs an installation of its own. */
export const known: readonly (Script & { readonly about: string })[] = [...quick, ...knownLives, forgotten];
