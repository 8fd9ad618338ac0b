import type { Registry } from '../../core/ports/registry.ts';
import { changes, freshCode } from './changes.ts';
import { contactCommands } from './contacts.ts';
import { holdings } from './holdings.ts';
import { hostCommands } from './hosts.ts';
import { notifications } from './notifications.ts';
import { orders } from './orders.ts';
import { queries } from './queries.ts';
import { transferCommands } from './transfers.ts';
import { clientOf, type Upstream, withDomain } from './upstream.ts';

/** RFC 5730 3: authorization error. */
const notOurs = 2201;
const done = { kind: 'done', data: null, pending: false, evidence: {} } as const;

/** Reports a registrant's confirmation to an upstream that waits for it. The report is idempotent, so it has no journal. */
function confirmations(u: Upstream): Pick<Registry, 'confirmRegistrant'> {
  const { confirmation } = u.dialect;
  if (!confirmation) return {};
  return {
    confirmRegistrant: (name, confirmed) =>
      withDomain(u, name, async (detail) => {
        if (!detail.confirmation) return done;
        const { reply, refusal } = await u.account.inquire(confirmation.call(detail, confirmed));
        if (reply.kind === 'done') return done;
        return reply.kind === 'refused' && confirmation.refusesReports(refusal)
          ? { kind: 'refused', evidence: { ...reply.evidence, code: notOurs } }
          : reply;
      }),
  };
}

type OptionalQueries = Pick<
  Registry,
  'transferOutlook' | 'reportedRefunds' | 'priceList' | 'offeredTlds' | 'readAuthCode'
>;

function optionalQueries(u: Upstream): OptionalQueries {
  const { transferOutlook, refunds, priceList, offeredTlds } = u.dialect;
  const readAuthCode = u.profile.authCode.madeBy === 'upstream' ? u.dialect.readAuthCode : undefined;
  return {
    ...(transferOutlook ? { transferOutlook: (name, code) => transferOutlook(clientOf(u), name, code) } : {}),
    ...(refunds ? { reportedRefunds: (name) => refunds(clientOf(u), name) } : {}),
    ...(readAuthCode
      ? { readAuthCode: (name) => withDomain(u, name, (detail) => readAuthCode(clientOf(u), detail)) }
      : {}),
    ...(priceList ? { priceList: (tlds) => priceList(clientOf(u), tlds) } : {}),
    ...(offeredTlds ? { offeredTlds: () => offeredTlds(clientOf(u)) } : {}),
  };
}

/** Share of the requests a minute for comparisons; the rest is reserved for orders. */
const comparisonShare = 1 / 3;

/** The registry port over another reseller platform. Its API is described by a dialect. */
export function upstreamRegistry(u: Upstream): Registry {
  const { dnssec, authCode, compareMinutes, limits } = u.profile;
  const compared = {
    everyMs: compareMinutes * 60_000,
    namesPerMinute: Math.max(1, Math.floor(limits.requestsPerMinute * comparisonShare)),
  };
  return {
    id: u.id,
    ...(u.dialect.notifications ? {} : { compared }),
    takesPartiesWithTransfer: true,
    ...(u.dialect.calls.flags.private ? { sellsPrivacy: true } : {}),
    ...(u.dialect.calls.autoRenew ? { switchesAutoRenew: true } : {}),
    capabilitiesOf: () => ({
      hostModel: 'objects',
      contactModel: 'maximum',
      dnssec: u.dialect.calls.ds ? dnssec : 'none',
      supportsFees: u.dialect.prices !== undefined,
      authCode: {
        minLength: authCode.minLength,
        maxLength: authCode.maxLength,
        isSecure: true,
        madeBy: authCode.madeBy,
      },
    }),
    newAuthCode: () => freshCode(u),
    ...queries(u),
    ...optionalQueries(u),
    ...orders(u),
    ...changes(u),
    ...transferCommands(u),
    ...contactCommands(u),
    ...hostCommands(u),
    ...notifications(u),
    async availableFunds() {
      const reply = await u.dialect.balance(clientOf(u), u.clientId);
      return reply.kind === 'done' ? { ...reply, data: reply.data ?? null } : reply;
    },
    ...holdings(u),
    ...confirmations(u),
  };
}
