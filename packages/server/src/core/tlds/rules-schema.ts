import { z } from 'zod';
import { contactRoles, type TldRules } from '../model/tld.ts';
import { extraSchema } from './stated-fields-schema.ts';

const days = z.int().min(0).max(400);
const length = z.int().min(1).max(63);
const roles = z.array(z.enum(contactRoles)).max(contactRoles.length);

const line = z.string().min(1).max(255);
const proxyCard = z.strictObject({
  name: line,
  organisation: line.nullable(),
  street: z.array(line).min(1).max(3),
  city: line,
  postal_code: z.string().min(1).max(16).nullable(),
  country_code: z.string().regex(/^[A-Z]{2}$/),
  voice: z.string().regex(/^\+[0-9]{1,3}\.[0-9]{1,14}$/),
  email: z.email().max(255),
});

const noLess = (least: string, most: string) => ({
  message: `${least} must not be more than ${most}`,
  path: [least],
});

/** The allowed content of a catalogue file for a TLD; impossible values are refused. */
export const tldRulesSchema: z.ZodType<TldRules> = z
  .strictObject({
    periods: z
      .strictObject({ min_years: z.int().min(1).max(10), max_years: z.int().min(1).max(10) })
      .refine((periods) => periods.min_years <= periods.max_years, noLess('min_years', 'max_years')),
    contacts: z.strictObject({
      model: z.enum(['minimum', 'maximum', 'thin', 'per-registrar']),
      required: roles,
      unused: roles,
    }),
    nameservers: z
      .strictObject({
        min: z.int().min(0).max(13),
        max: z.int().min(0).max(13),
        host_model: z.enum(['objects', 'attributes']),
      })
      .refine((hosts) => hosts.min <= hosts.max, noLess('min', 'max')),
    dnssec: z.strictObject({ records: z.enum(['ds', 'key', 'none']), max: z.int().min(0).max(64) }),
    extra_schema: extraSchema.nullable(),
    grace_days: z.strictObject({
      add: days,
      renew: days,
      transfer: days,
      auto_renew: days,
      redemption: days,
      pending_restore: days,
      pending_delete: days,
      pending_transfer: days,
      expired_hold: days,
    }),
    auto_renew: z.boolean(),
    renewal_lead_days: z.int().min(1).max(90).optional(),
    names: z
      .strictObject({ min_length: length, max_length: length, idn: z.boolean() })
      .refine((names) => names.min_length <= names.max_length, noLess('min_length', 'max_length')),
    review_days: days.nullable(),
    privacy_offered: z.boolean(),
    theft_protection_offered: z.boolean().optional(),
    holder_verification: z
      .strictObject({ days: z.int().min(1).max(60), hold: z.boolean() })
      .nullable()
      .optional(),
    expiry_notice_days: z.array(z.int().min(-30).max(90)).max(10).optional(),
    interruption_days: z.int().min(0).max(30).optional(),
    transfer_years: z.union([z.literal(0), z.literal(1)]).optional(),
    restore_years: z.union([z.literal(0), z.literal(1)]).optional(),
    registration: z
      .strictObject({
        launch: z.enum(['claims', 'sunrise']).optional(),
        allocation_token: z.enum(['required', 'optional']).optional(),
        idn_tables: z.array(z.string().min(1).max(60)).max(200).optional(),
      })
      .optional(),
    privacy_method: z.enum(['disclose', 'proxy', 'upstream']),
    privacy_proxy: proxyCard.nullable(),
    premium_names: z.boolean(),
    auth_code: z
      .strictObject({ min_length: z.int().min(1).max(255), max_length: z.int().min(1).max(255), secure: z.boolean() })
      .refine((code) => code.min_length <= code.max_length, noLess('min_length', 'max_length')),
  })
  .refine((rules) => rules.privacy_method !== 'proxy' || rules.privacy_proxy !== null, {
    message: 'Required when privacy_method is proxy.',
    path: ['privacy_proxy'],
  });
