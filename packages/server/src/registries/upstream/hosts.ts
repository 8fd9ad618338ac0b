import { canonicalAddress } from '@namehold/base';
import type { CommandContext, Registry, RegistryHost, Reply } from '../../core/ports/registry.ts';
import { fetchDetail, type Upstream, withDomain } from './upstream.ts';
import type { Call } from './wire.ts';

/** RFC 5730 3, parameter value policy error. */
const noAddress = 2306;

/** Only hosts below our own domains have addresses there (child nameservers). The upstream creates other hosts itself. */
export function hostCommands(u: Upstream): Pick<Registry, 'hostInfo' | 'createHost' | 'updateHost' | 'removeHost'> {
  const change = (hostname: string, context: CommandContext, verb: Verb, callsOf: CallsOf): Promise<Reply<null>> => {
    const parent = parentOf(u, hostname);
    if (parent === undefined) return Promise.resolve({ kind: 'done', data: null, pending: false, evidence: {} });
    return withDomain(u, parent, (detail, path) => {
      const present = detail.hosts.filter((host) => host.hostname === hostname).map(({ ip }) => ip);
      const calls = callsOf(`${path}/childns`, present);
      if (calls.length === 0) return Promise.resolve(withoutAddress(hostname));
      return u.account.command({ object: 'host', verb, name: hostname, calls, read: () => null }, context);
    });
  };
  const add = (folder: string, hostname: string, ip: string): Call => ({
    method: 'POST',
    path: folder,
    form: { hostname, ip_address: ip },
  });
  const one = (folder: string, hostname: string, ip: string) =>
    `${folder}/${encodeURIComponent(hostname)}/${encodeURIComponent(ip)}`;
  return {
    hostInfo: (hostname) => hostInfo(u, hostname),
    createHost: (hostname, addresses, context) =>
      change(hostname, context, 'create', (folder) => addresses.map((ip) => add(folder, hostname, ip))),
    updateHost: (hostname, wanted, context) =>
      change(hostname, context, 'update', (folder, present) => {
        const name = wanted.newName ?? hostname;
        const kept = present.filter((ip) => !wanted.remove.includes(ip));
        return [
          ...wanted.add.map((ip) => add(folder, hostname, ip)),
          ...wanted.remove.map((ip): Call => ({ method: 'DELETE', path: one(folder, hostname, ip) })),
          ...(wanted.newName === undefined ? [] : [...kept, ...wanted.add]).map(
            (ip): Call => ({
              method: 'PUT',
              path: one(folder, hostname, ip),
              form: { hostname: name, ip_address: ip },
            }),
          ),
        ];
      }),
    removeHost: (hostname, context) =>
      change(hostname, context, 'delete', (folder, present) =>
        present.map((ip): Call => ({ method: 'DELETE', path: one(folder, hostname, ip) })),
      ),
  };
}

type Verb = 'create' | 'update' | 'delete';
type CallsOf = (folder: string, present: readonly string[]) => readonly Call[];

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
  if (!fetched.data || fetched.data.status === 'gone' || fetched.data.status === 'left') return done(elsewhere);
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
