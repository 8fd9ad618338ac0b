import { createHash } from 'node:crypto';
import type { RegistryContact } from '../../../../core/ports/registry.ts';
import { nameParts } from '../../contact-fields.ts';
import type { ContactData, ContactIds, Role } from '../../dialect.ts';
import { type Fields, textOf } from '../../fields.ts';
import { contactsByRole } from '../../roles.ts';
import type { OpsMap } from './envelope.ts';

/** Our roles, and theirs. */
export const roleKeys: Readonly<Record<Role, string>> = {
  registrant: 'owner',
  admin: 'admin',
  tech: 'tech',
  billing: 'billing',
};
const cardKeys = [
  'first_name',
  'last_name',
  'org_name',
  'address1',
  'address2',
  'address3',
  'city',
  'state',
  'postal_code',
  'country',
  'phone',
  'fax',
  'email',
] as const;

function cardOf(contact: RegistryContact): Record<(typeof cardKeys)[number], string> {
  const { first, last } = nameParts(contact.name);
  const [address1 = '', address2 = '', address3 = ''] = contact.street;
  return {
    first_name: first,
    last_name: last,
    org_name: contact.organisation ?? contact.name,
    address1,
    address2,
    address3,
    city: contact.city,
    state: contact.state ?? '',
    postal_code: contact.postalCode ?? '',
    country: contact.countryCode,
    phone: contact.voice,
    fax: contact.fax ?? '',
    email: contact.email,
  };
}

/** OpenSRS may write letters and spaces in another way. */
const normal = (value: unknown): string =>
  (textOf(value) ?? '').normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** OpenSRS has no contacts, so their data identifies them. */
export const idOfCard = (card: Fields): string =>
  createHash('sha256')
    .update(JSON.stringify(cardKeys.map((key) => normal(card[key]))))
    .digest('hex')
    .slice(0, 32);

export const contactIdOf = (contact: RegistryContact): string => idOfCard(cardOf(contact));

/** All four sets. */
export const contactSet = (ids: ContactIds, data: ContactData): OpsMap =>
  Object.fromEntries(
    contactsByRole(ids).flatMap(([role, id]) => {
      const contact = data[id];
      return contact ? [[roleKeys[role], cardOf(contact)]] : [];
    }),
  );
