import type { Action, Reason, Subject } from './reason.ts';

/**
 * The action as it appears in the registry's prohibition statuses. A registry does not know a move, but a transfer prohibition must also
 * prevent a change of customer.
 */
const verbs: Partial<Record<Action, { readonly prohibited: readonly string[]; readonly participle: string }>> = {
  renew: { prohibited: ['Renew'], participle: 'renewed' },
  update: { prohibited: ['Update'], participle: 'changed' },
  delete: { prohibited: ['Delete'], participle: 'deleted' },
  transfer: { prohibited: ['Transfer'], participle: 'transferred' },
  move: { prohibited: ['Transfer', 'Update'], participle: 'moved' },
};

/** RFC 5731 2.3: the name of a prohibition status contains what it blocks. Statuses that we set are covered by the flags. */
export function statusReasons(domain: Subject, action: Action): Reason[] {
  const verb = verbs[action];
  if (!verb) return [];
  const reason = (status: string, setter: string, more: Pick<Reason, 'setBy' | 'advice'>): Reason => ({
    ...more,
    because: status,
    sentence: `cannot be ${verb.participle}: ${status}, set by ${setter}.`,
    code: 'domain_blocked',
    help: null,
  });
  return verb.prohibited.flatMap((verb) => {
    const reasons: Reason[] = [];
    const theirs = `server${verb}Prohibited`;
    if (domain.registry_status.includes(theirs))
      reasons.push(reason(theirs, 'the registry', { setBy: 'registry', advice: 'contact the registry' }));
    const own = `client${verb}Prohibited`;
    const isExplained = domain.locked || (domain.theft_protection && verb === 'Transfer');
    if (domain.registry_status.includes(own) && !isExplained)
      reasons.push(
        reason(own, 'us', { setBy: 'platform', advice: 'contact your provider: it was not set by this service' }),
      );
    return reasons;
  });
}
