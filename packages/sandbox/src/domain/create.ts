import { addDays } from '@namehold/base';
import type { DomainCreateRequest, ResponseSpec, TldExtensions } from '@namehold/epp';
import { violatedConstraint } from '@namehold/postgres';
import { changedState } from '../keysys/fields.ts';
import { refuseUnlessAgreed } from '../money/agree.ts';
import { feeAnswer } from '../money/fee-answer.ts';
import { priceOf } from '../money/price.ts';
import { checkAuthInfoStrength, hashAuthInfo } from '../registry/auth-info.ts';
import { addYears } from '../registry/calendar.ts';
import { readDomainName } from '../registry/names.ts';
import { readYears } from '../registry/period.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import type { SandboxTld } from '../tlds/index.ts';
import { checkContacts, checkNameServerNumber, readNameServers } from './data-model.ts';
import { readDs } from './ds.ts';
import { contactsNamed, readExtras } from './extras.ts';
import { findCreateFacts, type Inserted, insertDomain, type NewDomain } from './insert.sql.ts';
import { requireAllFound } from './link.sql.ts';
import { dueOf } from './record.ts';
import { checkRegistration } from './registration.ts';

/** RFC 5731 3.2.1. */
export async function createDomain(call: Call, command: DomainCreateRequest): Promise<ResponseSpec> {
  const { name, label, tld } = readDomainName(call.registry.tlds, command.name);
  if (tld.reserved.includes(label)) refuse(2306, `${name} is reserved`);
  checkRegistration(tld, label, command.ext, call.at);
  const years = readYears(tld, command.period);
  const contacts = command.contacts ?? [];
  const registrant = command.registrant ?? null;
  checkContacts(tld, registrant, contacts);
  const ns = readNameServers(tld, name, command.ns);
  checkNameServerNumber(tld, ns.hosts.length);
  if (call.registry.endpoint.needsAuthInfo && command.authInfo.pw === '') refuse(2003, 'authInfo is missing');
  checkAuthInfoStrength(tld.rules, command.authInfo.pw, tld.authInfoHas);
  const price = priceOf(tld, label, 'create', years);
  refuseUnlessAgreed(tld, label, 'create', price, command.ext?.fee);
  const expiresAt = addYears(call.at, years);
  const domain: NewDomain = {
    name,
    tld: tld.tld,
    years,
    price,
    expiresAt,
    registrant,
    contacts,
    ...firstPhase(tld, call.at, expiresAt),
    extensions: await extrasFor(call, command, tld),
    authHash: hashAuthInfo(command.authInfo.pw),
    nsAttributes: ns.model === 'attributes' ? ns.hosts : null,
    hosts: ns.model === 'objects' ? ns.hosts : [],
    ds: readDs(tld, name, command.ext?.secDNS),
    keysys: changedState(call, command, null),
  };
  const inserted = await insert(call, domain);
  call.effects.dueAt.push(domain.dueAt);
  if (inserted.isLowBalance) call.effects.messagesFor.add(call.clientId);
  return {
    results: [{ code: domain.phase === 'pendingCreate' ? 1001 : 1000 }],
    data: { object: 'domain', type: 'creData', name, crDate: call.at, exDate: expiresAt },
    ...(command.ext?.fee === undefined ? {} : { ext: { fee: feeAnswer(tld, 'create', years, price, inserted) } }),
  };
}

async function insert(call: Call, domain: NewDomain): Promise<Inserted> {
  try {
    return (
      (await insertDomain(call.registry.db.autocommit(registryTenant), call, domain)) ??
      (await refuseWithReason(call, domain))
    );
  } catch (error) {
    // For concurrent creates the unique index decides. A host or contact removed in between "does not exist".
    const constraint = violatedConstraint(error);
    if (constraint === 'domain_name_key') refuse(2302, 'the name was registered just now');
    if (constraint?.endsWith('_fkey')) refuse(2303, 'a host or contact is gone');
    throw error;
  }
}

/** Nothing was written; the most specific reason comes first. */
async function refuseWithReason(call: Call, domain: NewDomain): Promise<never> {
  const handles = domain.contacts.map((contact) => contact.id);
  if (domain.registrant !== null) handles.push(domain.registrant);
  const facts = await findCreateFacts(call.registry.db.as(registryTenant), domain.name, handles, domain.hosts);
  if (facts.taken) refuse(2302, `${domain.name} is registered`);
  requireAllFound(new Map(facts.contacts.map((contact) => [contact.handle, contact])), handles, 'contact');
  requireAllFound(new Map(facts.hosts.map((host) => [host, host])), domain.hosts, 'host');
  refuse(2104, 'the account balance is too low');
}

/** If the TLD requires more, the registrant's contact may carry it. */
async function extrasFor(call: Call, command: DomainCreateRequest, tld: SandboxTld): Promise<TldExtensions> {
  const { registrant, ext } = command;
  if (tld.extra === undefined) return readExtras(tld, ext?.tld, new Map(), null);
  const handles = [...(registrant === undefined ? [] : [registrant]), ...contactsNamed(ext?.tld)];
  const facts = await findCreateFacts(call.registry.db.as(registryTenant), command.name.toLowerCase(), handles, []);
  if (facts.taken) refuse(2302, `${command.name} is registered`);
  const known = new Map(facts.contacts.map((contact) => [contact.handle, contact]));
  requireAllFound(known, handles, 'contact');
  return readExtras(tld, ext?.tld, known, registrant ?? null);
}

function firstPhase(tld: SandboxTld, at: Date, expiresAt: Date) {
  const phase: NewDomain['phase'] = tld.pendingCreate ? 'pendingCreate' : 'active';
  const phaseUntil = tld.pendingCreate ? addDays(at, tld.pendingCreate.reviewDays) : null;
  const graceDays = tld.graceDays.add;
  return {
    phase,
    phaseUntil,
    dueAt: dueOf({ phase, phaseUntil, expiresAt }),
    graceEndsAt: graceDays > 0 ? addDays(at, graceDays) : null,
  };
}
