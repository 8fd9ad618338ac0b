import type { Script, Step, Verb } from './script.ts';

/** Ways in which money and names once came apart, each as the shortest script that shows it. They are played before any seed. */

const day = 86_400;
const hour = 3_600;
const judge: Step = { do: 'judge' };
/** Longer than a time-out and the question after it. */
const wait: Step = { do: 'wait', ms: 5_000 };
const order = (verb: Verb, name = 0, years = 1): Step => ({ do: 'order', verb, name, years, via: name % 2 });
/** A command that never arrives; questions do, until they are muted too. */
const unheard = (verb: string, name = 0): Step => ({
  do: 'fault',
  fault: { kind: 'drop-before', commands: [`domain:${verb}`], name },
});
const mute = (name = 0): Step => ({ ...unheard('info', name), afterMs: 800 });
const lost = (verb: string, name = 0): Step => ({
  do: 'fault',
  fault: { kind: 'drop-after-commit', commands: [`domain:${verb}`], limit: 1, name },
});
const late = (verb: string, name = 0): Step => ({
  do: 'fault',
  fault: { kind: 'held', commands: [`domain:${verb}`], until: 'question', limit: 1, name },
});
const move = (byS: number, afterMs = 0): Step => ({ do: 'move', byS, afterMs });
const inRedemption = (names: readonly number[]): Step[] => [
  ...names.map((name) => order('register', name)),
  judge,
  move(10 * day),
  ...names.map((name) => order('delete', name)),
  judge,
];

const script = (
  seed: number,
  about: string,
  tlds: readonly string[],
  steps: readonly Step[],
): Script & { about: string } => ({
  seed,
  about,
  tlds,
  steps,
});

export const known: readonly (Script & { readonly about: string })[] = [
  script(
    901,
    'a restore is charged that never happened',
    ['com'],
    [
      ...inRedemption([0]),
      unheard('update'),
      order('restore'),
      mute(),
      { do: 'move-to', name: 0, boundary: 'redemption', offsetS: 10, afterMs: 2_500 },
    ],
  ),
  script(
    902,
    'the fence is handed out twice after the death of the database',
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
      judge,
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
      judge,
      lost('create', 1),
      order('register', 1),
      mute(1),
      move(3 * day, 2_500),
      wait,
      judge,
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
      judge,
      unheard('delete'),
      order('delete'),
      mute(),
      { do: 'move-to', name: 0, boundary: 'add', offsetS: 10, afterMs: 2_500 },
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
      judge,
      { do: 'move-to', name: 0, boundary: 'expiry', offsetS: -hour },
      unheard('renew', 0),
      unheard('renew', 1),
      order('renew', 0),
      order('renew', 1, 2),
      mute(0),
      mute(1),
      { do: 'move-to', name: 1, boundary: 'expiry', offsetS: 10, afterMs: 2_500 },
      judge,
      order('delete', 0),
      order('delete', 1),
    ],
  ),
  script(
    908,
    'a grace is counted from our settlement',
    ['com'],
    [
      order('register'),
      judge,
      move(10 * day),
      lost('renew'),
      order('renew'),
      mute(),
      move(3 * day, 2_500),
      wait,
      judge,
      order('renew'),
      judge,
      move(2 * day + 12 * hour),
      order('delete'),
    ],
  ),
  script(
    909,
    'privacy renewed with a name shortens privacy that is paid for',
    ['com'],
    [order('register'), judge, order('privacy', 0, 4), judge, { ...order('renew'), withPrivacy: true } as Step],
  ),
  script(
    910,
    'a renewal pays for years that the registry added while nobody was awake, and sends only what is missing',
    ['org', 'com', 'fr'],
    [
      order('register', 0),
      order('register', 1),
      order('register', 2),
      judge,
      { do: 'move-to', name: 2, boundary: 'expiry', offsetS: -day },
      move(3 * 365 * day),
      judge,
      unheard('renew', 1),
      order('renew', 0, 3),
      order('renew', 1, 4),
      order('renew', 2, 1),
      judge,
      order('delete', 0),
      order('delete', 1),
    ],
  ),
];
