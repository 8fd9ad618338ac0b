import { z } from 'zod';
import { hostname, text, tld, visibleAfterSeconds } from '../../settings-schema.ts';

/** Only read with the dialect `opensrs`. */
export const openSrsSchema = z.strictObject({
  /** For orders without nameservers; without them OpenSRS uses those of its account settings. */
  nameservers: z.array(hostname).max(13).default([]),
  /** It is known that orders of renewals keep our operation id. */
  renewalsKeepId: z.boolean().default(false),
  /** Days after its deletion in which a domain can be redeemed. */
  redemptionDays: z.int().min(0).max(100).default(30),
  /** Days after a registration in which a delete is refunded; 0: not known, so the operator decides about each refund. */
  refundDays: z.int().min(0).max(100).default(0),
  /** Number of the first page of lists. The documents say both. */
  firstPage: z.int().min(0).max(1).default(1),
  /** Additional fields of domains by TLD: our name and the name in `tld_data`. */
  tldFields: z.record(tld, z.record(text, text)).default({}),
  visibleAfterSeconds,
});

/** It has no customers below our account, and one name in a query. */
export const openSrsDefaults = {
  basePath: '',
  customerId: '0',
  limits: { sessions: 2, requestsPerMinute: 60, namesPerCheck: 1 },
};
