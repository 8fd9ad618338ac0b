import { z } from 'zod';

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname));

const words = z.array(z.string().min(1).max(60)).max(20);

/**
 * The HTTP API of an EPP upstream, for what EPP does not have: the list of domains, the statement, the balance and prices. What the
 * documents leave open is a setting.
 */
export const sideSchema = z.strictObject({
  /** Plain HTTP only on loopback, because each request contains the password. */
  url: z.url().refine((text) => {
    const url = new URL(text);
    return (url.protocol === 'https:' || isLoopback(url)) && url.search === '' && url.username === '';
  }, 'must begin with https:// and have neither a login nor parameters'),
  rowsPerPage: z.int().min(1).max(5_000).default(1_000),
  timeoutMs: z.int().min(1).max(600_000).default(60_000),
  answerBytes: z
    .int()
    .min(4_096)
    .max(64 * 1024 * 1024)
    .default(16 * 1024 * 1024),
  /** Time zone of its times. */
  utcOffset: z
    .string()
    .regex(/^[+-](0\d|1[0-4]):[0-5]\d$/, 'must be an offset such as +01:00')
    .default('+00:00'),
  /** The statement is read from this day on. */
  statementSince: z.iso.date().default('2000-01-01'),
  /** Words in the type of a booking that state what was charged; the first that fits counts, and `refund` in addition. */
  bookingTypes: z
    .strictObject({
      renew: words.default(['renew']),
      transfer: words.default(['transfer']),
      restore: words.default(['restore']),
      create: words.default(['add', 'create', 'registration', 'setup']),
      refund: words.default(['refund', 'failed', 'reversal']),
    })
    .prefault({}),
  /** `total`: the price of a booking is for its whole amount. `unit`: for one of it. */
  bookingPrice: z.enum(['total', 'unit']).default('total'),
  /** Which value of the account is still available. */
  available: z.enum(['amount', 'amount+credit']).default('amount'),
});

export type SideSettings = z.output<typeof sideSchema>;
