import type { Operation } from '../../operations/operation.ts';
import type { Domain } from '../domain.ts';

export const blockable = ['renew', 'update', 'delete', 'transfer', 'restore'] as const;

export interface Reason {
  /** A status of the registry, a flag of ours, a state or an operation. */
  readonly because: string;
  readonly set_by: 'reseller' | 'platform' | 'registry';
  /** Null where nothing but time helps. */
  readonly fix: string | null;
}

export interface Block {
  readonly action: (typeof blockable)[number];
  readonly allowed: boolean;
  readonly reasons: readonly Reason[];
}

/** Why something cannot be done now: every reason, who set it and what removes it. */
export function blocksOf(domain: Domain, operation: Operation | undefined): Block[] {
  return blockable.map((action) => {
    const reasons = [...stateReasons(domain, action), ...flagReasons(domain, action), ...statusReasons(domain, action)];
    if (operation) {
      const cancel = operation.state === 'intended' ? `, or cancel it: POST /v1/operations/${operation.id}/cancel` : '';
      reasons.push({
        because: `operation ${operation.id} (${operation.kind})`,
        set_by: 'platform',
        fix: `wait for it${cancel}`,
      });
    }
    return { action, allowed: reasons.length === 0, reasons };
  });
}

type Action = Block['action'];

function stateReasons(domain: Domain, action: Action): Reason[] {
  const fits = action === 'restore' ? domain.state === 'redemption' : domain.state === 'live';
  if (fits) return [];
  const fixes: Record<Domain['state'], string | null> = {
    live: null,
    pending: 'wait for the registration',
    redemption: `POST /v1/domains/${domain.id}/restore`,
    pending_restore: 'wait for the restore',
    pending_delete: null,
    pending_transfer: 'wait for the transfer to end',
    removed: null,
  };
  const set_by = domain.state === 'live' || domain.state === 'redemption' ? 'reseller' : 'registry';
  return [
    {
      because: domain.state === 'live' ? 'it is not deleted' : `state ${domain.state}`,
      set_by,
      fix: fixes[domain.state],
    },
  ];
}

function flagReasons(domain: Domain, action: Action): Reason[] {
  const reasons: Reason[] = [];
  if (domain.locked && action !== 'renew' && action !== 'restore') {
    const why = domain.locked_reason ? ` (${domain.locked_reason})` : '';
    reasons.push({ because: `locked${why}`, set_by: 'reseller', fix: `DELETE /v1/domains/${domain.id}/locked` });
  }
  if (domain.suspended && action === 'update') {
    const why = domain.suspended_reason ? ` (${domain.suspended_reason})` : '';
    reasons.push({ because: `suspended${why}`, set_by: 'reseller', fix: `DELETE /v1/domains/${domain.id}/suspended` });
  }
  if (domain.theft_protection && action === 'transfer') {
    reasons.push({
      because: 'theft_protection',
      set_by: 'reseller',
      fix: `DELETE /v1/domains/${domain.id}/theft_protection`,
    });
  }
  return reasons;
}

const verbs: Partial<Record<Action, string>> = {
  renew: 'Renew',
  update: 'Update',
  delete: 'Delete',
  transfer: 'Transfer',
};

/** RFC 5731 2.3: what a prohibition blocks stands in its name. Our own are told by the flags that stand for them. */
function statusReasons(domain: Domain, action: Action): Reason[] {
  const verb = verbs[action];
  if (!verb) return [];
  const reasons: Reason[] = [];
  if (domain.registry_status.includes(`server${verb}Prohibited`)) {
    reasons.push({ because: `server${verb}Prohibited`, set_by: 'registry', fix: 'ask the registry' });
  }
  const own = `client${verb}Prohibited`;
  const isTold = domain.locked || (domain.theft_protection && action === 'transfer');
  if (domain.registry_status.includes(own) && !isTold) {
    reasons.push({ because: own, set_by: 'platform', fix: 'ask the operator: it was set without us' });
  }
  return reasons;
}
