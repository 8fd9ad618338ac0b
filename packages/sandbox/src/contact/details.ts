import type { PostalInfo } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import type { ContactDetails } from './record.ts';

/** Created for the first contact: it takes 20 ms, and the start of a service waits for this registry. */
let regions: Intl.DisplayNames | undefined;
/** Codes that the runtime knows but ISO 3166-1 does not assign. */
const notCountries = new Set([
  'EU',
  'UN',
  'EZ',
  'XA',
  'XB',
  'XK',
  'ZZ',
  'QO',
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'IC',
  'TA',
]);

function isCountry(cc: string): boolean {
  regions ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return /^[A-Z]{2}$/.test(cc) && !notCountries.has(cc) && regions.of(cc) !== undefined;
}

/** RFC 5322 addr-spec in the form that registries accept: a local part, and a host name of two or more labels. */
const email =
  /^[^\s@<>()[\]\\,;:"]{1,64}@(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;
/** RFC 5733 2.5. */
const phone = /^\+[0-9]{1,3}\.[0-9]{1,14}$/;

/** RFC 5733 3.2.1 and 3.2.5: rules for a contact that the schema cannot express. */
export function checkDetails(details: ContactDetails): ContactDetails {
  const { postal } = details;
  if (postal.length === 0) refuse(2003, 'postalInfo is missing');
  if (new Set(postal.map((info) => info.type)).size !== postal.length) refuse(2306, 'postalInfo of one type twice');
  for (const info of postal) checkPostal(info);
  if (!email.test(details.email)) refuse(2005, 'the e-mail address is not valid');
  for (const number of [details.voice, details.fax]) {
    if (number !== undefined && !phone.test(number.number)) refuse(2005, 'a phone number is +CC.number');
  }
  return details;
}

function checkPostal(info: PostalInfo): void {
  const texts = [
    info.name,
    info.org ?? '',
    ...info.addr.street,
    info.addr.city,
    info.addr.sp ?? '',
    info.addr.pc ?? '',
  ];
  if (info.name.trim() === '' || info.addr.city.trim() === '') refuse(2003, 'name and city must not be empty');
  // RFC 5733 2.8: the int form is a subset of UTF-8 that fits 7-bit ASCII.
  if (info.type === 'int' && texts.some((text) => !/^[\x20-\x7e]*$/.test(text))) {
    refuse(2005, 'postalInfo of type int is ASCII');
  }
  if (!isCountry(info.addr.cc)) refuse(2005, `${info.addr.cc} is not an ISO 3166-1 country code`);
}
