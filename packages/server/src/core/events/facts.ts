import { z } from 'zod';
import { accessLevels } from '../customers/access.ts';

/** What payloads are made of. One word means one thing in every event. */

/** Code may hand over a Date; it is stored and told as text. */
export const instant = (about: string) =>
  z.iso.datetime().describe(`${about} RFC 3339, whole seconds, UTC.`) as unknown as z.ZodType<string, Date | string>;

export const id = (about: string) =>
  z
    .string()
    .regex(/^[0-9]{1,18}$/)
    .describe(about);

export const text = (about: string) => z.string().describe(about);

export const figure = (about: string) => z.int().describe(about);

const domainName = text('The name, in A-labels.');

export const money = (about: string) =>
  z
    .strictObject({
      amount: text('Decimal figure in the major unit.'),
      currency: text('ISO 4217 code.'),
    })
    .describe(about);

export const ofDomain = { domain_id: id('The domain.'), domain_name: domainName };

export const ofOperation = {
  ...ofDomain,
  operation_id: text('The operation that did it, or tried to.'),
  transaction_id: id('The purchase; null where nothing is bought.').nullable(),
};

/** What a registry said when it refused. */
export const refusal = {
  registry_code: figure('Result code of the registry (RFC 5730 3).').optional(),
  reason: text('What the registry said.').optional(),
};

export const ofZone = {
  ...ofDomain,
  serial: figure('Serial of the zone.'),
};

const ds = z.strictObject({
  keytag: figure('Key tag.'),
  algorithm: figure('Algorithm of the key.'),
  digesttype: figure('Kind of digest.'),
  digest: text('Digest in hexadecimal.'),
  key: z
    .strictObject({
      flags: figure('Flags of the key.'),
      protocol: figure('Protocol of the key.'),
      pubkey: text('The key in base64.'),
    })
    .optional()
    .describe('The key itself, where the registry takes keys.'),
});

const host = z.strictObject({ hostname: text('Name of the host.'), addresses: z.array(z.string()).readonly() });

const contact = (role: string) => id(`Contact: ${role}.`).nullable();

/** Fields of a domain that a change can touch; only those that differ are told. */
export const settings = z
  .strictObject({
    nameservers: z.array(z.string()).readonly().describe('The delegation.'),
    registrant_contact_id: contact('the holder'),
    admin_contact_id: contact('administration'),
    tech_contact_id: contact('technics'),
    billing_contact_id: contact('billing'),
    locked: z.boolean().describe('No change, transfer or deletion.'),
    locked_reason: z.string().nullable().describe('Why it is locked.'),
    suspended: z.boolean().describe('Taken out of the DNS.'),
    suspended_reason: z.string().nullable().describe('Why it is suspended.'),
    suspended_open: z.boolean().describe('Suspended, and open to changes.'),
    theft_protection: z.boolean().describe('No transfer away.'),
    unverified: z.boolean().describe('Taken out of the DNS until the holder confirms the address.'),
    unpaid: z.boolean().describe('Taken out of the DNS because its next term is unpaid.'),
    ds: z.array(ds).readonly().describe('Delegation signer records.'),
    child_hosts: z.array(host).readonly().describe('Nameservers below the name itself.'),
    privacy_enabled: z.boolean().describe('The holder is hidden.'),
    privacy_until: instant('Until when privacy is paid.').nullable(),
    auth_code_expires_at: instant('Until when the auth code holds.').nullable(),
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
  name: text('What it is called.'),
  version: figure('Its version.'),
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
  access: z.enum(accessLevels).describe('What the customer may do.'),
  how: z.enum(['access', 'password']).describe('Whether the access was raised or a temporary password was made.'),
  key_id: text('The API key that did this; null: no key did.').nullable(),
  person_id: text('The user who did this; null: no user did.').nullable(),
};
