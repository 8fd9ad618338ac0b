import { type Domain, wantedStatuses } from '../../model/domain.ts';
import type { Flag, WantedState } from '../../model/domain-change.ts';
import type { DomainChange, DsRecord, HostAddresses, RegistryDomain } from '../../ports/registry.ts';

/** The wanted state in registry terms: handles, hosts with addresses, the auth code. */
export interface Target {
  readonly nameservers?: readonly HostAddresses[];
  readonly registrant?: string;
  readonly declarant?: string;
  readonly contacts?: Readonly<Partial<Record<'admin' | 'tech' | 'billing', string | null>>>;
  readonly flags?: WantedState['flags'];
  /** The registry statuses of our flags after the change. */
  readonly statuses: readonly string[];
  readonly addDs?: readonly DsRecord[];
  readonly removeDs?: readonly DsRecord[];
  readonly authCode?: string | null;
  readonly isPrivate?: boolean;
}

export const isSameDs = (a: DsRecord, b: DsRecord): boolean =>
  a.keytag === b.keytag &&
  a.algorithm === b.algorithm &&
  a.digesttype === b.digesttype &&
  a.digest.toUpperCase() === b.digest.toUpperCase();

const lacks = (records: readonly DsRecord[], record: DsRecord) => !records.some((other) => isSameDs(other, record));

/** The change that must be sent so that the registry shows the target; empty if it already does. */
export function difference(view: RegistryDomain, target: Target): DomainChange {
  const addDs = (target.addDs ?? []).filter((record) => lacks(view.ds, record));
  const removeDs = (target.removeDs ?? []).filter((record) => !lacks(view.ds, record));
  const registrant = target.registrant !== undefined && target.registrant !== view.registrant;
  return {
    ...nameserverDifference(view, target.nameservers),
    ...contactDifference(view, target.contacts),
    ...(registrant ? { registrant: target.registrant } : {}),
    ...(registrant && target.declarant ? { declarant: target.declarant } : {}),
    ...(target.flags ? statusDifference(view, target.flags, target.statuses) : {}),
    ...(addDs.length > 0 ? { addDs } : {}),
    ...(removeDs.length > 0 ? { removeDs } : {}),
    ...(target.isPrivate === undefined || target.isPrivate === view.isPrivate ? {} : { isPrivate: target.isPrivate }),
    // RFC 9154 4.2: the registry keeps a hash and never shows it, so a code is always sent.
    ...(target.authCode === undefined ? {} : { authCode: target.authCode }),
  };
}

export const isEmptyChange = (change: DomainChange): boolean => Object.keys(change).length === 0;

/** The domain shows the host with exactly these addresses. True if the registry does not show addresses with a domain. */
export function hasAddresses({ nameserverAddresses }: RegistryDomain, { hostname, addresses }: HostAddresses): boolean {
  if (nameserverAddresses === undefined) return true;
  const shown = new Set((nameserverAddresses[hostname] ?? []).map(plainAddress));
  return shown.size === new Set(addresses).size && addresses.every((address) => shown.has(plainAddress(address)));
}

/** RFC 5952: one address can be written in several ways. */
const plainAddress = (address: string): string =>
  address.includes(':') ? new URL(`http://[${address}]`).hostname : address;

function nameserverDifference(view: RegistryDomain, hosts: readonly HostAddresses[] | undefined): DomainChange {
  if (!hosts) return {};
  const isAsWanted = (host: HostAddresses) => view.nameservers.includes(host.hostname) && hasAddresses(view, host);
  const add = hosts.filter((host) => !isAsWanted(host));
  const remove = view.nameservers.filter((name) => !hosts.some((host) => host.hostname === name && isAsWanted(host)));
  return {
    ...(add.length > 0 ? { addNameservers: add } : {}),
    ...(remove.length > 0 ? { removeNameservers: remove } : {}),
  };
}

function contactDifference(view: RegistryDomain, wanted: Target['contacts']): DomainChange {
  const add: Partial<Record<'admin' | 'tech' | 'billing', string>> = {};
  const remove: Partial<Record<'admin' | 'tech' | 'billing', string>> = {};
  for (const role of ['admin', 'tech', 'billing'] as const) {
    const handle = wanted?.[role];
    const present = view.contacts[role];
    if (handle === undefined || (handle ?? undefined) === present) continue;
    if (handle !== null) add[role] = handle;
    if (present !== undefined) remove[role] = present;
  }
  return {
    ...(Object.keys(add).length > 0 ? { addContacts: add } : {}),
    ...(Object.keys(remove).length > 0 ? { removeContacts: remove } : {}),
  };
}

/** Only the statuses of flags that the request names: no other status is set or removed. */
function statusDifference(
  view: RegistryDomain,
  flags: NonNullable<WantedState['flags']>,
  statuses: readonly string[],
): DomainChange {
  const statusFor = (value: boolean) =>
    wantedStatuses({
      locked: flags.locked === value,
      suspended: flags.suspended === value,
      theft_protection: flags.theft_protection === value,
      unverified: flags.unverified === value,
      unpaid: flags.unpaid === value,
    });
  const addStatuses = statusFor(true).filter((status) => !view.statuses.includes(status));
  const removeStatuses = statusFor(false).filter(
    (status) => view.statuses.includes(status) && !statuses.includes(status),
  );
  return {
    ...(addStatuses.length > 0 ? { addStatuses } : {}),
    ...(removeStatuses.length > 0 ? { removeStatuses } : {}),
  };
}

/** The flags after the change. */
export function flagsAfter(domain: Pick<Domain, Flag>, wanted: WantedState): Record<Flag, boolean> {
  return {
    locked: wanted.flags?.locked ?? domain.locked,
    suspended: wanted.flags?.suspended ?? domain.suspended,
    theft_protection: wanted.flags?.theft_protection ?? domain.theft_protection,
    unverified: wanted.flags?.unverified ?? domain.unverified,
    unpaid: wanted.flags?.unpaid ?? domain.unpaid,
  };
}

/** RFC 5731 2.3: "ok" is set only without other statuses, and "inactive" means no delegation; both follow from the rest. */
export function viewAfter(view: RegistryDomain, change: DomainChange): Pick<RegistryDomain, 'statuses' | 'ds'> {
  const hosts = [
    ...view.nameservers.filter((name) => !change.removeNameservers?.includes(name)),
    ...(change.addNameservers ?? []),
  ];
  const set = [
    ...view.statuses.filter(
      (status) => status !== 'ok' && status !== 'inactive' && !change.removeStatuses?.includes(status),
    ),
    ...(change.addStatuses ?? []),
    ...(hosts.length === 0 ? ['inactive'] : []),
  ];
  return {
    statuses: set.length > 0 ? set : ['ok'],
    ds: [...view.ds.filter((record) => lacks(change.removeDs ?? [], record)), ...(change.addDs ?? [])],
  };
}
