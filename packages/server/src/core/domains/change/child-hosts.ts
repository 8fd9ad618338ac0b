import { canonicalAddress, isBelow, NameError, normaliseHostname } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { badField, notFound, Refusal } from '../../errors.ts';
import { type Domain, domainLimits } from '../../model/domain.ts';
import type { ChildHostRequest } from '../../model/operation-kinds.ts';
import { throwInProgress } from '../../operations/order.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { readChildHosts } from './child-hosts.sql.ts';
import { placeChange } from './place-change.ts';

interface Where {
  readonly domain: string;
  readonly customerId: string | undefined;
}

interface Address {
  readonly hostname: string;
  readonly ip: string;
}

export function addChildHost(ctx: AppContext, actor: Actor, where: Where, given: Address): Promise<string> {
  return orderChildHost(ctx, actor, where, (domain, present) => {
    const { hostname, ip } = checkAddress(domain, given);
    const addresses = present.get(hostname) ?? [];
    if (addresses.includes(ip)) throw new Refusal('already_exists', `${hostname} already has the address ${ip}.`);
    if (addresses.length === 0 && present.size >= domainLimits.childHosts) {
      throw badField('host', `A domain can have at most ${domainLimits.childHosts} child nameservers.`, 'too_many');
    }
    if (addresses.length >= domainLimits.addressesPerHost) {
      throw badField(
        'hostAddress',
        `A child nameserver can have at most ${domainLimits.addressesPerHost} addresses.`,
        'too_many',
      );
    }
    return { hostname, addresses: [...addresses, ip], from: null, shown: { hostname, ip, deleted: false } };
  });
}

/** Changes the name of a host, its address, or both. */
export function replaceChildHost(
  ctx: AppContext,
  actor: Actor,
  where: Where,
  old: Address,
  given: Address,
): Promise<string> {
  return orderChildHost(ctx, actor, where, (domain, present) => {
    const before = findAddress(present, old);
    const { hostname, ip } = checkAddress(domain, given);
    const isRenamed = hostname !== before.hostname;
    if (isRenamed && present.has(hostname)) throw new Refusal('already_exists', `${hostname} already exists.`);
    const kept = before.addresses.filter((address) => address !== before.ip && address !== ip);
    return {
      hostname,
      addresses: [...kept, ip],
      from: isRenamed ? before.hostname : null,
      shown: { hostname, ip, deleted: false },
    };
  });
}

/** Removes one address; the host is removed with its last address. */
export function removeChildHost(ctx: AppContext, actor: Actor, where: Where, old: Address): Promise<string> {
  return orderChildHost(ctx, actor, where, (domain, present) => {
    const { hostname, ip, addresses } = findAddress(present, old);
    const left = addresses.filter((address) => address !== ip);
    if (left.length === 0 && domain.nameservers.includes(hostname)) {
      throw new Refusal(
        'in_use',
        `${hostname} is a nameserver of ${domain.name}. Assign other nameservers to the domain first.`,
      );
    }
    return { hostname, addresses: left, from: null, shown: { hostname, ip, deleted: true } };
  });
}

type Wanted = Omit<ChildHostRequest, 'name' | 'change' | 'was'>;
type Present = ReadonlyMap<string, readonly string[]>;

async function orderChildHost(
  ctx: AppContext,
  actor: Actor,
  where: Where,
  wanted: (domain: Domain, present: Present) => Wanted,
): Promise<string> {
  const found = await requireDomain(ctx, actor, where.domain, where.customerId);
  try {
    ctx.failpoint('child_host:before-order');
    return await ctx.db.transaction(actor.resellerId, async (tx: Tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      requireAllowed(domain, 'update');
      const hosts = await readChildHosts(tx, domain.id);
      const present = new Map(hosts.map((host) => [host.hostname, host.addresses]));
      const wantedHost = wanted(domain, present);
      const was = present.get(wantedHost.from ?? wantedHost.hostname) ?? [];
      const request: ChildHostRequest = { name: domain.name, change: 'child_host', was, ...wantedHost };
      return placeChange(ctx, tx, actor, domain, { kind: 'child_host', request });
    });
  } catch (error) {
    throwInProgress(error);
  } finally {
    ctx.failpoint('child_host:after-order');
  }
}

function findAddress(present: Present, old: Address): Address & { readonly addresses: readonly string[] } {
  const hostname = old.hostname.toLowerCase().replace(/\.$/, '');
  const addresses = present.get(hostname);
  const ip = canonicalAddress(old.ip.trim());
  if (!addresses || ip === undefined || !addresses.includes(ip)) throw notFound('child nameserver');
  return { hostname, ip, addresses };
}

function checkAddress(domain: Domain, given: Address): Address {
  let hostname: string;
  try {
    hostname = normaliseHostname(given.hostname);
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    throw badField('host', `${given.hostname.slice(0, 80)} is not valid NameServer: ${error.message}`);
  }
  if (!isBelow(hostname, domain.name)) {
    throw badField('host', `${hostname} is not valid NameServer: It must be inside ${domain.name}.`);
  }
  const ip = canonicalAddress(given.ip.trim());
  if (ip === undefined) throw badField('hostAddress', 'Must be an IPv4 or IPv6 address.');
  return { hostname, ip };
}
