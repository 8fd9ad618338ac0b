import { owesFinalRenewal } from '../lifecycle.ts';
import type { Action, Reason, Subject } from './reason.ts';

const heldByLock: ReadonlySet<Action> = new Set([
  'update',
  'delete',
  'transfer',
  'move',
  'suspend',
  'resume',
  'withdraw_code',
]);

/** The registry has added a year that it does not take back (decision 0046). */
export const owedSentence = 'cannot leave: its registry has added a year that is not paid. Renew the domain first.';

const inBrackets = (reason: string | null): string => (reason ? ` (${reason})` : '');

/** Flags are never lifted implicitly: a domain that was locked or put on hold keeps its status until that flag is removed. */
export function flagReasons(domain: Subject, action: Action): Reason[] {
  const reasons: Reason[] = [];
  const by = { setBy: 'reseller', advice: null } as const;
  if (domain.locked && heldByLock.has(action)) {
    const why = `locked${inBrackets(domain.locked_reason)}`;
    const help = { action: 'unlock', domain: domain.id } as const;
    reasons.push({
      ...by,
      because: why,
      sentence: `is ${why}. Turn off the domain lock first.`,
      code: 'domain_blocked',
      help,
    });
  }
  if (domain.suspended && (action === 'move' || (action === 'update' && !domain.suspended_open))) {
    const why = `suspended${inBrackets(domain.suspended_reason)}`;
    const help = { action: 'resume', domain: domain.id } as const;
    const sentence = `is ${why}. Unsuspend the domain first.`;
    reasons.push({ ...by, because: why, sentence, code: 'domain_blocked', help });
  }
  if (domain.theft_protection && (action === 'transfer' || action === 'move')) {
    const help = { action: 'unprotect', domain: domain.id } as const;
    const sentence = 'is protected against transfers. Turn off theft protection first.';
    reasons.push({ ...by, because: 'theft_protection', sentence, code: 'domain_blocked', help });
  }
  if (owesFinalRenewal(domain) && (action === 'transfer' || action === 'move')) {
    reasons.push({
      setBy: 'registry',
      because: 'unpaid',
      sentence: owedSentence,
      code: 'conflict',
      help: null,
      advice: 'renew the domain',
    });
  }
  const settled = isSoAlready(domain, action);
  if (settled) reasons.push({ ...by, because: settled, sentence: `is ${settled}.`, code: 'conflict', help: null });
  return reasons;
}

/** Clients match this text. */
function isSoAlready(domain: Subject, action: Action): string | undefined {
  if (action === 'lock' && domain.locked) return 'already locked';
  if (action === 'unlock' && !domain.locked) return 'already unlocked: it is not locked';
  return undefined;
}
