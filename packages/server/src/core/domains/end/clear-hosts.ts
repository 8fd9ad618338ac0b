import { describe } from '../../model/evidence.ts';
import type { Found, Run } from '../../operations/run.ts';
import type { Reply } from '../../ports/registry.ts';
import { hasHostObjects } from '../registry/ensure-hosts.ts';
import { readRegistryDomain } from '../registry/read-registry-domain.ts';

type Stopped = Exclude<Reply<never>, { kind: 'done' }>;

/** RFC 5732 3.2.2: a domain cannot be deleted while it has subordinate hosts. First its own use of them ends, then they are deleted. */
export async function clearHosts(run: Run, name: string): Promise<Stopped | undefined> {
  if (!hasHostObjects(run, name)) return undefined;
  const queryReply = await readRegistryDomain(run, name);
  // The host is already deleted: an earlier attempt got as far as the delete of the domain.
  if (queryReply.kind === 'refused') return undefined;
  if (queryReply.kind !== 'done') return queryReply;
  const view = queryReply.data;
  const used = view.nameservers.filter((host) => view.hosts.includes(host));
  if (used.length > 0) {
    const detached = await run.command(
      'detach-hosts',
      (context) => run.registry.update(view.name, { removeNameservers: used }, context),
      () => queryDetached(run, view.name, used),
    );
    if (detached.kind !== 'done') return detached;
  }
  for (const host of view.hosts) {
    const removed = await run.command(
      `host-delete-${host}`,
      (context) => run.registry.removeHost(host, context),
      () => queryHostGone(run, host),
    );
    if (removed.kind === 'refused' && removed.evidence.code === 2305) {
      const text = `the nameserver ${host} is inside the domain and other domains use it`;
      return { kind: 'refused', evidence: { ...removed.evidence, text } };
    }
    if (removed.kind !== 'done') return removed;
  }
  return undefined;
}

async function queryDetached(run: Run, name: string, hosts: readonly string[]): Promise<Found<null>> {
  const view = await readRegistryDomain(run, name);
  if (view.kind === 'refused') return { kind: 'refused', evidence: view.evidence };
  if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
  return view.data.nameservers.some((host) => hosts.includes(host)) ? { kind: 'never' } : { kind: 'done', data: null };
}

async function queryHostGone(run: Run, host: string): Promise<Found<null>> {
  const reply = await run.registry.hostInfo(host);
  if (reply.kind === 'done') return reply.data ? { kind: 'never' } : { kind: 'done', data: null };
  return reply.kind === 'refused' ? run.noAnswer(describe(reply.evidence)) : { kind: 'unknown', why: reply.why };
}
