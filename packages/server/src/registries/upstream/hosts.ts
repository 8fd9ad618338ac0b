import { isIPv6 } from 'node:net';
import { canonicalAddress } from '@namehold/base';
import type { CommandContext, Registry, RegistryHost, Reply } from '../../core/ports/registry.ts';
import type { AddressCalls, Detail, WholeHostCalls } from './dialect.ts';
import { clientOf, fetchDetail, type Upstream, withDomain } from './upstream.ts';
import type { Call } from './wire.ts';

/** RFC 5730 3: unimplemented option, and parameter value policy error. */
const unsupported = 2102;
const badAddresses = 2306;

type HostUpdate = Parameters<Registry['updateHost']>[1];
type Verb = 'create' | 'update' | 'delete';

/** Only hosts below our own domains have addresses there (child nameservers). The upstream creates other hosts itself. */
export function hostCommands(u: Upstream): Pick<Registry, 'hostInfo' | 'createHost' | 'updateHost' | 'removeHost'> {
  const change = async (
    hostname: string,
    context: CommandContext,
    verb: Verb,
    wantedOf: (present: readonly string[]) => HostUpdate,
  ): Promise<Reply<null>> => {
    const parent = parentOf(u, hostname);
    if (parent === undefined) return { kind: 'done', data: null, pending: false, evidence: {} };
    const { hosts } = u.dialect.calls;
    if (!hosts) return refused(unsupported, 'this upstream has no call for child nameservers: set them in its panel');
    return withDomain(u, parent, async (detail) => {
      const shown = await addressesOf(u, detail, hostname);
      if (shown.kind !== 'done') return shown;
      const present = shown.data;
      const wanted = wantedOf(present);
      const after = [...new Set([...present.filter((ip) => !wanted.remove.includes(ip)), ...wanted.add])];
      if ('set' in hosts && hosts.onePerFamily && isMoreThanOne(after)) return refused(badAddresses, onlyOne);
      const calls =
        'set' in hosts
          ? wholeCalls(hosts, detail, hostname, { ...wanted, present, after })
          : addressCalls(hosts, detail, hostname, { ...wanted, after });
      if (calls.length === 0) return refused(badAddresses, `${hostname} has no address`);
      return u.account.command({ object: 'host', verb, name: hostname, calls, read: () => null }, context);
    });
  };
  return {
    hostInfo: (hostname) => hostInfo(u, hostname),
    createHost: (hostname, addresses, context) =>
      change(hostname, context, 'create', () => ({ add: addresses, remove: [] })),
    updateHost: (hostname, wanted, context) => change(hostname, context, 'update', () => wanted),
    removeHost: (hostname, context) => change(hostname, context, 'delete', (present) => ({ add: [], remove: present })),
  };
}

const refused = (code: number, text: string): Reply<never> => ({ kind: 'refused', evidence: { code, text } });

const onlyOne = 'this upstream takes at most one IPv4 and one IPv6 address for a nameserver';

const isMoreThanOne = (addresses: readonly string[]): boolean => {
  const six = addresses.filter(isIPv6).length;
  return six > 1 || addresses.length - six > 1;
};

const addressCalls = (
  hosts: AddressCalls,
  detail: Detail,
  hostname: string,
  { add, remove, newName, after }: HostUpdate & { readonly after: readonly string[] },
): readonly Call[] => [
  ...(add.length > 0 ? hosts.add(detail, hostname, add) : []),
  ...hosts.remove(detail, hostname, remove),
  ...(newName === undefined ? [] : hosts.rename(detail, hostname, newName, after)),
];

function wholeCalls(
  hosts: WholeHostCalls,
  detail: Detail,
  hostname: string,
  { newName, present, after }: HostUpdate & { readonly present: readonly string[]; readonly after: readonly string[] },
): readonly Call[] {
  const isNew = present.length === 0;
  if (after.length === 0) return isNew ? [] : hosts.remove(detail, hostname);
  return newName === undefined
    ? hosts.set(detail, hostname, after, isNew)
    : hosts.rename(detail, hostname, newName, after);
}

/** The addresses of a host of this domain. */
async function addressesOf(u: Upstream, detail: Detail, hostname: string): Promise<Reply<readonly string[]>> {
  const { hosts } = u.dialect.calls;
  if (hosts && 'set' in hosts && hosts.read) return hosts.read(clientOf(u), detail, hostname);
  const shown = detail.hosts.filter((host) => host.hostname === hostname).map(({ ip }) => ip);
  return { kind: 'done', data: shown, pending: false, evidence: {} };
}

async function hostInfo(u: Upstream, hostname: string): Promise<Reply<RegistryHost | null>> {
  const elsewhere = { hostname, addresses: [], isOurs: false, statuses: [] };
  const done = (data: RegistryHost | null) => ({ kind: 'done', data, pending: false, evidence: {} }) as const;
  const parent = parentOf(u, hostname);
  if (parent === undefined) return done(elsewhere);
  const fetched = await fetchDetail(u, parent);
  if (fetched.kind !== 'done') return fetched;
  if (!fetched.data || fetched.data.status === 'absent' || fetched.data.status === 'transferred_out')
    return done(elsewhere);
  const shown = await addressesOf(u, fetched.data, hostname);
  if (shown.kind !== 'done') return shown;
  if (shown.data.length === 0) return done(null);
  const addresses = shown.data.map((ip) => canonicalAddress(ip) ?? ip);
  return done({ hostname, addresses, isOurs: true, statuses: [] });
}

/** The domain of a host, if its TLD is sold through this upstream. */
function parentOf(u: Upstream, hostname: string): string | undefined {
  const labels = hostname.split('.');
  for (let at = 1; at < labels.length; at += 1)
    if (u.tlds.includes(labels.slice(at).join('.'))) return at >= 2 ? labels.slice(at - 1).join('.') : undefined;
  return undefined;
}
