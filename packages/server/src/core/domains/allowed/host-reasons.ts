import type { HostUser } from '../life.sql.ts';
import type { Action, Reason, Subject } from './reason.ts';

/** Nameservers below the domain are deleted with it, so domains that use them would stop resolving. */
export function hostReasons(domain: Subject, action: Action, users: readonly HostUser[]): Reason[] {
  if (action !== 'delete' || users.length === 0) return [];
  const own = users.filter((user) => user.reseller_id === domain.reseller_id).map((user) => user.name);
  const nameservers = [...new Set(users.map((user) => user.hostname))];
  const who = own.length > 0 ? own.join(', ') : 'domains of other accounts';
  const because = `its nameserver ${nameservers.join(', ')} is used by ${who}`;
  return [
    {
      because,
      setBy: own.length > 0 ? 'reseller' : 'platform',
      sentence: `cannot be deleted: ${because}.`,
      code: 'in_use',
      facts: { nameservers },
      help: null,
      advice: own.length > 0 ? 'give those domains other nameservers first' : null,
    },
  ];
}
