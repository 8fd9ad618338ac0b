import { whyBlocked } from '../forwarding/served.ts';
import type { Domain } from '../model/domain.ts';
import { catchAll, type MailForward, type TargetState } from './forward.ts';
import type { MailRoute, RoutedDomainRow } from './routes.ts';

/** The stored settings of one domain, with the consent states of its targets. */
export type MailDomainRow = Pick<
  Domain,
  'name' | 'state' | 'removed_reason' | 'suspended' | 'unverified' | 'unpaid'
> & {
  readonly domain_id: string;
  readonly forwards: readonly MailForward[];
  /** By address; a missing address has no request. */
  readonly targets: Readonly<Record<string, TargetState>>;
};

/** Computes the routes. This is the only place that checks consent before mail is forwarded. */
export function routesOf(row: MailDomainRow): RoutedDomainRow {
  const on = row.forwards.filter((forward) => forward.enabled);
  return {
    domain_id: row.domain_id,
    name: row.name,
    refused: whyBlocked(row) === undefined ? null : 'the domain does not accept mail at present',
    routes: on.map((forward) => [forward.local_part, routeOf(forward, row.targets)]),
  };
}

export function routeOf(forward: MailForward, states: Readonly<Record<string, TargetState>>): MailRoute {
  if (forward.action === 'refuse') return { kind: 'refused', why: 'the address accepts no mail' };
  const stateOf = (address: string) => states[address] ?? 'waiting';
  const addresses = forward.targets.filter((address) => stateOf(address) === 'confirmed');
  if (addresses.length > 0) {
    const { spam } = forward;
    return forward.local_part === catchAll
      ? { kind: 'targets', addresses, spam, isCatchAll: true }
      : { kind: 'targets', addresses, spam };
  }
  if (forward.targets.some((address) => stateOf(address) === 'waiting'))
    return { kind: 'wait', why: 'no target of this address has been confirmed yet' };
  return { kind: 'refused', why: 'no target of this address accepts mail' };
}
