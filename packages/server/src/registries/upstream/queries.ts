import { dayMs } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { handlesOfRemote } from '../../core/domains/registry/registry-contact.sql.ts';
import { orderLeftAt } from '../../core/operations/journal.sql.ts';
import type { Registry, RegistryDomain, Reply } from '../../core/ports/registry.ts';
import { otherSponsorsDomain } from '../other-sponsors-domain.ts';
import { availabilityOf } from './availability.ts';
import type { Detail } from './detail.ts';
import { textOf } from './fields.ts';
import { isBefore, isVoid, postingsOf } from './postings.ts';
import { fetchDetail, type Upstream } from './upstream.ts';

export function queries(u: Upstream): Pick<Registry, 'check' | 'info' | 'infoWithCode'> {
  const check = availabilityOf(u);
  const info: Registry['info'] = async (name) => {
    const fetched = await fetchDetail(u, name);
    if (fetched.kind !== 'done') return fetched;
    const detail = fetched.data;
    // Neither deleted nor available again: the end there is the end here.
    if (detail?.status === 'redemption' && detail.underway === 'restore')
      return { kind: 'unsent', why: `a restore of ${name} is in progress at the upstream` };
    const unsettled = detail?.status === 'redemption' ? await unsettledOrder(u, name, ['restore']) : undefined;
    if (unsettled !== undefined) return { kind: 'unsent', why: unsettled };
    if (detail && detail.status !== 'gone' && detail.status !== 'left')
      return { ...fetched, data: await viewOf(u, detail) };
    return absent(u, name, check, detail?.status === 'left');
  };
  // Only the transfer order itself shows whether an auth code is right.
  return { check, info, infoWithCode: (name) => info(name) };
}

/**
 * Not in our account. An availability check shows whether it is free. If a lost order without an idempotency key may have arrived, the
 * transactions must not contain it either.
 */
async function absent(
  u: Upstream,
  name: string,
  check: Registry['check'],
  hasLeft: boolean,
): Promise<Reply<RegistryDomain | null>> {
  const done = (data: RegistryDomain | null) => ({ kind: 'done', data, pending: false, evidence: {} }) as const;
  if (hasLeft) return done(otherSponsorsDomain(name));
  const unsettled = await unsettledOrder(u, name, ['register', 'transfer']);
  if (unsettled !== undefined) return { kind: 'unsent', why: unsettled };
  const checked = await check([name]);
  if (checked.kind !== 'done') return checked;
  const [found] = checked.data;
  if (!found) return { kind: 'unsent', why: `the upstream returned nothing about ${name}` };
  if (found.available) return done(null);
  // Reported as ours but not returned: its data is outdated.
  if (found.reason === 'regthroughus')
    return { kind: 'unsent', why: `the upstream reports ${name} as ours and does not return it` };
  return done(otherSponsorsDomain(name));
}

/** Allowed difference between the clocks. */
const clocksDifferMs = 600_000;

/**
 * Undefined: no order of ours may have been sent, there is no charge for this domain since then, or an idempotency key prevents
 * duplicates.
 */
async function unsettledOrder(
  u: Upstream,
  name: string,
  steps: Parameters<typeof orderLeftAt>[3],
): Promise<string | undefined> {
  if (u.profile.dialect !== 'contract') return undefined;
  const leftAt = await orderLeftAt(u.ctx.db.as(allTenants), u.id, name, steps);
  if (leftAt === undefined) return undefined;
  // A day earlier, because clock and time zone may differ.
  const from = new Date(leftAt.getTime() - dayMs).toISOString().slice(0, 10);
  const read = await postingsOf(u, name, { date_start: from });
  if (read.kind === 'refused') return `the transactions were refused: ${read.evidence.text ?? ''}`;
  if (read.kind !== 'done') return read.why;
  // A restored domain has earlier charges; only later ones concern the restore.
  const since = steps.includes('restore') ? new Date(leftAt.getTime() - clocksDifferMs) : undefined;
  const charge = read.data.find((row) => !isVoid(row) && !(since && isBefore(u, row, since)));
  return (
    charge &&
    `transaction ${textOf(charge.transaction_id) ?? ''} of the upstream is about ${name}, which it does not return`
  );
}

/** The EPP statuses of RFC 5731 2.3, which core reads. */
const locks = ['clientTransferProhibited', 'clientUpdateProhibited', 'clientDeleteProhibited'];
const phases: Readonly<Partial<Record<Detail['status'], { statuses: string[]; rgp: string[] }>>> = {
  pending: { statuses: ['pendingCreate'], rgp: [] },
  coming: { statuses: ['pendingTransfer'], rgp: [] },
  pending_transfer: { statuses: ['pendingTransfer'], rgp: [] },
  redemption: { statuses: ['pendingDelete'], rgp: ['redemptionPeriod'] },
  pending_restore: { statuses: ['pendingDelete'], rgp: ['pendingRestore'] },
  pending_delete: { statuses: ['pendingDelete'], rgp: ['pendingDelete'] },
};
const phaseStates = /^(redemptionPeriod|pendingRestore|pendingDelete)$/;

export function statusesOf(detail: Detail): string[] {
  const { registryStatuses, isLocked, isProtected, isSuspended } = detail;
  const phase = phases[detail.status];
  // Statuses set by the registry or the upstream cannot be removed by us.
  const theirs = registryStatuses.filter((status) => status.startsWith('server') || status === 'inactive');
  const isHeld = registryStatuses.includes('clientHold') && (!isSuspended || detail.confirmation === 'held');
  return [
    ...new Set([
      ...(isLocked ? locks : isProtected ? locks.slice(0, 1) : []),
      ...(isSuspended ? ['clientHold'] : []),
      ...(isHeld ? ['serverHold'] : []),
      ...(detail.underway === 'update' ? ['pendingUpdate'] : []),
      ...(phase?.statuses ?? []),
      ...theirs,
    ]),
  ];
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
  const isOurs = status !== 'coming';
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
    ...(detail.confirmation ? { confirmation: detail.confirmation } : {}),
    registrant: handle(contacts.registrant, 'registrant') ?? null,
    contacts: Object.fromEntries(roles),
    nameservers: detail.nameservers,
    hosts: [...new Set(detail.hosts.map(({ hostname }) => hostname))],
    ds: detail.ds,
  };
}
