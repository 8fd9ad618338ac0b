import { z } from 'zod';
import { hostname, text, tld, visibleAfterSeconds, without } from '../../settings-schema.ts';

/** Only read with the dialect `logicboxes`. */
export const logicBoxesSchema = z.strictObject({
  /** The host that answers availability queries, if it is another one. */
  checkHost: hostname.optional(),
  /** For orders without nameservers, which LogicBoxes requires. */
  nameservers: z.array(hostname).max(13).default([]),
  /** Type of the contacts of this connection, such as `UkContact`. */
  contactType: text.default('Contact'),
  /** Additional fields of contacts: our name and the name of the attribute. */
  contactFields: z.record(text, text).default({}),
  tlds: z
    .record(
      tld,
      z.strictObject({
        without,
        /** Additional fields of domains: our name and the name of the attribute. */
        fields: z.record(text, text).default({}),
      }),
    )
    .default({}),
  /**
   * Calls that switch its renewal of a domain on and off, such as `domains/disable-auto-renewal`. Public clients use them; the documents
   * do not have them. Without them a renewal that is on is only reported.
   */
  autoRenewCalls: z.strictObject({ on: text, off: text }).optional(),
  /** Words by which the description of a transaction names what was charged. */
  descriptions: z
    .strictObject({
      create: text.default('registration'),
      renew: text.default('renewal'),
      transfer: text.default('transfer'),
      restore: text.default('restor'),
      // The last one, because a domain name in a description may contain the word.
      privacy: text.default('privacy'),
    })
    .prefault({}),
  visibleAfterSeconds,
});

/** Defaults that differ from those of other dialects. */
export const logicBoxesDefaults = {
  basePath: '/api',
  limits: { sessions: 2, requestsPerMinute: 60, namesPerCheck: 5 },
};
