import type { RegistryContact } from '../../../../core/ports/registry.ts';
import { digitsOf, nameParts, phoneParts } from '../../contact-fields.ts';
import type { ContactIds, Role } from '../../dialect.ts';
import { contactsByRole } from '../../roles.ts';

/** Our roles, and the fields of a domain. */
export const roleFields: Readonly<Record<Role, string>> = {
  registrant: 'owner_handle',
  admin: 'admin_handle',
  tech: 'tech_handle',
  billing: 'billing_handle',
};

export const handlesOf = (ids: ContactIds): Record<string, string> =>
  Object.fromEntries(contactsByRole(ids).map(([role, handle]) => [roleFields[role], handle]));

function personOf(name: string): Record<string, string> {
  const { first, last } = nameParts(name);
  return { first_name: first, last_name: last, full_name: name };
}

/** The parts after the country are one number, because their lengths vary. */
function phoneOf(number: string | null): Record<string, string> | undefined {
  const parts = phoneParts(number);
  return parts && { country_code: `+${parts.country}`, area_code: '', subscriber_number: digitsOf(parts.rest) };
}

export type Nested = { [field: string]: unknown };

/** The fields of a customer, which is what a contact is there. */
export function customerOf(contact: RegistryContact, fields: Readonly<Record<string, string>>): Nested {
  const [street = '', ...more] = contact.street;
  const fax = phoneOf(contact.fax);
  const customer: Nested = {
    name: personOf(contact.name),
    ...(contact.organisation === null ? {} : { company_name: contact.organisation }),
    email: contact.email,
    phone: phoneOf(contact.voice) ?? {},
    ...(fax ? { fax } : {}),
    address: {
      street,
      number: '',
      suffix: more.join(', '),
      zipcode: contact.postalCode ?? '',
      city: contact.city,
      state: contact.state ?? '',
      country: contact.countryCode,
    },
  };
  for (const [own, path] of Object.entries(fields)) {
    const value = contact.extra[own];
    if (value !== undefined) place(customer, path.split('.'), value);
  }
  return customer;
}

function place(into: Nested, [first, ...rest]: readonly string[], value: string): void {
  if (first === undefined) return;
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const inner = { ...(into[first] as Nested | undefined) };
  into[first] = inner;
  place(inner, rest, value);
}
