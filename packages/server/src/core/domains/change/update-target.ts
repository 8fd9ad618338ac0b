import { isBelow } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { type Domain, type Roles, rolesOf, sentRolesOf, wantedStatuses } from '../../model/domain.ts';
import type { EncryptedSecrets, UpdateRequest } from '../../model/domain-change.ts';
import { keepsContacts, type TldRules } from '../../model/tld.ts';
import type { Run } from '../../operations/run.ts';
import type { HostAddresses, RegistryDomain } from '../../ports/registry.ts';
import { declarantOf } from '../buy/declaration.ts';
import { type Ensured, ensureContacts, hideBy } from '../registry/ensure-contacts.ts';
import { ensureHosts } from '../registry/ensure-hosts.ts';
import { upstreamPrivacy } from '../registry/upstream-privacy.ts';
import { readChildHosts } from './child-hosts.sql.ts';
import { flagsAfter, type Target } from './wanted.ts';

/** Creates the hosts and contacts that the change needs, and expresses the wanted state in registry terms. */
export async function targetOf(
  run: Run,
  domain: Domain,
  rules: TldRules,
  request: UpdateRequest,
  view: RegistryDomain,
): Promise<Ensured<Target>> {
  const { wanted } = request;
  const hosts = await hostsOf(run, domain, wanted.nameservers, view);
  if (hosts?.kind === 'stopped') return hosts;
  const contacts = keepsContacts(rules) ? await contactsOf(run, domain, rules, wanted) : undefined;
  if (contacts?.kind === 'stopped') return contacts;
  const privacy = upstreamPrivacy(run, rules, wanted.privacy);
  if (privacy.kind === 'stopped') return privacy;
  return {
    kind: 'ready',
    value: {
      ...privacy.value,
      ...(hosts ? { nameservers: hosts.value } : {}),
      ...contacts?.value,
      ...(wanted.flags ? { flags: wanted.flags } : {}),
      statuses: wantedStatuses(flagsAfter(domain, wanted)),
      ...(wanted.addDs ? { addDs: wanted.addDs } : {}),
      ...(wanted.removeDs ? { removeDs: wanted.removeDs } : {}),
      ...codeTarget(run, wanted.authCode),
    },
  };
}

/** A code that the registry makes is only read. */
function codeTarget(run: Run, wanted: UpdateRequest['wanted']['authCode']): Pick<Target, 'authCode'> {
  if (wanted === undefined || (wanted === 'set' && run.registry.readAuthCode)) return {};
  return { authCode: wanted === 'unset' ? null : codeOf(run) };
}

function codeOf(run: Run): string {
  const { ctx, operation } = run;
  const opened = ctx.vault.open(operation.secrets_sealed!, `operation:${operation.id}`);
  return (JSON.parse(opened) as EncryptedSecrets).auth_code;
}

async function hostsOf(
  run: Run,
  domain: Pick<Domain, 'id' | 'name'>,
  nameservers: readonly string[] | undefined,
  view: RegistryDomain,
): Promise<Ensured<HostAddresses[]> | undefined> {
  if (!nameservers) return undefined;
  if (run.registry.capabilitiesOf(domain.name).hostModel === 'attributes') {
    // RFC 5731 1.1: hosts are attributes here; glue is sent with the delegation itself.
    const children = await readChildHosts(run.ctx.db.as(allTenants), domain.id);
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

type ContactTarget = Pick<Target, 'registrant' | 'declarant' | 'contacts'>;

async function contactsOf(
  run: Run,
  domain: Domain,
  rules: TldRules,
  wanted: UpdateRequest['wanted'],
): Promise<Ensured<ContactTarget> | undefined> {
  if (!wanted.contacts && wanted.privacy === undefined) return undefined;
  return contactTarget(run, domain, rules, wanted.contacts ?? rolesOf(domain), wanted.privacy ?? domain.privacy_sent);
}

/** The handles of these contacts, the private ones if the registrant is hidden; missing contacts are created. */
export async function contactTarget(
  run: Run,
  { name, extra }: Pick<Domain, 'name' | 'extra'>,
  rules: TldRules,
  all: Roles,
  isPrivate: boolean,
): Promise<Ensured<ContactTarget>> {
  const roles = sentRolesOf(all, run.registry.capabilitiesOf(name));
  const declares = declarantOf(run.ctx, rules, extra, roles.registrant);
  const contactIds = [...Object.values(roles), declares].filter((id) => id !== null);
  const made = await ensureContacts(run, contactIds, hideBy(rules, isPrivate));
  if (made.kind === 'stopped') return made;
  const handle = (id: string | null) => (id === null ? null : (made.value.get(id) ?? null));
  const [registrant, declarant] = [handle(roles.registrant), handle(declares)];
  return {
    kind: 'ready',
    value: {
      ...(registrant === null ? {} : { registrant }),
      ...(declarant === null ? {} : { declarant }),
      contacts: { admin: handle(roles.admin), tech: handle(roles.tech), billing: handle(roles.billing) },
    },
  };
}
