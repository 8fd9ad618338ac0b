import type { Registry } from '../../core/ports/registry.ts';
import { type Upstream, withDomain } from './upstream.ts';

/** RFC 5730 3: authorization error. */
const notOurs = 2201;
const done = { kind: 'done', data: null, pending: false, evidence: {} } as const;

/** Reports a registrant's confirmation to an upstream that waits for it. The report is idempotent, so it has no journal. */
export const confirmations = (u: Upstream): Pick<Registry, 'confirmRegistrant'> => ({
  confirmRegistrant: (name, { address, at }) =>
    withDomain(u, name, async (detail, path) => {
      if (!detail.confirmation) return done;
      const form = { email: address, confirmed_at: at.toISOString() };
      const { reply, refusal } = await u.account.inquire({ method: 'PUT', path: `${path}/raa_verification`, form });
      if (reply.kind === 'done') return done;
      const isNotOurs = reply.kind === 'refused' && refusal?.body?.looks_after_holders === false;
      return isNotOurs ? { kind: 'refused', evidence: { ...reply.evidence, code: notOurs } } : reply;
    }),
});
