import { allTenants } from '@namehold/postgres';
import { domainLimits, rolesOf } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import { keepsContacts, type TldRules } from '../../model/tld.ts';
import type { Run } from '../../operations/run.ts';
import type { HostAddresses, RegistryDomain, Reply } from '../../ports/registry.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import { type Sent, sendDifference } from '../change/send-difference.ts';
import { targetOf } from '../change/update-target.ts';
import { viewAfter } from '../change/wanted.ts';
import { hasHostObjects } from '../registry/ensure-hosts.ts';

/** The view of the domain after everything that could be set is set. */
interface Completed {
  readonly kind: 'complete';
  readonly view: RegistryDomain;
  readonly childHosts: readonly HostAddresses[];
  /** What the registry refused: the domain is transferred all the same. */
  readonly problem: string | undefined;
}

type Later = { readonly kind: 'later'; readonly why: string };

/**
 * Sets what a transfer does not include: our own contacts, if the registry keeps any (it still shows those of the previous registrar),
 * and nameservers if others were ordered. A missing answer is queried as always; a refusal does not undo the paid transfer.
 */
export async function complete(
  run: Run<'transfer'>,
  view: RegistryDomain,
  rules: TldRules,
): Promise<Completed | Later> {
  const { ctx, operation } = run;
  const { name, nameservers } = operation.request;
  const domain = await readDomain(ctx.db.as(allTenants), operation.domain_id);
  // The new nameservers would not have the keys of the DS records.
  const delegation = nameservers && view.ds.length === 0 ? { nameservers } : {};
  const contacts = keepsContacts(rules) ? { contacts: rolesOf(domain) } : {};
  // RFC 9154 4.4: the registry removes the code that was used for the transfer. Elsewhere it must be removed, because anyone who knows it
  // could use it again.
  const code = run.registry.capabilitiesOf(name).authCode.isSecure ? {} : ({ authCode: 'unset' } as const);
  const request = { name, change: 'contacts', wanted: { ...contacts, ...delegation, ...code } } as const;
  const target = await targetOf(run, domain, rules, request, view);
  const sent =
    target.kind === 'stopped'
      ? { reply: target.reply, view, change: {} }
      : await sendDifference(run, 'complete', view, target.value);
  if (sent.reply.kind === 'unknown' || sent.reply.kind === 'unsent') return { kind: 'later', why: sent.reply.why };
  const hosts = await queryChildHosts(run, view);
  if (!hosts) return { kind: 'later', why: 'the nameservers inside the domain could not be queried' };
  const isKept = nameservers !== null && view.ds.length > 0 && !isSame(nameservers, view.nameservers);
  return {
    kind: 'complete',
    view: shownAfter(sent),
    childHosts: hosts,
    problem:
      problemOf(sent.reply) ?? (isKept ? 'it has DS records, so its nameservers were left as they are' : undefined),
  };
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => [...a].sort().join() === [...b].sort().join();

const problemOf = (reply: Reply<unknown>): string | undefined =>
  reply.kind === 'refused' ? describe(reply.evidence) : undefined;

function shownAfter({ reply, view, change }: Sent): RegistryDomain {
  if (reply.kind !== 'done') return view;
  const removed = new Set(change.removeNameservers ?? []);
  const added = (change.addNameservers ?? []).map((host) => host.hostname);
  const nameservers = [...view.nameservers.filter((host) => !removed.has(host)), ...added];
  return { ...view, ...viewAfter(view, change), nameservers };
}

/** RFC 5732: subordinate hosts are transferred with the domain. Undefined: the registry did not answer. */
async function queryChildHosts(run: Run, view: RegistryDomain): Promise<HostAddresses[] | undefined> {
  const found: HostAddresses[] = [];
  if (!hasHostObjects(run, view.name)) return found;
  for (const hostname of view.hosts.slice(0, domainLimits.childHosts)) {
    const reply = await run.registry.hostInfo(hostname);
    if (reply.kind === 'unknown' || reply.kind === 'unsent') return undefined;
    if (reply.kind === 'done' && reply.data)
      found.push({ hostname: hostname.toLowerCase(), addresses: reply.data.addresses });
  }
  return found;
}
