import type { Domain } from '../domains/domain.ts';
import { whyBlocked } from '../forwarding/served.ts';
import { catchAll, type MailForward, type TargetState } from './forward.ts';
import type { MailRoute, RoutedDomainRow } from './routes.ts';

/** What is stored of one name, with what the owners of its targets said to its customer. */
export type MailDomainRow = Pick<
  Domain,
  'name' | 'state' | 'removed_reason' | 'suspended' | 'unverified' | 'unpaid'
> & {
  readonly domain_id: string;
  readonly forwards: readonly MailForward[];
  /** By address; one that is not there was not asked yet. */
  readonly targets: Readonly<Record<string, TargetState>>;
};

/** The routes that follow from it. No target gets mail before its owner said yes: it is decided here, and nowhere after. */
export function routesOf(row: MailDomainRow): RoutedDomainRow {
  const on = row.forwards.filter((forward) => forward.enabled);
  return {
    domain_id: row.domain_id,
    name: row.name,
    refused: whyBlocked(row) === undefined ? null : 'the name does not take mail at present',
    routes: on.map((forward) => [forward.local_part, routeOf(forward, row.targets)]),
  };
}

export function routeOf(forward: MailForward, states: Readonly<Record<string, TargetState>>): MailRoute {
  if (forward.action === 'refuse') return { kind: 'refused', why: 'the address takes no mail' };
  const stateOf = (address: string) => states[address] ?? 'waiting';
  const addresses = forward.targets.filter((address) => stateOf(address) === 'confirmed');
  if (addresses.length > 0) {
    const { spam } = forward;
    return forward.local_part === catchAll
      ? { kind: 'targets', addresses, spam, isCatchAll: true }
      : { kind: 'targets', addresses, spam };
  }
  if (forward.targets.some((address) => stateOf(address) === 'waiting'))
    return { kind: 'wait', why: 'nobody has confirmed yet where mail for this address goes' };
  return { kind: 'refused', why: 'there is nobody to whom mail for this address could be sent' };
}
