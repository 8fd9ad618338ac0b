import type { Action, Reason, Subject } from './reason.ts';

/** The verb in the registry's word for a prohibition. */
const verbs: Partial<Record<Action, readonly [verb: string, participle: string]>> = {
  renew: ['Renew', 'renewed'],
  update: ['Update', 'changed'],
  delete: ['Delete', 'deleted'],
  transfer: ['Transfer', 'transferred'],
};

/** RFC 5731 2.3: what a prohibition blocks stands in its name. Our own are told by the flags that stand for them. */
export function statusReasons(domain: Subject, action: Action): Reason[] {
  const words = verbs[action];
  if (!words) return [];
  const [verb, participle] = words;
  const reason = (status: string, setter: string, more: Pick<Reason, 'setBy' | 'advice'>): Reason => ({
    ...more,
    because: status,
    sentence: `cannot be ${participle}: ${status}, set by ${setter}`,
    code: 'domain_blocked',
    help: null,
  });
  const reasons: Reason[] = [];
  const theirs = `server${verb}Prohibited`;
  if (domain.registry_status.includes(theirs))
    reasons.push(reason(theirs, 'the registry', { setBy: 'registry', advice: 'ask the registry' }));
  const own = `client${verb}Prohibited`;
  const isTold = domain.locked || (domain.theft_protection && action === 'transfer');
  if (domain.registry_status.includes(own) && !isTold)
    reasons.push(reason(own, 'us', { setBy: 'platform', advice: 'ask the operator: it was set without us' }));
  return reasons;
}
