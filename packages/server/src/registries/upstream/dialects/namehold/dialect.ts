import type { RegistryFee } from '../../../../core/ports/registry.ts';
import type { Calls, Dialect, FollowedOperation, Outcome, UpstreamClient } from '../../dialect.ts';
import { type Fields, objectOf, objectsOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { refusalReason } from '../../refusal-reason.ts';
import type { Call } from '../../wire.ts';
import { pathOf } from '../contract/calls.ts';
import { refusalOf } from '../contract/classify.ts';
import { detailOf, probeAccount, sharedWithContract } from '../contract/dialect.ts';
import { outlookWithReasons } from '../contract/outlook.ts';
import { refundsOf } from '../contract/postings.ts';
import { eventLog } from './events.ts';
import { listPage, statementPage } from './list.ts';
import { offeredTlds, priceList } from './price-list.ts';
import { prices } from './prices.ts';

/** The reason given here is not passed on. The upstream gets the one that a seller can always give. */
const denial = 'holder_objects';

const additions = {
  guard: (fee: RegistryFee | undefined): Record<string, string> => (fee ? { max_price: fee.amount } : {}),
  consent: { designated_agent: 'true' },
  // A hold must not prevent its own remedy: permissions are decided here, because the cause is known here.
  hold: { changes: 'allowed', reason: 'on hold at the reseller' },
  // Older releases ignore it, and the comparison then finds a renewal that is on.
  ownTerms: { renewal_mode: 'manual' },
};

/** Another Namehold: our own API in addition to the contract. */
export function nameholdDialect(profile: UpstreamProfile): Dialect {
  const shared = sharedWithContract(profile, additions);
  return {
    ...shared,
    calls: { ...shared.calls, answerTransfer, autoRenew },
    idempotency: {
      // RFC 7240: requests a synchronous answer, because the caller waits anyway.
      headers: (key, waitSeconds) => ({ 'Idempotency-Key': key, Prefer: `wait=${waitSeconds}` }),
    },
    follow,
    // Without DNS records, of which a zone may have many.
    detail: detailOf(profile, 'domain_details,cns,dnssec'),
    prices,
    transferOutlook: outlookWithReasons(profile.utcOffset),
    priceList,
    offeredTlds,
    refunds: (send, name) => refundsOf(send, name, profile.currency, true),
    list: (send, cursor) => listPage(send, profile, cursor),
    statement: (send, cursor, name) => statementPage(send, profile, cursor, name),
    notifications: eventLog(profile.utcOffset),
    confirmation: {
      call: (detail, { address, at }) => ({
        method: 'PUT',
        path: `${pathOf(detail.id)}/raa_verification`,
        form: { email: address, confirmed_at: at.toISOString() },
      }),
      refusesReports: (refusal) => refusal?.body?.looks_after_holders === false,
    },
    async probe(send) {
      const findings = [...(await probeAccount(send, profile.customerId)), ...(await probeEvents(send))];
      return { findings, notes: [...(await registrantsNote(send)), ...(await renewalNote(send))] };
    },
  };
}

const answerTransfer: NonNullable<Calls['answerTransfer']> = (detail, answer): Call[] => {
  const form: Record<string, string> = answer === 'reject' ? { reason: denial } : {};
  return [{ method: 'POST', path: `${pathOf(detail.id)}/transfer/${answer}`, form }];
};

const autoRenew: NonNullable<Calls['autoRenew']> = (detail, isOn): Call[] => {
  const form = { renewal_mode: isOn ? 'renew' : 'manual' };
  return [{ method: 'PUT', path: `${pathOf(detail.id)}/renewal_mode`, form }];
};

/** 202: the operation continues at the upstream. */
function follow(operationId: string): FollowedOperation {
  return {
    call: { method: 'GET', path: `/operations/${encodeURIComponent(operationId)}` },
    read: (body, accepted) => {
      const shown = objectOf(body);
      return shown && endOf(shown, objectOf(accepted) ?? {});
    },
  };
}

/** Undefined: still in progress. */
function endOf(operation: Fields, accepted: Fields): Outcome | undefined {
  const state = textOf(operation.state);
  if (state === 'done') {
    const outcome = objectOf(operation.outcome);
    return { kind: 'done', body: { ...accepted, expiry_date: outcome?.expires_at ?? accepted.expiry_date } };
  }
  if (state === 'waiting_registry' || state === 'action_required')
    return { kind: 'accepted', operationId: undefined, body: { ...accepted, attention: operation.attention } };
  if (state !== 'refused' && state !== 'cancelled') return undefined;
  const error = objectOf(objectOf(operation.outcome)?.error);
  const text = textOf(error?.sentence) ?? textOf(operation.result_text) ?? `the order was ${state} there`;
  const details = { registry_code: operation.result_code };
  return refusalOf(400, textOf(error?.code) ?? 'registry_refused', text, details);
}

/** The upstream does not report whether it verifies registrants: it may leave this to us, or not require it. */
async function registrantsNote(send: UpstreamClient): Promise<string[]> {
  const { reply } = await send({ method: 'GET', path: '/account/profile' });
  const isOurs = reply.kind === 'done' && objectOf(reply.data)?.looks_after_holders === true;
  return isOurs
    ? []
    : [
        'it has not delegated registrant verification to us: if it verifies registrants, it sends mail to ours in its own name',
      ];
}

async function probeEvents(send: UpstreamClient): Promise<string[]> {
  const findings: string[] = [];
  const events = (await send({ method: 'GET', path: '/events', query: { limit: '1' } })).reply;
  if (events.kind !== 'done')
    findings.push(`the event log cannot be read (dialect contract?): ${refusalReason(events)}`);
  else if (objectsOf(objectOf(events.data)?.events).length > 1) findings.push('the event log ignores the limit');
  return findings;
}

/** Each order switches it off. A release that does not know this needs the setting. */
async function renewalNote(send: UpstreamClient): Promise<string[]> {
  const mode = (await send({ method: 'GET', path: '/account/renewal_mode' })).reply;
  const renewalMode = mode.kind === 'done' ? textOf(objectOf(mode.data)?.renewal_mode) : undefined;
  return renewalMode === undefined || renewalMode === 'manual'
    ? []
    : [
        `new domains there begin with the renewal mode ${renewalMode}: orders switch it off, and older releases ignore that`,
      ];
}
