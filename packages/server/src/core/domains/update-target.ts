import { everyTenant, isBelow } from '@namehold/base';
import type { Run } from '../operations/run.ts';
import { keepsContacts, type TldRules } from '../tlds/tld.ts';
import { readChildHosts } from './child-hosts.sql.ts';
import { type Domain, wantedStatuses } from './domain.ts';
import { type Ensured, ensureContacts } from './ensure-contacts.ts';
import { ensureHosts } from './ensure-hosts.ts';
import type { HostAddresses, RegistryDomain } from './registry.ts';
import { flagsAfter, type Target, type UpdateRequest } from './wanted.ts';

/** Makes what the change needs to be there first (hosts, contacts) and puts the wanted state in the registry's words. */
export async function targetOf(
  run: Run,
  domain: Domain,
  rules: TldRules,
  request: UpdateRequest,
  view: RegistryDomain,
): Promise<Ensured<Target>> {
  const { wanted } = request;
  const hosts = await hostsOf(run, domain, rules, wanted.nameservers, view);
  if (hosts?.kind === 'stopped') return hosts;
  const contacts = keepsContacts(rules) ? await contactsOf(run, wanted.contacts) : undefined;
  if (contacts?.kind === 'stopped') return contacts;
  return {
    kind: 'ready',
    value: {
      ...(hosts ? { nameservers: hosts.value } : {}),
      ...contacts?.value,
      ...(wanted.flags ? { flags: wanted.flags } : {}),
      statuses: wantedStatuses(flagsAfter(domain, wanted)),
      ...(wanted.addDs ? { addDs: wanted.addDs } : {}),
      ...(wanted.removeDs ? { removeDs: wanted.removeDs } : {}),
      ...(wanted.authCode ? { authCode: wanted.authCode === 'unset' ? null : codeOf(run) } : {}),
    },
  };
}

function codeOf(run: Run): string {
  const { house, operation } = run;
  const opened = house.vault.open(operation.secrets_sealed!, `operation:${operation.id}`);
  return (JSON.parse(opened) as { auth_code: string }).auth_code;
}

async function hostsOf(
  run: Run,
  domain: Domain,
  rules: TldRules,
  nameservers: readonly string[] | undefined,
  view: RegistryDomain,
): Promise<Ensured<HostAddresses[]> | undefined> {
  if (!nameservers) return undefined;
  if (rules.nameservers.host_model === 'attributes') {
    // RFC 5731 1.1: no host objects there; glue travels with the delegation itself.
    const children = await readChildHosts(run.house.db.as(everyTenant), domain.id);
    const addresses = new Map(children.map((child) => [child.hostname, child.addresses]));
    const withGlue = nameservers.map((hostname) => ({
      hostname,
      addresses: isBelow(hostname, domain.name) ? (addresses.get(hostname) ?? []) : [],
    }));
    return { kind: 'ready', value: withGlue };
  }
  const absent = nameservers.filter((hostname) => !view.nameservers.includes(hostname));
  const made = await ensureHosts(run, absent, domain.name);
  if (made.kind === 'stopped') return made;
  return { kind: 'ready', value: nameservers.map((hostname) => ({ hostname, addresses: [] })) };
}

async function contactsOf(
  run: Run,
  wanted: UpdateRequest['wanted']['contacts'],
): Promise<Ensured<Pick<Target, 'registrant' | 'contacts'>> | undefined> {
  if (!wanted) return undefined;
  const made = await ensureContacts(
    run,
    Object.values(wanted).filter((id) => id !== null),
  );
  if (made.kind === 'stopped') return made;
  const handle = (id: string | null) => (id === null ? null : (made.value.get(id) ?? null));
  const registrant = handle(wanted.registrant);
  return {
    kind: 'ready',
    value: {
      ...(registrant === null ? {} : { registrant }),
      contacts: { admin: handle(wanted.admin), tech: handle(wanted.tech), billing: handle(wanted.billing) },
    },
  };
}
