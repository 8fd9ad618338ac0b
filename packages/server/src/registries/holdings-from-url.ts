import { z } from 'zod';
import type { Holding, Registry } from '../core/ports/registry.ts';

const answerTimeoutMs = 60_000;

const answer = z.object({
  currency: z.string().regex(/^[A-Z]{3}$/),
  names: z.array(
    z.object({
      name: z.string(),
      sponsored: z.boolean(),
      expires_at: z.coerce.date().nullable(),
      statuses: z.array(z.string()),
      lines: z.array(
        z.object({
          at: z.coerce.date(),
          kind: z.enum(['charge', 'refund']),
          command: z.string(),
          amount: z.string().regex(/^-?\d{1,15}(\.\d{1,4})?$/),
          cltrid: z.string().nullish(),
        }),
      ),
    }),
  ),
});

/** The statement service: an address of the profile (`holdings_url`) that lists our domains with their charges. */
export function holdingsFromUrl(url: string, clientId: string): Pick<Registry, 'holdings'> {
  return {
    async holdings(wanted) {
      const pageUrl = new URL(url);
      pageUrl.searchParams.set('client', clientId);
      for (const [name, value] of Object.entries(wanted)) pageUrl.searchParams.set(name, String(value));
      try {
        const response = await fetch(pageUrl, { signal: AbortSignal.timeout(answerTimeoutMs), redirect: 'error' });
        if (!response.ok) return { kind: 'unsent', why: `the statement service returned ${response.status}` };
        const { currency, names } = answer.parse(await response.json());
        const data = names.map(
          (each): Holding => ({
            name: each.name,
            isOurs: each.sponsored,
            expiresAt: each.expires_at,
            statuses: each.statuses,
            lines: each.lines.map(({ amount, cltrid, ...line }) => ({
              ...line,
              fee: { amount, currency },
              ...(cltrid ? { clTRID: cltrid } : {}),
            })),
          }),
        );
        return { kind: 'done', data, pending: false, evidence: {} };
      } catch (error) {
        // The query changes nothing at the registry, so after a failure it is repeated another day.
        return { kind: 'unsent', why: `the statement service cannot be read: ${(error as Error).message}` };
      }
    },
  };
}
