import type { DomainAddRem, DomainContact, DomainCreateRequest, DomainRequest, NameServers } from '../model/domain.ts';
import { type RegistryProfile, rulesFor, type TldRules } from '../profile.ts';
import {
  checkAddresses,
  checkClientStatuses,
  checkCount,
  checkDistinct,
  checkFeeQuery,
  checkFees,
  checkName,
  checkNewSecret,
  checkObjectId,
  checkPeriod,
  checkProof,
  checkSecret,
  refuse,
} from './common.ts';
import {
  checkAllocationToken,
  checkIdn,
  checkKeysys,
  checkOrganisations,
  checkSync,
  checkTldExtensions,
} from './extras.ts';
import { checkLaunchCreate, checkLaunchPhase } from './launch.ts';
import { checkRestore } from './rgp.ts';
import { checkSecDnsRecords, checkSecDnsUpdate } from './secDNS.ts';

const CLIENT_STATUSES = [
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
];

export function checkDomainRequest(request: DomainRequest, profile: RegistryProfile): void {
  if (request.verb !== 'info') checkKeysys(request.ext?.keysys);
  if (request.verb === 'check') {
    checkCount(request.names.length, 'names', profile.limits.maxNamesPerCheck);
    for (const name of request.names) checkName(name, 'names');
    checkDistinct(request.names, 'names');
    checkFeeQuery(request.ext?.fee, profile.rules);
    checkLaunchPhase(request.ext?.launch?.phase);
    checkAllocationToken(request.ext?.allocationToken);
    return;
  }
  checkName(request.name, 'name');
  const rules = rulesFor(profile, request.name);
  switch (request.verb) {
    case 'info':
      checkProof(request.authInfo);
      checkLaunchPhase(request.ext?.launch?.phase);
      return;
    case 'create':
      checkCreate(request, rules);
      return;
    case 'renew':
      checkDay(request.curExpDate);
      checkPeriod(request.period, rules);
      checkFees(request.ext?.fee);
      return;
    case 'transfer':
      // RFC 5731 3.2.4: a request must contain proof of authorisation.
      if (request.op === 'request' && request.authInfo === undefined) refuse('authInfo', 'missing');
      checkAllocationToken(request.ext?.allocationToken);
      checkProof(request.authInfo);
      checkPeriod(request.period, rules);
      checkFees(request.ext?.fee);
      return;
    case 'update':
      checkUpdate(request, rules);
      return;
    case 'delete':
      checkLaunchPhase(request.ext?.launch?.phase);
      return;
  }
}

/** RFC 5731 3.2.3: without the current expiry a repeated renew would charge twice. */
function checkDay(day: string | undefined): void {
  if (day === undefined || day === '') refuse('curExpDate', 'missing');
  const moment = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined;
  const real = moment !== undefined && !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 10) === day;
  if (!real) refuse('curExpDate', 'not a date as YYYY-MM-DD');
}

function checkCreate(request: DomainCreateRequest, rules: TldRules): void {
  checkPeriod(request.period, rules);
  checkRegistrant(request.registrant, request.contacts ?? [], rules);
  checkNameServers(request.ns, rules, 'ns');
  if (rules.minNameServers > 0 && (request.ns?.hosts.length ?? 0) < rules.minNameServers) {
    refuse('ns', `fewer than ${rules.minNameServers}`);
  }
  checkNewSecret(request.authInfo, rules);
  if (request.ext?.secDNS !== undefined) checkSecDnsRecords(request.ext.secDNS, rules);
  checkFees(request.ext?.fee);
  checkTldExtensions(request.ext?.tld);
  checkIdn(request.ext?.idn);
  checkLaunchCreate(request.ext?.launch);
  checkAllocationToken(request.ext?.allocationToken);
  checkOrganisations(request.ext?.organisations);
}

/** ICANN's registryDataModel: `minimum` must refuse a registrant, `maximum` must require one. */
function checkRegistrant(registrant: string | undefined, contacts: readonly DomainContact[], rules: TldRules): void {
  if (rules.dataModel === 'minimum' || rules.dataModel === 'thin') {
    if (registrant !== undefined) refuse('registrant', 'this TLD takes no contacts');
    if (contacts.length > 0) refuse('contacts', 'this TLD takes no contacts');
    return;
  }
  if (registrant !== undefined) checkObjectId(registrant, 'registrant');
  else if (rules.dataModel === 'maximum') refuse('registrant', 'missing');
  checkContacts(contacts);
  for (const type of rules.requiredContacts) {
    if (!contacts.some((contact) => contact.type === type)) refuse(`contacts.${type}`, 'missing');
  }
}

function checkContacts(contacts: readonly DomainContact[]): void {
  for (const contact of contacts) checkObjectId(contact.id, `contacts.${contact.type}`);
  checkDistinct(
    contacts.map((contact) => `${contact.type} ${contact.id}`),
    'contacts',
  );
}

function checkNameServers(ns: NameServers | undefined, rules: TldRules, field: string): void {
  if (ns === undefined || ns.hosts.length === 0) return;
  if (ns.model !== rules.hostModel) refuse(field, `this TLD takes name servers as ${rules.hostModel}`);
  if (ns.hosts.length > rules.maxNameServers) refuse(field, `more than ${rules.maxNameServers}`);
  const names = ns.model === 'objects' ? ns.hosts : ns.hosts.map((host) => host.name);
  for (const name of names) checkName(name, field);
  checkDistinct(names, field);
  if (ns.model === 'attributes') for (const host of ns.hosts) checkAddresses(host.addresses, field);
}

function checkUpdate(request: Extract<DomainRequest, { verb: 'update' }>, rules: TldRules): void {
  const { add, rem, chg, ext } = request;
  // RFC 5731 3.2.5: at least one part, unless an extension contains the change.
  const extended = ext !== undefined && Object.keys(ext).length > 0;
  if (add === undefined && rem === undefined && chg === undefined && !extended) refuse('update', 'nothing to change');
  checkPart(add, rules, 'add');
  checkPart(rem, rules, 'rem');
  if (chg?.registrant !== undefined && chg.registrant !== '') checkObjectId(chg.registrant, 'chg.registrant');
  const auth = chg?.authInfo;
  if (auth !== undefined && !('unset' in auth) && !(auth.pw === '' && rules.secureAuthInfo)) checkSecret(auth, rules);
  if (ext?.secDNS !== undefined) checkSecDnsUpdate(ext.secDNS, rules);
  if (ext?.rgp !== undefined) checkRestore(ext.rgp);
  checkFees(ext?.fee);
  checkTldExtensions(ext?.tld);
  checkLaunchPhase(ext?.launch?.phase);
  for (const list of Object.values(ext?.organisations ?? {})) checkOrganisations(list);
  checkSync(ext?.sync);
}

function checkPart(part: DomainAddRem | undefined, rules: TldRules, field: 'add' | 'rem'): void {
  if (part === undefined) return;
  checkNameServers(part.ns, rules, `${field}.ns`);
  checkContacts(part.contacts ?? []);
  checkClientStatuses(part.statuses, CLIENT_STATUSES, `${field}.statuses`);
}
