import type { Tx } from '@namehold/postgres';
import { lockContact, saveContact } from '../contact/contact.sql.ts';
import { checkDetails } from '../contact/details.ts';
import { lockDomain, saveDomain } from '../domain/domain.sql.ts';
import { findHosts, linkHosts, replaceDs, unlinkAllHosts } from '../domain/link.sql.ts';
import type { DomainRecord } from '../domain/record.ts';
import { makeHosts } from '../host/host.sql.ts';
import { registryAccountId } from '../identity/accounts.ts';
import { isRegistrar } from '../identity/registrar.sql.ts';
import { hashAuthInfo } from '../registry/auth-info.ts';
import { readHostName } from '../registry/names.ts';
import { noEffects, registryTenant } from '../registry/registry.ts';
import { type ControlCall, ControlError } from './control.ts';
import { domainDump } from './domains.ts';
import { notifyChange } from './notify-change.ts';

type Body = Readonly<Record<string, unknown>>;

const fields = new Set([
  'add_statuses',
  'rem_statuses',
  'name_servers',
  'ds',
  'registrant',
  'sponsor',
  'expires_at',
  'auth_info',
  'contact',
  'told',
]);

/**
 * Changes a domain without its registrar, like a court order, a mistake or an attack. No message is sent, unless `told` names who did
 * it.
 * `contact` is `{"id": "...", "details": {...}}` and changes a contact's own data.
 */
export const tamperDomain: ControlCall = async (control, { parts, body }) => {
  const { registry } = control;
  const name = (parts[0] ?? '').toLowerCase();
  for (const field of Object.keys(body)) if (!fields.has(field)) throw new ControlError(400, `unknown field ${field}`);
  const effects = noEffects();
  const due = await registry.db.transaction(registryTenant, async (tx) => {
    const domain = await lockDomain(tx, name);
    if (domain === undefined) throw new ControlError(404, `${name} is not registered`);
    const changed = await changedRow(tx, domain, body);
    const nsAttributes = await replaceNameServers(tx, domain, body.name_servers, registry.clock.now());
    if (body.ds !== undefined) await replaceDs(tx, domain.id, body.ds as DomainRecord['ds']);
    if (body.contact !== undefined) await changeContact(tx, body.contact as Body);
    const next = await saveDomain(tx, { ...changed, nsAttributes });
    if (body.told !== undefined) {
      const after = (await lockDomain(tx, name))!;
      await notifyChange(tx, registry, effects, body.told as Body, { before: domain, after });
    }
    return next;
  });
  registry.horizon.note(due);
  for (const clientId of effects.messagesFor) registry.messageCounts.changed(clientId);
  return domainDump(control, name);
};

const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

async function changedRow(tx: Tx, domain: DomainRecord, body: Body): Promise<DomainRecord> {
  const gone = list(body.rem_statuses);
  const statuses = [
    ...new Set([...domain.statuses.filter((each) => !gone.includes(each)), ...list(body.add_statuses)]),
  ];
  let { registrantId } = domain;
  if (body.registrant !== undefined) {
    const contact = await lockContact(tx, String(body.registrant));
    if (contact === undefined) throw new ControlError(400, `no contact ${String(body.registrant)}`);
    registrantId = contact.id;
  }
  if (body.sponsor !== undefined) await refuseUnlessKnown(tx, String(body.sponsor));
  const expiresAt = body.expires_at === undefined ? domain.expiresAt : new Date(String(body.expires_at));
  if (Number.isNaN(expiresAt.getTime())) throw new ControlError(400, 'expires_at must be a date');
  return {
    ...domain,
    statuses,
    registrantId,
    expiresAt,
    sponsor: body.sponsor === undefined ? domain.sponsor : String(body.sponsor),
    authHash: body.auth_info === undefined ? domain.authHash : hashAuthInfo(String(body.auth_info)),
  };
}

async function refuseUnlessKnown(tx: Tx, account: string): Promise<void> {
  if (!(await isRegistrar(tx, account))) throw new ControlError(400, `no account ${account}`);
}

/** Missing hosts are created as the registry's own. */
async function replaceNameServers(tx: Tx, domain: DomainRecord, value: unknown, at: Date) {
  if (value === undefined) return domain.nsAttributes;
  const names = list(value).map(readHostName);
  if (domain.nsAttributes !== null) return names.map((name) => ({ name, addresses: [] }));
  await makeHosts(tx, names, registryAccountId, at);
  await unlinkAllHosts(tx, domain.id);
  const hosts = await findHosts(tx, names);
  await linkHosts(tx, domain.id, [...hosts.values()]);
  return null;
}

async function changeContact(tx: Tx, change: Body): Promise<void> {
  const contact = await lockContact(tx, String(change.id));
  if (contact === undefined) throw new ControlError(400, `no contact ${String(change.id)}`);
  const details = checkDetails({ ...contact.details, ...(change.details as object) });
  await saveContact(tx, { ...contact, details });
}
