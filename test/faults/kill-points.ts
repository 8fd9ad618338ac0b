import type { Verb } from './verb.ts';
import { verbs } from './verbs.ts';

export interface KillPoint {
  readonly verb: Verb;
  readonly failpoint: string;
}

const ofKind = [
  'before-order',
  'after-order',
  'before-send',
  'after-answer',
  'before-settle',
  'in-settle',
  'after-settle',
];
const ofStep = ['before-journal', 'after-journal', 'after-send', 'before-answered', 'after-answered'];

/** Every failpoint of every command that changes something. */
export const killPoints: readonly KillPoint[] = verbs.flatMap((verb) =>
  (
    verb.points ?? [
      ...ofKind.map((failpoint) => `${verb.kind}:${failpoint}`),
      ...ofStep.map((failpoint) => `${verb.step}:${failpoint}`),
    ]
  ).map((failpoint) => ({ verb, failpoint })),
);
