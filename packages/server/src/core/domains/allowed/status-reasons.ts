import type { Action, Reason, Subject } from './reason.ts';

/** The verbs in the registry's words for a prohibition. A move is no transfer there, but a holder who must not lose the name is one here too. */
const verbs: Partial<Record<Action, { readonly prohibited: readonly string[]; readonly participle: string }>> = {
  renew: { prohibited: ['Renew'], participle: 'renewed' },
  update: { prohibited: ['Update'], participle: 'changed' },
  delete: { prohibited: ['Delete'], participle: 'deleted' },
  transfer: { prohibited: ['Transfer'], participle: 'transferred' },
  move: { prohibited: ['Transfer', 'Update'], participle: 'moved' },
};

/** RFC 5731 2.3: what a prohibition blocks stands in its name. Our own are told by the flags that stand for them. */
export function statusReasons(domain: Subject, action: Action): Reason[] {
  const words = verbs[action];
  if (!words) return [];
  const reason = (status: string, setter: string, more: Pick<Reason, 'setBy' | 'advice'>): Reason => ({
    ...more,
    because: status,
    sentence: `cannot be ${words.participle}: ${status}, set by ${setter}.`,
    code: 'domain_blocked',
    help: null,
  });
  return words.prohibited.flatMap((verb) => {
    const reasons: Reason[] = [];
    const theirs = `server${verb}Prohibited`;
    if (domain.registry_status.includes(theirs))
      reasons.push(reason(theirs, 'the registry', { setBy: 'registry', advice: 'ask the registry' }));
    const own = `client${verb}Prohibited`;
    const isTold = domain.locked || (domain.theft_protection && verb === 'Transfer');
    if (domain.registry_status.includes(own) && !isTold)
      reasons.push(reason(own, 'us', { setBy: 'platform', advice: 'ask the operator: it was set without us' }));
    return reasons;
  });
}
