import type { Registry } from '../../core/ports/registry.ts';
import { changes, freshCode } from './changes.ts';
import { confirmations } from './confirmations.ts';
import { contactCommands } from './contacts.ts';
import { givenBack } from './given-back.ts';
import { holdings } from './holdings.ts';
import { hostCommands } from './hosts.ts';
import { news } from './news.ts';
import { orders } from './orders.ts';
import { outlooks } from './outlook.ts';
import { queries } from './queries.ts';
import { transferCommands } from './transfers.ts';
import type { Upstream } from './upstream.ts';

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
