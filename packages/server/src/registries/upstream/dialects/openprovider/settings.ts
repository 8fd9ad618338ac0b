import { z } from 'zod';
import { hostname, text, visibleAfterSeconds } from '../../settings-schema.ts';

/** What a refusal of Openprovider means. */
const refusalReasons = ['exists', 'missing', 'no_money', 'auth_code', 'invalid', 'tld', 'state', 'premium'] as const;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Only read with the dialect `openprovider`. */
export const openproviderSchema = z.strictObject({
  /** For orders without nameservers. Without them, `nsGroup`. */
  nameservers: z.array(hostname).max(13).default([]),
  /** The group of nameservers for orders without nameservers. */
  nsGroup: text.default('dns-openprovider'),
  /** Which date of a domain is the end of the paid time: the one at Openprovider, or the one at the registry. */
  paidUntil: z.enum(['renewal_date', 'expiration_date']).default('renewal_date'),
  /** Time zone of its times. */
  timeZone: text.refine(isTimeZone, 'must be a time zone such as Europe/Amsterdam').default('Europe/Amsterdam'),
  /** Additional fields of a domain: our name and the name in `additional_data`. */
  domainFields: z.record(text, text).default({}),
  /** Additional fields of a contact: our name and the path of the field of a customer, such as `additional_data.passport_number`. */
  contactFields: z.record(text, text).default({}),
  /** The actions of transactions, and what was charged. */
  actions: z.record(text, z.enum(['create', 'renew', 'transfer', 'restore'])).default({
    CREATE: 'create',
    REGISTER: 'create',
    RENEW: 'renew',
    TRANSFER: 'transfer',
    RESTORE: 'restore',
  }),
  /** Codes of refusals, and what they mean. Others are known by their text. */
  codes: z.record(z.string().regex(/^\d{1,6}$/), z.enum(refusalReasons)).default({ '307': 'tld', '501': 'invalid' }),
  /** A failed order of a domain is removed before the next one, because Openprovider refuses a second order beside it. */
  removeFailedOrders: z.boolean().default(true),
  /** How long a token is used. Openprovider accepts it for two days. */
  sessionHours: z.int().min(1).max(48).default(24),
  visibleAfterSeconds,
});

/** It has no customers below our account, and 1,000 domains in a list. */
export const openproviderDefaults = {
  basePath: '/v1beta',
  customerId: '0',
  limits: { sessions: 2, requestsPerMinute: 60, namesPerCheck: 15, answerBytes: 8 * 1024 * 1024, identical: {} },
  authCode: { madeBy: 'upstream' },
  dnssec: 'none',
};
