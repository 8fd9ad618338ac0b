import type { UpdateRequest } from '../../model/domain-change.ts';
import type { GuardedKind } from '../../model/guarded-kind.ts';
import type { ChildHostRequest } from '../../model/operation-kinds.ts';

export type ChangeRequest = UpdateRequest | ChildHostRequest;

export function guardedKindOf(request: ChangeRequest): GuardedKind | undefined {
  switch (request.change) {
    case 'nameservers':
    case 'child_host':
      return 'nameservers';
    case 'dnssec':
      return 'ds';
    case 'auth_code':
      return request.wanted.authCode === 'set' ? 'auth_code' : undefined;
    case 'theft_protection':
    case 'locked':
      return request.wanted.flags?.[request.change] === false ? 'unlock' : undefined;
    default:
      return undefined;
  }
}

/** The wanted state as text for an event and for the approver. It never contains an auth code. */
export function wantedOf(request: ChangeRequest): Record<string, unknown> {
  switch (request.change) {
    case 'child_host':
      return { hostname: request.hostname, addresses: request.addresses, was_called: request.from };
    case 'nameservers':
      return { nameservers: request.wanted.nameservers };
    case 'dnssec':
      return { add_ds: request.wanted.addDs ?? [], remove_ds: request.wanted.removeDs ?? [] };
    default:
      return { ...request.wanted.flags };
  }
}
