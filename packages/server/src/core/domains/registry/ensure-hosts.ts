import { isBelow } from '@namehold/base';
import { LRUCache } from 'lru-cache';
import type { Found, Run } from '../../operations/run.ts';
import type { Evidence, HostAddresses, Registry } from '../../ports/registry.ts';
import type { Ensured } from './ensure-contacts.ts';

const hostMemory = {
  /** How long a host that was seen at its registry is assumed to exist. */
  knownForMs: 300_000,
  hosts: 10_000,
};

/** RFC 5730 section 3. */
const objectDoesNotExist = 2303;

const seen = new WeakMap<Registry, LRUCache<string, true>>();

function seenAt(registry: Registry): LRUCache<string, true> {
  let hosts = seen.get(registry);
  if (!hosts) {
    hosts = new LRUCache({ max: hostMemory.hosts, ttl: hostMemory.knownForMs });
    seen.set(registry, hosts);
  }
  return hosts;
}

/** RFC 5731 1.1: at some registries hosts are attributes of a domain, not objects that can be created or queried. */
export const hasHostObjects = (run: Run, name: string): boolean =>
  run.registry.capabilitiesOf(name).hostModel === 'objects';

/** The registry does not have one of them, so all are queried next time. */
export function evictHosts(registry: Registry, hostnames: readonly string[]): void {
  for (const hostname of hostnames) seenAt(registry).delete(hostname);
}

const bare = (hostname: string): HostAddresses => ({ hostname, addresses: [] });

/** Hosts from the cache in the form that an order needs; undefined if one must be queried first. */
export function rememberedHosts(
  registry: Registry,
  nameservers: readonly string[],
  ownName: string,
): HostAddresses[] | undefined {
  const hosts = seenAt(registry);
  const isKnown = nameservers.every((hostname) => !isBelow(hostname, ownName) && hosts.has(hostname));
  return isKnown ? nameservers.map(bare) : undefined;
}

/**
 * Nameservers must exist as host objects before a domain can be delegated to them. Hosts outside the registry's TLDs are created on
 * demand; hosts inside must exist already, created by the sponsor of the domain above them.
 */
export async function ensureHosts(
  run: Run,
  nameservers: readonly string[],
  ownName: string,
): Promise<Ensured<HostAddresses[]>> {
  if (!hasHostObjects(run, ownName)) return { kind: 'ready', value: nameservers.map(bare) };
  const ready: HostAddresses[] = [];
  for (const hostname of nameservers) {
    const known = await run.registry.hostInfo(hostname);
    if (known.kind !== 'done') return { kind: 'stopped', reply: known, field: 'nameservers' };
    if (!known.data) {
      const made = await run.command(
        `host-${hostname}`,
        (context) => run.registry.createHost(hostname, [], context),
        () => queryHost(run, hostname),
      );
      const exists = made.kind === 'refused' && made.evidence.code === 2302;
      if (made.kind === 'refused' && !exists) {
        return {
          kind: 'stopped',
          reply: {
            kind: 'refused',
            evidence: {
              ...made.evidence,
              text: `${hostname} is not valid NameServer: ${reasonAgainst(hostname, ownName, made.evidence)}`,
            },
          },
          field: 'nameservers',
        };
      }
      if (made.kind !== 'done' && !exists) return { kind: 'stopped', reply: made, field: 'nameservers' };
    }
    seenAt(run.registry).set(hostname, true);
    // RFC 5731 1.1: only hosts inside the domain have glue; other delegations contain no addresses.
    ready.push({ hostname, addresses: isBelow(hostname, ownName) ? (known.data?.addresses ?? []) : [] });
  }
  return { kind: 'ready', value: ready };
}

function reasonAgainst(hostname: string, ownName: string, evidence: Evidence): string {
  if (isBelow(hostname, ownName))
    return 'It is inside the domain and has no IP address at the registry. Add it as a child nameserver first.';
  if (evidence.code === objectDoesNotExist) return 'Its domain is not registered.';
  return `The registry refused the host name (${evidence.text ?? evidence.code}).`;
}

async function queryHost(run: Run, hostname: string): Promise<Found<null>> {
  const reply = await run.registry.hostInfo(hostname);
  if (reply.kind === 'done') return reply.data ? { kind: 'done', data: null } : { kind: 'never' };
  // A repeated create would return "exists", which has the same meaning as the answer that was refused.
  return reply.kind === 'refused' ? { kind: 'never' } : { kind: 'unknown', why: reply.why };
}
