import type { Ending, Script, Step } from '../script.ts';

/** What a script tries beside plain orders; the fresh ones of a long run have each of them. */
export const allKinds = [
  'mode renew',
  'mode renew_once',
  'mode delete',
  'mode manual',
  'highest price of a renewal',
  'default of an account',
  'default of a customer',
  'the day of a renewal',
  'transfer in',
  'transfer in with a wrong code',
  'another code',
  'transfer in cancelled',
  'transfer in approved',
  'transfer in rejected',
  'the day of a transfer',
  'asked for by the rival',
  'transfer away approved',
  'transfer away rejected',
  'to another customer',
  'offer accepted',
  'offer declined',
  'offer taken back',
  'offer lapsed',
  'offer answered in trouble',
  'holder with an address of its own',
  'address confirmed',
  'the day of a confirmation',
] as const;
export type Kind = (typeof allKinds)[number];

const endings: Readonly<Record<Ending, Kind>> = {
  accept: 'offer accepted',
  decline: 'offer declined',
  'take-back': 'offer taken back',
  lapse: 'offer lapsed',
};

function kindsOfStep(step: Step): Kind[] {
  switch (step.do) {
    case 'mode':
      return [`mode ${step.mode}`, ...(step.limit === undefined ? [] : (['highest price of a renewal'] as const))];
    case 'default-mode':
      return [step.of === 'account' ? 'default of an account' : 'default of a customer'];
    case 'move-to':
      if (step.boundary === 'verifyBy') return ['the day of a confirmation'];
      if (step.boundary === 'transfer') return ['the day of a transfer'];
      return step.boundary === 'renewalDue' ? ['the day of a renewal'] : [];
    case 'order':
      if (step.verb === 'hand-over') return ['to another customer'];
      if (step.verb === 'approve') return ['transfer away approved'];
      if (step.verb === 'reject') return ['transfer away rejected'];
      if (step.verb !== 'transfer') return [];
      return step.isCodeWrong ? ['transfer in', 'transfer in with a wrong code'] : ['transfer in'];
    case 'offer':
      return [endings[step.ending]];
    case 'answer-offer':
      return ['offer answered in trouble'];
    case 'holder':
      return ['holder with an address of its own'];
    case 'confirm':
      return ['address confirmed'];
    case 'ask-away':
      return ['asked for by the rival'];
    case 'new-code':
      return ['another code'];
    case 'cancel-transfer':
      return ['transfer in cancelled'];
    case 'rival':
      if (step.act === 'approve') return ['transfer in approved'];
      return step.act === 'reject' ? ['transfer in rejected'] : [];
    default:
      return [];
  }
}

/** How often each occurs. */
export function countKinds(scripts: readonly Script[]): ReadonlyMap<Kind, number> {
  const counts = new Map<Kind, number>(allKinds.map((kind) => [kind, 0]));
  for (const step of scripts.flatMap(({ steps }) => steps))
    for (const kind of kindsOfStep(step)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

export const missingKinds = (scripts: readonly Script[]): Kind[] =>
  [...countKinds(scripts)].filter(([, times]) => times === 0).map(([kind]) => kind);
