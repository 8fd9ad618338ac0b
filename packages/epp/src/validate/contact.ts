import type { ContactRequest, Phone, PostalAddress, PostalInfoChange } from '../model/contact.ts';
import type { RegistryProfile } from '../profile.ts';
import {
  checkClientStatuses,
  checkCount,
  checkDistinct,
  checkLine,
  checkNewSecret,
  checkObjectId,
  checkProof,
  checkToken,
  refuse,
} from './common.ts';
import { checkKeysys, checkTldExtensions } from './extras.ts';

const CLIENT_STATUSES = ['clientDeleteProhibited', 'clientTransferProhibited', 'clientUpdateProhibited'];
const MAX_LINE = 255;
const MAX_STREET_LINES = 3;

export function checkContactRequest(request: ContactRequest, profile: RegistryProfile): void {
  if (request.verb === 'check') {
    checkCount(request.ids.length, 'ids', profile.limits.maxNamesPerCheck);
    for (const id of request.ids) checkObjectId(id, 'ids');
    return;
  }
  checkObjectId(request.id, 'id');
  const rules = { ...profile.rules, ...profile.contacts };
  switch (request.verb) {
    case 'create':
      if (request.postal.length === 0) refuse('postal', 'none given');
      for (const info of request.postal) {
        checkLine(info.name, 'postal.name', MAX_LINE, 1);
        if (info.addr === undefined) refuse('postal.addr', 'missing');
      }
      checkPostal(request.postal);
      checkPhone(request.voice, 'voice');
      checkPhone(request.fax, 'fax');
      checkEmail(request.email);
      checkNewSecret(request.authInfo, rules);
      checkTldExtensions(request.ext?.tld);
      checkKeysys(request.ext?.keysys);
      return;
    case 'update':
      checkUpdate(request, profile);
      return;
    case 'transfer':
      if (request.op === 'request' && request.authInfo === undefined) refuse('authInfo', 'missing');
      checkProof(request.authInfo);
      return;
    case 'info':
      checkProof(request.authInfo);
      return;
    case 'delete':
      return;
  }
}

function checkUpdate(request: Extract<ContactRequest, { verb: 'update' }>, profile: RegistryProfile): void {
  const { addStatuses, remStatuses, chg, ext } = request;
  const extended = ext !== undefined && Object.keys(ext).length > 0;
  if (addStatuses === undefined && remStatuses === undefined && chg === undefined && !extended) {
    refuse('update', 'nothing to change');
  }
  checkClientStatuses(addStatuses, CLIENT_STATUSES, 'addStatuses');
  checkClientStatuses(remStatuses, CLIENT_STATUSES, 'remStatuses');
  checkTldExtensions(ext?.tld);
  checkKeysys(ext?.keysys);
  if (chg === undefined) return;
  checkPostal(chg.postal ?? []);
  if (chg.voice?.number !== '') checkPhone(chg.voice, 'voice');
  if (chg.fax?.number !== '') checkPhone(chg.fax, 'fax');
  if (chg.email !== undefined) checkEmail(chg.email);
  if (chg.authInfo !== undefined) checkNewSecret(chg.authInfo, { ...profile.rules, ...profile.contacts });
}

function checkPostal(list: readonly PostalInfoChange[]): void {
  checkDistinct(
    list.map((info) => info.type),
    'postal.type',
  );
  for (const info of list) {
    if (info.name !== undefined) checkLine(info.name, 'postal.name', MAX_LINE, 1);
    if (info.org !== undefined) checkLine(info.org, 'postal.org', MAX_LINE);
    if (info.addr !== undefined) checkAddress(info.addr);
    // RFC 5733 2.3: the internationalized form is 7-bit ASCII.
    if (info.type === 'int' && /[^\x20-\x7e]/.test(JSON.stringify([info.name, info.org, info.addr]))) {
      refuse('postal', 'the int form must be ASCII');
    }
  }
}

function checkAddress(addr: PostalAddress): void {
  if (addr.street.length > MAX_STREET_LINES) refuse('postal.street', `more than ${MAX_STREET_LINES} lines`);
  for (const line of addr.street) checkLine(line, 'postal.street', MAX_LINE);
  checkLine(addr.city, 'postal.city', MAX_LINE, 1);
  if (addr.sp !== undefined) checkLine(addr.sp, 'postal.sp', MAX_LINE);
  if (addr.pc !== undefined) {
    checkLine(addr.pc, 'postal.pc', 16);
    checkToken(addr.pc, 'postal.pc');
  }
  if (!/^[A-Z]{2}$/.test(addr.cc)) refuse('postal.cc', 'not a country code');
}

/** RFC 5733 section 4, e164StringType: the form and the maximum length. */
const MAX_PHONE = 17;

function checkPhone(phone: Phone | undefined, field: string): void {
  if (phone === undefined) return;
  if (!/^\+\d{1,3}\.\d{1,14}$/.test(phone.number)) refuse(field, 'not +CC.number');
  if (phone.number.length > MAX_PHONE) refuse(field, `longer than ${MAX_PHONE} characters`);
}

function checkEmail(email: string): void {
  if (typeof email !== 'string' || email === '') refuse('email', 'missing');
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) refuse('email', 'not an e-mail address');
}
