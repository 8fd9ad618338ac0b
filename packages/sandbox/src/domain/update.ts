import type { DomainContact, DomainUpdateRequest, HostAttribute, ResponseSpec } from '@namehold/epp';
import type { Tx } from '@namehold/postgres';
import { changedState } from '../keysys/fields.ts';
import { checkAuthInfoStrength, hashAuthInfo } from '../registry/auth-info.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant, success } from '../registry/registry.ts';
import { changeStatuses, refuseUnlessUpdatable } from '../registry/status.ts';
import { checkContacts, checkNameServerNumber, readNameServers } from './data-model.ts';
import { saveDomain } from './domain.sql.ts';
import { changeDs } from './ds.ts';
import { contactsNamed, isBoundToRegistrant, readExtras } from './extras.ts';
import {
  findContacts,
  findHosts,
  linkContacts,
  linkHosts,
  replaceDs,
  requireAllFound,
  unlinkContacts,
  unlinkHosts,
} from './link.sql.ts';
import { lockOwnDomain, type OwnDomain, refuseIfPending } from './own.ts';
import { restoreDomain } from './restore.ts';

/** RFC 5731 3.2.5. */
export async function updateDomain(call: Call, command: DomainUpdateRequest): Promise<ResponseSpec> {
  return call.registry.db.transaction(registryTenant, async (tx) => {
    const own = await lockOwnDomain(tx, call, command.name);
    const restore = command.ext?.rgp;
    if (restore !== undefined) return restoreDomain(tx, call, command, own, restore);
    refuseIfPending(own.domain);
    refuseUnlessUpdatable(own.domain.statuses, {
      rem: command.rem?.statuses,
      changesMore: changesMoreThanStatuses(command),
    });
    if (changesNothing(command)) refuse(2003, 'the update changes nothing');
    await applyUpdate(tx, call, command, own);
    return success;
  });
}

const isExtended = ({ ext }: DomainUpdateRequest): boolean =>
  ext?.secDNS !== undefined || ext?.tld !== undefined || ext?.keysys !== undefined;

const changesMoreThanStatuses = (command: DomainUpdateRequest): boolean =>
  command.add !== undefined ||
  command.chg !== undefined ||
  command.rem?.ns !== undefined ||
  command.rem?.contacts !== undefined ||
  isExtended(command);

const changesNothing = (command: DomainUpdateRequest): boolean =>
  command.add === undefined && command.rem === undefined && command.chg === undefined && !isExtended(command);

async function applyUpdate(tx: Tx, call: Call, command: DomainUpdateRequest, own: OwnDomain): Promise<void> {
  const { domain, tld } = own;
  const { add, rem, chg, ext } = command;
  const statuses = changeStatuses('domain', domain.statuses, { add: add?.statuses, rem: rem?.statuses });
  const contacts = await changeContacts(tx, command, own);
  const nsAttributes = await changeNameServers(tx, command, own);
  if (ext?.secDNS !== undefined) await replaceDs(tx, domain.id, changeDs(tld, domain.name, domain.ds, ext.secDNS));
  let { authHash } = domain;
  if (chg?.authInfo !== undefined) {
    // RFC 9154 4.2: null and empty both unset it.
    const pw = 'unset' in chg.authInfo ? '' : chg.authInfo.pw;
    checkAuthInfoStrength(tld.rules, pw, tld.authInfoHas);
    authHash = hashAuthInfo(pw);
  }
  await saveDomain(tx, {
    ...domain,
    ...contacts,
    statuses,
    nsAttributes,
    authHash,
    keysys: changedState(call, command, domain.keysys),
    updater: call.clientId,
    updatedAt: call.at,
  });
}

const contactKey = (contact: DomainContact): string => `${contact.type} ${contact.id}`;

async function changeContacts(tx: Tx, command: DomainUpdateRequest, { domain, tld }: OwnDomain) {
  const { add, rem, chg, ext } = command;
  const added = add?.contacts ?? [];
  const removed = rem?.contacts ?? [];
  if (added.length + removed.length === 0 && chg?.registrant === undefined && !ext?.tld) return {};
  const gone = new Set(removed.map(contactKey));
  const current = new Set(domain.contacts.map(contactKey));
  for (const key of gone) if (!current.has(key)) refuse(2303, `contact ${key} is not linked`);
  for (const contact of added) {
    const key = contactKey(contact);
    if (current.has(key) && !gone.has(key)) refuse(2302, `contact ${key} is linked already`);
  }
  const contacts = [...domain.contacts.filter((contact) => !gone.has(contactKey(contact))), ...added];
  const registrant = chg?.registrant === undefined ? domain.registrant : chg.registrant || null;
  checkContacts(tld, registrant, contacts);
  const handles = [...added.map((contact) => contact.id), ...contactsNamed(ext?.tld)];
  if (registrant !== null) handles.push(registrant);
  const known = await findContacts(tx, handles);
  requireAllFound(known, handles, 'contact');
  const isRequired = ext?.tld || (isBoundToRegistrant(tld) && chg?.registrant !== undefined);
  const extensions = isRequired ? readExtras(tld, ext?.tld, known, registrant) : domain.extensions;
  await unlinkContacts(tx, domain.id, removed);
  const links = added.map((contact) => ({ type: contact.type, contactId: known.get(contact.id)?.id ?? '' }));
  await linkContacts(tx, domain.id, links);
  return { extensions, registrantId: registrant === null ? null : (known.get(registrant)?.id ?? null) };
}

async function changeNameServers(
  tx: Tx,
  command: DomainUpdateRequest,
  { domain, tld, name }: OwnDomain,
): Promise<readonly HostAttribute[] | null> {
  if (command.add?.ns === undefined && command.rem?.ns === undefined) return domain.nsAttributes;
  const add = readNameServers(tld, name, command.add?.ns);
  const remNames = removedNames(command, tld.rules.hostModel);
  const current = domain.nsAttributes?.map((host) => host.name) ?? domain.hosts;
  for (const host of remNames) if (!current.includes(host)) refuse(2303, `name server ${host} is not linked`);
  const kept = current.filter((host) => !remNames.includes(host));
  const addNames = add.hosts.map((host) => (typeof host === 'string' ? host : host.name));
  for (const host of addNames) if (kept.includes(host)) refuse(2302, `name server ${host} is linked already`);
  checkNameServerNumber(tld, kept.length + addNames.length);
  if (add.model === 'attributes') {
    return [...(domain.nsAttributes ?? []).filter((host) => kept.includes(host.name)), ...add.hosts];
  }
  const hostIds = requireAllFound(await findHosts(tx, addNames), addNames, 'host');
  await unlinkHosts(tx, domain.id, remNames);
  await linkHosts(tx, domain.id, hostIds);
  return domain.nsAttributes;
}

/** Removals are matched by name only; addresses beside it (attributes) are not compared. */
function removedNames(command: DomainUpdateRequest, hostModel: 'objects' | 'attributes'): string[] {
  const rem = command.rem?.ns;
  if (rem === undefined) return [];
  if (rem.model !== hostModel) refuse(2306, `name servers are host ${hostModel} here`);
  return rem.model === 'objects'
    ? rem.hosts.map((host) => host.toLowerCase())
    : rem.hosts.map((host) => host.name.toLowerCase());
}
