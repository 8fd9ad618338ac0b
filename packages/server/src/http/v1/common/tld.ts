import { z } from 'zod';
import { contactRoles, type TldRules } from '../../../core/model/tld.ts';
import { fieldsOf } from '../../../core/tlds/extra.ts';
import { readTld } from '../../../core/tlds/read.ts';
import { text } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';

const roles = z.array(z.enum(contactRoles));
const days = z.int();

const rulesView = z
  .object({
    periods: z.object({ min_years: z.int(), max_years: z.int() }),
    contacts: z.object({ model: z.string(), required: roles, unused: roles }),
    nameservers: z.object({ min: z.int(), max: z.int(), host_model: z.string() }),
    dnssec: z.object({ records: z.string(), max: z.int() }),
    extra_schema: z.string().nullable(),
    grace_days: z.object({
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
    holder_verification: z
      .object({
        days: z.int().describe('Number of days.'),
        hold: z.boolean().describe('Whether it is suspended without confirmation.'),
      })
      .nullable()
      .optional()
      .describe(
        'Days to confirm the email address, and whether the domain is suspended otherwise. Absent: the default of its class.',
      ),
    renewal_lead_days: z
      .int()
      .optional()
      .describe('Days before the end of the term at which automatic renewal starts.'),
    registration: z
      .object({
        launch: z.enum(['claims', 'sunrise']).optional().describe('Launch phase (RFC 8334).'),
        allocation_token: z
          .enum(['required', 'optional'])
          .optional()
          .describe('Whether it accepts an allocation token.'),
        idn_tables: z
          .array(z.string())
          .readonly()
          .optional()
          .describe('Languages of which an internationalised domain name must give one.'),
      })
      .optional()
      .describe('Additional fields that a registration must or may have. Absent: none.'),
    transfer_years: z.int().optional().describe('Years that a transfer adds to the term. Absent: one.'),
    restore_years: z.int().optional().describe('Years that a restore adds to the term. Absent: none.'),
    expiry_notice_days: z
      .array(z.int())
      .optional()
      .describe(
        'Days before the end of a term (negative: after it) at which the registrant is notified. Absent: the default of its class.',
      ),
    interruption_days: z
      .int()
      .optional()
      .describe(
        'Last days before an unpaid domain is deleted, in which it does not resolve. Absent: the default of its class.',
      ),
    names: z.object({ min_length: z.int(), max_length: z.int(), idn: z.boolean() }),
    review_days: z.int().nullable(),
    privacy_offered: z.boolean(),
    privacy_method: z.enum(['disclose', 'proxy', 'upstream']).optional(),
    privacy_proxy: z.looseObject({}).nullable().optional(),
    premium_names: z.boolean(),
    auth_code: z.object({ min_length: z.int(), max_length: z.int(), secure: z.boolean() }),
  })
  .meta({ id: 'TldRules', description: 'Rules and requirements of a TLD.' });

const rulesExample: TldRules = {
  periods: { min_years: 1, max_years: 10 },
  contacts: { model: 'maximum', required: ['registrant', 'admin', 'tech'], unused: ['billing'] },
  nameservers: { min: 0, max: 13, host_model: 'objects' },
  dnssec: { records: 'ds', max: 8 },
  extra_schema: null,
  grace_days: {
    add: 5,
    renew: 5,
    transfer: 5,
    auto_renew: 45,
    redemption: 30,
    pending_restore: 7,
    pending_delete: 5,
    pending_transfer: 5,
    expired_hold: 0,
  },
  auto_renew: true,
  renewal_lead_days: 15,
  names: { min_length: 2, max_length: 63, idn: true },
  review_days: null,
  privacy_offered: true,
  privacy_method: 'disclose',
  privacy_proxy: null,
  premium_names: false,
  auth_code: { min_length: 8, max_length: 32, secure: true },
};

export const tldRoute = route({
  method: 'GET',
  path: '/tlds/{name}',
  customer: 'read',
  area: 'common',
  style: 'contract',
  summary: 'Read a TLD',
  description:
    'The rules of one TLD: periods, contacts, nameservers and grace periods. `extra_schema` is the JSON Schema for `extra` of the registrant, or null.',
  input: z.object({ name: text({ max: 253, about: 'The TLD, with or without the leading dot.', example: 'com' }) }),
  output: z.object({
    name: z.string(),
    label: z.string(),
    catalogue_version: z.int(),
    updated_at: z.string(),
    rules: rulesView,
    extra_schema: z.looseObject({}).nullable().describe('A JSON Schema (2020-12).'),
  }),
  errors: ['not_found'],
  example: {
    input: { name: 'com' },
    output: {
      name: 'com',
      label: '.com',
      catalogue_version: 1,
      updated_at: '2026-11-15T09:00:00Z',
      rules: rulesExample,
      extra_schema: null,
    },
  },
  async answer(ctx, _caller, input) {
    const tld = await readTld(ctx, input.name);
    const fields = fieldsOf(ctx, tld.rules);
    return {
      name: tld.name,
      label: tld.label,
      catalogue_version: tld.catalogue_version,
      updated_at: instantText(tld.updated_at),
      rules: { ...tld.rules, extra_schema: fields?.name ?? null },
      extra_schema: fields?.schema ?? null,
    };
  },
});
