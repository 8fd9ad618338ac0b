import { z } from 'zod';
import { text, tld, visibleAfterSeconds, without } from '../../settings-schema.ts';

/** As Realtime Register describes them. */
const handle = z.string().regex(/^[a-zA-Z0-9\-_@.]{3,40}$/, 'must be a handle');

/** Only read with the dialect `realtimeregister`. */
export const realtimeRegisterSchema = z.strictObject({
  /** The registrant of a transfer whose contacts are not known. */
  registrant: handle.optional(),
  tlds: z
    .record(
      tld,
      z.strictObject({
        without,
        /** Months that a transfer order contains; left out: those that are usual in the TLD. */
        transferMonths: z.int().min(0).max(120).optional(),
        /** Its product in the price list; left out: `domain_` and the TLD. */
        product: text.optional(),
      }),
    )
    .default({}),
  /** Properties of contacts by registry: our name of the field and the name of the property. */
  contactProperties: z.record(text, z.record(text, text)).default({}),
  restoreReason: z.string().min(1).max(255).default('Restore requested by the registrant'),
  /** A renewal contains the present expiry date. The SDK for PHP sends it; the page about renewals does not have the field. */
  sendsExpiryDate: z.boolean().default(false),
  /** The queue of notifications is read. Only one reader gets each notification. */
  readsNotifications: z.boolean().default(false),
  visibleAfterSeconds,
});

/** The account is the user of the login. A page has 1,000 rows. */
export const realtimeRegisterDefaults = {
  basePath: '/v2',
  customerId: '0',
  limits: { sessions: 4, requestsPerMinute: 120, namesPerCheck: 1, answerBytes: 8 * 1024 * 1024 },
};
