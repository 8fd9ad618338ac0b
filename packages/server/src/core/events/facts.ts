import { z } from 'zod';
import { accessLevels } from '../model/customer-access.ts';

/** Fields of payloads. One name has one meaning in every event. */

/** Code may pass a Date; it is stored and sent as text. */
export const instant = (about: string) =>
  z.iso.datetime().describe(`${about} RFC 3339, whole seconds, UTC.`) as unknown as z.ZodType<string, Date | string>;

export const id = (about: string) =>
  z
    .string()
    .regex(/^[0-9]{1,18}$/)
    .describe(about);

export const text = (about: string) => z.string().describe(about);

export const figure = (about: string) => z.int().describe(about);

const domainName = text('The domain name, in A-labels.');

export const money = (about: string) =>
  z
    .strictObject({
      amount: text('Decimal amount in the major unit.'),
      currency: text('ISO 4217 code.'),
    })
    .describe(about);

export const ofDomain = { domain_id: id('The domain.'), domain_name: domainName };

export const ofOperation = {
  ...ofDomain,
  operation_id: text('The operation.'),
  transaction_id: id('The transaction; null if nothing is bought.').nullable(),
};

/** The registry's answer when it refused. */
export const refusal = {
  registry_code: figure('Result code of the registry (RFC 5730 3).').optional(),
  reason: text('The message of the registry.').optional(),
};

export const ofZone = {
  ...ofDomain,
  serial: figure('Serial of the zone.'),
};

const ds = z.strictObject({
  keytag: figure('Key tag.'),
  algorithm: figure('Algorithm of the key.'),
  digesttype: figure('Type of the digest.'),
  digest: text('Digest in hexadecimal.'),
  key: z
    .strictObject({
      flags: figure('Flags of the key.'),
      protocol: figure('Protocol of the key.'),
      pubkey: text('The key in base64.'),
    })
    .optional()
    .describe('The key, if the registry accepts keys.'),
});

const host = z.strictObject({ hostname: text('Host name.'), addresses: z.array(z.string()).readonly() });

const contact = (role: string) => id(`Contact: ${role}.`).nullable();

/** Fields of a domain that a change can affect; only those that differ are sent. */
export const settings = z
  .strictObject({
    nameservers: z.array(z.string()).readonly().describe('The nameservers.'),
    registrant_contact_id: contact('registrant'),
    admin_contact_id: contact('administration'),
    tech_contact_id: contact('technical'),
    billing_contact_id: contact('billing'),
    locked: z.boolean().describe('No change, transfer or deletion.'),
    locked_reason: z.string().nullable().describe('Reason of the lock.'),
    suspended: z.boolean().describe('Removed from the DNS.'),
    suspended_reason: z.string().nullable().describe('Reason of the suspension.'),
    suspended_open: z.boolean().describe('Suspended, but changes are allowed.'),
    theft_protection: z.boolean().describe('No transfer to another registrar.'),
    unverified: z.boolean().describe('Removed from the DNS until the registrant confirms the email address.'),
    unpaid: z.boolean().describe('Removed from the DNS because its next term is unpaid.'),
    ds: z.array(ds).readonly().describe('Delegation signer records.'),
    child_hosts: z.array(host).readonly().describe('Nameservers inside the domain.'),
    privacy_enabled: z.boolean().describe('The registrant data are hidden.'),
    privacy_until: instant('End of the paid privacy protection.').nullable(),
    auth_code_expires_at: instant('End of the validity of the auth code.').nullable(),
  })
  .partial();

export const zoneChange = {
  ...ofZone,
  previous_serial: figure('Serial before the change; null: the zone is new.').nullable(),
  kind: z.enum(['create', 'change', 'replace', 'import', 'rollback', 'template']).describe('How it was changed.'),
  added: figure('Records added.'),
  deleted: figure('Records deleted.'),
};

export const templateRefused = {
  ...ofZone,
  zone_template_id: text('The template.'),
  reason: text('Why it was not applied.'),
};

export const ofTemplate = {
  zone_template_id: text('The template.'),
  name: text('Name of the template.'),
  version: figure('Version of the template.'),
};

/** What an event can be about. */
export type ObjectType =
  | 'domain'
  | 'contact'
  | 'zone'
  | 'transaction'
  | 'customer'
  | 'invitation'
  | 'operation'
  | 'reseller'
  | 'notice'
  | 'order'
  | 'invoice'
  | 'payment'
  | 'mail_target'
  | 'zone_template';

export const ofAccessGrant = {
  customer_id: id('The customer.'),
  access: z.enum(accessLevels).describe('The access level.'),
  how: z
    .enum(['access', 'password', 'address'])
    .describe(
      'Whether the access was raised, a temporary password was made, or the email address of the login was changed.',
    ),
  key_id: text('The API key of the request; null: none.').nullable(),
  person_id: text('The user of the request; null: none.').nullable(),
};

export const ofAccessReduction = {
  customer_id: id('The customer.'),
  access: z.enum(accessLevels).describe('The access level.'),
  access_before: z.enum(accessLevels).describe('The access level before.'),
  key_id: ofAccessGrant.key_id,
  person_id: ofAccessGrant.person_id,
};
