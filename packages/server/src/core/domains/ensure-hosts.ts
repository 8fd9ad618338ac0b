import { isBelow } from '@namehold/base';
import type { Found, Run } from '../operations/run.ts';
import { describe, type Ensured } from './ensure-contacts.ts';
import type { HostAddresses } from './registry.ts';

/**
 * Nameservers must exist as host objects before a domain can point at them. Hosts outside the registry's TLDs are made
 * on demand; hosts inside must be there already, made by whoever holds the name above them.
 */
export async function ensureHosts(
  run: Run,
  nameservers: readonly string[],
  ownName: string,
): Promise<Ensured<HostAddresses[]>> {
  const ready: HostAddresses[] = [];
  for (const hostname of nameservers) {
    const known = await run.registry.hostInfo(hostname);
    if (known.kind !== 'done') return { kind: 'stopped', reply: known, field: 'ns' };
    if (!known.data) {
      const made = await run.command(
        `host-${hostname}`,
        (context) => run.registry.createHost(hostname, [], context),
        () => askHost(run, hostname),
      );
      const exists = made.kind === 'refused' && made.evidence.code === 2302;
      if (made.kind === 'refused' && !exists) {
        const why = isBelow(hostname, ownName)
          ? 'create it as a child nameserver with an address first'
          : describe(made.evidence);
        return {
          kind: 'stopped',
          reply: {
            kind: 'refused',
            evidence: { ...made.evidence, text: `${hostname} is not valid NameServer: ${why}` },
          },
          field: 'ns',
        };
      }
      if (made.kind !== 'done' && !exists) return { kind: 'stopped', reply: made, field: 'ns' };
    }
    // Glue belongs to hosts below the name; RFC 5731 1.1: elsewhere an address has no business in the delegation.
    ready.push({ hostname, addresses: isBelow(hostname, ownName) ? (known.data?.addresses ?? []) : [] });
  }
  return { kind: 'ready', value: ready };
}

async function askHost(run: Run, hostname: string): Promise<Found<null>> {
  const reply = await run.registry.hostInfo(hostname);
  if (reply.kind === 'done') return reply.data ? { kind: 'done', data: null } : { kind: 'never' };
  return { kind: 'unknown', why: reply.kind === 'refused' ? describe(reply.evidence) : reply.why };
}
