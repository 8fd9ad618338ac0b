import { allTenants } from '@namehold/postgres';
import { handlesOfRemote } from '../../core/domains/registry/registry-contact.sql.ts';
import type { Registry, RegistryDomain, Reply } from '../../core/ports/registry.ts';
import { otherSponsorsDomain } from '../other-sponsors-domain.ts';
import { availabilityOf, heldByUs } from './availability.ts';
import type { Detail } from './dialect.ts';
import { phaseStates, phases, statusesOf } from './statuses.ts';
import { clientOf, fetchDetail, type Upstream } from './upstream.ts';

export function queries(u: Upstream): Pick<Registry, 'check' | 'info' | 'infoWithCode' | 'orderHistory'> {
  const check = availabilityOf(u);
  const info: Registry['info'] = async (name) => {
    const fetched = await fetchDetail(u, name);
    if (fetched.kind !== 'done') return fetched;
    const detail = fetched.data;
    // Neither deleted nor available again: the end there is the end here.
    if (detail?.status === 'redemption' && detail.underway === 'restore')
      return { kind: 'unsent', why: `a restore of ${name} is in progress at the upstream` };
    if (detail && detail.status !== 'absent' && detail.status !== 'transferred_out')
      return { ...fetched, data: await viewOf(u, detail) };
    return absent(name, check, detail?.status === 'transferred_out');
  };
  // Only the transfer order itself shows whether an auth code is right.
  return { check, info, infoWithCode: (name) => info(name), ...orderHistory(u) };
}

function orderHistory(u: Upstream): Pick<Registry, 'orderHistory'> {
  const { findOrders } = u.dialect;
  if (!findOrders) return {};
  const { visibleAfterMs, renewGuard } = findOrders;
  const find = (name: string, since: Date) => findOrders.find(clientOf(u), name, since);
  return { orderHistory: { visibleAfterMs, renewGuard, find } };
}

/** Not in our account. An availability check shows whether it is free. */
async function absent(name: string, check: Registry['check'], hasLeft: boolean): Promise<Reply<RegistryDomain | null>> {
  const done = (data: RegistryDomain | null) => ({ kind: 'done', data, pending: false, evidence: {} }) as const;
  if (hasLeft) return done(otherSponsorsDomain(name));
  const checked = await check([name]);
  if (checked.kind !== 'done') return checked;
  const [found] = checked.data;
  if (!found) return { kind: 'unsent', why: `the upstream returned nothing about ${name}` };
  if (found.available) return done(null);
  // Reported as ours but not returned: its data is outdated.
  if (found.reason === heldByUs)
    return { kind: 'unsent', why: `the upstream reports ${name} as ours and does not return it` };
  return done(otherSponsorsDomain(name));
}

async function viewOf(u: Upstream, detail: Detail): Promise<RegistryDomain> {
  const { contacts, status } = detail;
  const ids = Object.values(contacts).filter((id) => id !== undefined);
  const handles = await handlesOfRemote(u.ctx.db.as(allTenants), u.id, ids, detail.name);
  // A contact without a handle of ours is returned with its own id, because another party set it.
  const handle = (id: string | undefined, role: string) => {
    const known = id === undefined ? undefined : handles.get(id);
    return (known?.find(({ roles: held }) => held.includes(role)) ?? known?.[0])?.handle ?? id;
  };
  const roles = (['admin', 'tech', 'billing'] as const).flatMap((role) => {
    const known = handle(contacts[role], role);
    return known === undefined ? [] : [[role, known] as const];
  });
  const isOurs = status !== 'pending_transfer_in';
  const graces = detail.rgpStatuses.filter((word) => word !== 'autoRenewPeriod' && !phaseStates.test(word));
  return {
    name: detail.name,
    sponsor: isOurs ? u.clientId : null,
    isOurs,
    createdAt: detail.createdAt,
    updatedAt: detail.updatedAt,
    expiresAt: detail.expiresAt,
    transferredAt: null,
    statuses: statusesOf(detail),
    rgpStatuses: [...graces, ...(phases[status]?.rgp ?? [])],
    ...(detail.renewBy ? { renewBy: detail.renewBy } : {}),
    ...(detail.autoRenew === undefined ? {} : { autoRenew: detail.autoRenew }),
    ...(detail.isPrivate === undefined ? {} : { isPrivate: detail.isPrivate }),
    ...(detail.confirmation ? { confirmation: detail.confirmation } : {}),
    registrant: handle(contacts.registrant, 'registrant') ?? null,
    contacts: Object.fromEntries(roles),
    nameservers: detail.nameservers,
    hosts: [...new Set(detail.hosts.map(({ hostname }) => hostname))],
    ds: detail.ds,
  };
}
