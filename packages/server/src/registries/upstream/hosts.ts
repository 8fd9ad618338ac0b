import { canonicalAddress } from '@namehold/base';
import type { CommandContext, Registry, RegistryHost, Reply } from '../../core/ports/registry.ts';
import type { Detail } from './dialect.ts';
import { fetchDetail, type Upstream, withDomain } from './upstream.ts';
import type { Call } from './wire.ts';

/** RFC 5730 3, parameter value policy error. */
const noAddress = 2306;

/** Only hosts below our own domains have addresses there (child nameservers). The upstream creates other hosts itself. */
export function hostCommands(u: Upstream): Pick<Registry, 'hostInfo' | 'createHost' | 'updateHost' | 'removeHost'> {
  const change = (hostname: string, context: CommandContext, verb: Verb, callsOf: CallsOf): Promise<Reply<null>> => {
    const parent = parentOf(u, hostname);
    if (parent === undefined) return Promise.resolve({ kind: 'done', data: null, pending: false, evidence: {} });
    return withDomain(u, parent, (detail) => {
      const present = detail.hosts.filter((host) => host.hostname === hostname).map(({ ip }) => ip);
      const calls = callsOf(detail, present);
      if (calls.length === 0) return Promise.resolve(withoutAddress(hostname));
      return u.account.command({ object: 'host', verb, name: hostname, calls, read: () => null }, context);
    });
  };
  const { addHosts, removeHosts, renameHost } = u.dialect.calls;
  return {
    hostInfo: (hostname) => hostInfo(u, hostname),
    createHost: (hostname, addresses, context) =>
      change(hostname, context, 'create', (detail) => addHosts(detail, hostname, addresses)),
    updateHost: (hostname, wanted, context) =>
      change(hostname, context, 'update', (detail, present) => {
        const kept = present.filter((ip) => !wanted.remove.includes(ip));
        // Some upstreams take the whole list of addresses.
        const added = { ...detail, hosts: [...detail.hosts, ...wanted.add.map((ip) => ({ hostname, ip }))] };
        return [
          ...addHosts(detail, hostname, wanted.add),
          ...removeHosts(added, hostname, wanted.remove),
          ...(wanted.newName === undefined
            ? []
            : renameHost(detail, hostname, wanted.newName, [...kept, ...wanted.add])),
        ];
      }),
    removeHost: (hostname, context) =>
      change(hostname, context, 'delete', (detail, present) => removeHosts(detail, hostname, present)),
  };
}

type Verb = 'create' | 'update' | 'delete';
type CallsOf = (detail: Detail, present: readonly string[]) => readonly Call[];

const withoutAddress = (hostname: string): Reply<never> => ({
  kind: 'refused',
  evidence: { code: noAddress, text: `${hostname} has no address` },
});

async function hostInfo(u: Upstream, hostname: string): Promise<Reply<RegistryHost | null>> {
  const elsewhere = { hostname, addresses: [], isOurs: false, statuses: [] };
  const done = (data: RegistryHost | null) => ({ kind: 'done', data, pending: false, evidence: {} }) as const;
  const parent = parentOf(u, hostname);
  if (parent === undefined) return done(elsewhere);
  const fetched = await fetchDetail(u, parent);
  if (fetched.kind !== 'done') return fetched;
  if (!fetched.data || fetched.data.status === 'absent' || fetched.data.status === 'transferred_out')
    return done(elsewhere);
  const addresses = fetched.data.hosts.filter((host) => host.hostname === hostname);
  if (addresses.length === 0) return done(null);
  return done({
    hostname,
    addresses: addresses.map(({ ip }) => canonicalAddress(ip) ?? ip),
    isOurs: true,
    statuses: [],
  });
}

/** The domain of a host, if its TLD is sold through this upstream. */
function parentOf(u: Upstream, hostname: string): string | undefined {
  const labels = hostname.split('.');
  for (let at = 1; at < labels.length; at += 1)
    if (u.tlds.includes(labels.slice(at).join('.'))) return at >= 2 ? labels.slice(at - 1).join('.') : undefined;
  return undefined;
}
