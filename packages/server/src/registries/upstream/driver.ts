import type { Registry } from '../../core/ports/registry.ts';
import { changes, freshCode } from './changes.ts';
import { contactCommands } from './contacts.ts';
import { type Fields, objectOf, textOf } from './fields.ts';
import { holdings } from './holdings.ts';
import { hostCommands } from './hosts.ts';
import { news } from './news.ts';
import { decimal, orders } from './orders.ts';
import { outlooks } from './outlook.ts';
import { postingsOf } from './postings.ts';
import { queries } from './queries.ts';
import { transferCommands } from './transfers.ts';
import { type Upstream, withDomain } from './upstream.ts';

/** Refunds are read from the transactions when the domain appears as deleted. */
function givenBack(u: Upstream): Pick<Registry, 'givenBack'> {
  const isWhole = u.profile.dialect === 'namehold';
  return {
    async givenBack(name) {
      const read = await postingsOf(u, name, { transaction_type: 'domain', description: name });
      if (read.kind !== 'done') return read;
      return { ...read, data: { lines: read.data.flatMap((row) => lineOf(u, row)), isWhole } };
    },
  };
}

function lineOf(u: Upstream, row: Fields) {
  const amount = backOf(row);
  if (!Number.isFinite(amount) || amount <= 0) return [];
  const currency = textOf(row.currency) ?? u.profile.currency;
  return [{ command: textOf(row.action) ?? null, fee: { amount: decimal(amount), currency } }];
}

/** Our own API returns the amount; the contract reports only that it was refunded in full. */
function backOf(row: Fields): number {
  const refunded = objectOf(row.refunded);
  if (refunded) return Number(refunded.amount);
  return /^refunded$/i.test(textOf(row.status) ?? '') ? Math.abs(Number(row.amount)) : 0;
}

/** RFC 5730 3: authorization error. */
const notOurs = 2201;
const done = { kind: 'done', data: null, pending: false, evidence: {} } as const;

/** Reports a registrant's confirmation to an upstream that waits for it. The report is idempotent, so it has no journal. */
const confirmations = (u: Upstream): Pick<Registry, 'confirmRegistrant'> => ({
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

/** Share of the requests a minute for comparisons; the rest is reserved for orders. */
const comparisonShare = 1 / 3;

/** The registry port over another reseller platform, by the same contract that this service offers. */
export function upstreamRegistry(u: Upstream): Registry {
  const { dialect, dnssec, authCode, compareMinutes, limits } = u.profile;
  const compared = {
    everyMs: compareMinutes * 60_000,
    namesPerMinute: Math.max(1, Math.floor(limits.requestsPerMinute * comparisonShare)),
  };
  return {
    id: u.id,
    ...(dialect === 'namehold' ? {} : { compared }),
    capabilitiesOf: () => ({
      hostModel: 'objects',
      contactModel: 'maximum',
      dnssec,
      supportsFees: dialect === 'namehold',
      authCode: { minLength: authCode.minLength, maxLength: authCode.maxLength, isSecure: true },
    }),
    newAuthCode: () => freshCode(u),
    ...queries(u),
    ...outlooks(u),
    ...orders(u),
    ...changes(u),
    ...transferCommands(u),
    ...contactCommands(u),
    ...hostCommands(u),
    ...news(u),
    ...givenBack(u),
    ...(dialect === 'namehold' ? { ...holdings(u), ...confirmations(u) } : {}),
  };
}
