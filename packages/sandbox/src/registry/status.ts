import type { Status } from '@namehold/epp';
import { refuse } from './refusal.ts';

/** RFC 5731 2.3, 5732 2.3, 5733 2.2: the statuses that a registrar may set; all others belong to the registry. */
const clientStatuses = {
  domain: new Set([
    'clientHold',
    'clientDeleteProhibited',
    'clientRenewProhibited',
    'clientTransferProhibited',
    'clientUpdateProhibited',
  ]),
  contact: new Set(['clientDeleteProhibited', 'clientTransferProhibited', 'clientUpdateProhibited']),
  host: new Set(['clientDeleteProhibited', 'clientUpdateProhibited']),
} as const;

type StatusOwner = keyof typeof clientStatuses;
type ProhibitedVerb = 'Delete' | 'Renew' | 'Transfer' | 'Update';

export function refuseIfProhibited(statuses: readonly string[], verb: ProhibitedVerb): void {
  for (const side of ['server', 'client']) {
    const status = `${side}${verb}Prohibited`;
    if (statuses.includes(status)) refuse(2304, status);
  }
}

const values = (statuses: readonly Status[] | undefined): string[] => (statuses ?? []).map((status) => status.value);

/** The statuses after an update; refuses statuses that a registrar may not change. */
export function changeStatuses(
  owner: StatusOwner,
  current: readonly string[],
  change: { readonly add?: readonly Status[] | undefined; readonly rem?: readonly Status[] | undefined },
): string[] {
  const add = values(change.add);
  const rem = values(change.rem);
  for (const status of [...add, ...rem]) {
    if (!clientStatuses[owner].has(status)) refuse(2306, `${status} is not for registrars to set`);
  }
  for (const status of rem) if (!current.includes(status)) refuse(2306, `${status} is not set`);
  const kept = current.filter((status) => !rem.includes(status));
  for (const status of add) {
    if (kept.includes(status)) refuse(2306, `${status} is set already`);
    kept.push(status);
  }
  return kept;
}

/**
 * RFC 5731 2.3: under clientUpdateProhibited the only allowed update is its removal.
 * Other client statuses may be removed in the same command; nothing else may change.
 */
export function refuseUnlessUpdatable(
  statuses: readonly string[],
  update: { readonly rem?: readonly Status[] | undefined; readonly changesMore: boolean },
): void {
  if (statuses.includes('serverUpdateProhibited')) refuse(2304, 'serverUpdateProhibited');
  if (!statuses.includes('clientUpdateProhibited')) return;
  if (update.changesMore || !values(update.rem).includes('clientUpdateProhibited')) {
    refuse(2304, 'clientUpdateProhibited');
  }
}
