import type { Ending, Script, Step } from '../script.ts';

/** Step kinds besides plain orders; the fresh scripts of a long run have each of them. */
const allKinds = [
  'mode renew',
  'mode renew_once',
  'mode delete',
  'mode manual',
  'price limit of a renewal',
  'default of an account',
  'default of a customer',
  'renewal date reached',
  'transfer in',
  'transfer in with a wrong code',
  'another code',
  'transfer in cancelled',
  'transfer in approved',
  'transfer in rejected',
  'transfer date reached',
  'requested by the other registrar',
  'transfer away approved',
  'transfer away rejected',
  'to another customer',
  'offer accepted',
  'offer declined',
  'offer withdrawn',
  'offer expired',
  'offer answered during faults',
  'registrant with its own address',
  'address confirmed',
  'confirmation date reached',
] as const;
type Kind = (typeof allKinds)[number];

const endings: Readonly<Record<Ending, Kind>> = {
  accept: 'offer accepted',
  decline: 'offer declined',
  withdraw: 'offer withdrawn',
  expire: 'offer expired',
};

function kindsOfStep(step: Step): Kind[] {
  switch (step.do) {
    case 'mode':
      return [`mode ${step.mode}`, ...(step.limit === undefined ? [] : (['price limit of a renewal'] as const))];
    case 'default-mode':
      return [step.of === 'account' ? 'default of an account' : 'default of a customer'];
    case 'move-to':
      if (step.boundary === 'verifyBy') return ['confirmation date reached'];
      if (step.boundary === 'transfer') return ['transfer date reached'];
      return step.boundary === 'renewalDue' ? ['renewal date reached'] : [];
    case 'order':
      if (step.verb === 'hand-over') return ['to another customer'];
      if (step.verb === 'approve') return ['transfer away approved'];
      if (step.verb === 'reject') return ['transfer away rejected'];
      if (step.verb !== 'transfer') return [];
      return step.isCodeWrong ? ['transfer in', 'transfer in with a wrong code'] : ['transfer in'];
    case 'offer':
      return [endings[step.ending]];
    case 'answer-offer':
      return ['offer answered during faults'];
    case 'registrant':
      return ['registrant with its own address'];
    case 'confirm':
      return ['address confirmed'];
    case 'ask-away':
      return ['requested by the other registrar'];
    case 'new-code':
      return ['another code'];
    case 'cancel-transfer':
      return ['transfer in cancelled'];
    case 'other-registrar':
      if (step.act === 'approve') return ['transfer in approved'];
      return step.act === 'reject' ? ['transfer in rejected'] : [];
    default:
      return [];
  }
}

/** The number of steps of each kind. */
export function countKinds(scripts: readonly Script[]): ReadonlyMap<Kind, number> {
  const counts = new Map<Kind, number>(allKinds.map((kind) => [kind, 0]));
  for (const step of scripts.flatMap(({ steps }) => steps))
    for (const kind of kindsOfStep(step)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

export const missingKinds = (scripts: readonly Script[]): Kind[] =>
  [...countKinds(scripts)].filter(([, times]) => times === 0).map(([kind]) => kind);
