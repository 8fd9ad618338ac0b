import type { Evidence } from '../../../../core/ports/registry.ts';
import type { AvailabilityResult, Dialect, UpstreamClient } from '../../dialect.ts';
import { decimal, listOf, objectOf, objectsOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { refusalReason } from '../../refusal-reason.ts';
import type { Login, SignedCall } from '../../wire.ts';
import { type Additions, contractCalls, flagCalls, noContactId, pathOf, transferCall } from './calls.ts';
import { classify } from './classify.ts';
import { readDetail } from './detail.ts';
import { outlookYesOrNo } from './outlook.ts';
import { ordersByPostings, refundsOf } from './postings.ts';

/** The contract alone: no Idempotency-Key, no events, no operations, no prices of single domains. */
export function contractDialect(profile: UpstreamProfile): Dialect {
  const { autoRenew } = profile.contract;
  const ownTerms = autoRenew ? { [autoRenew.field]: autoRenew.off } : {};
  const shared = sharedWithContract(profile, { guard: () => ({}), consent: {}, hold: {}, ownTerms });
  return {
    ...shared,
    ...(autoRenew?.call ? { calls: { ...shared.calls, autoRenew: flagCalls(autoRenew.call) } } : {}),
    detail: detailOf(profile, 'All'),
    findOrders: ordersByPostings(profile.utcOffset),
    transferOutlook: outlookYesOrNo(),
    refunds: (send, name) => refundsOf(send, name, profile.currency, false),
    probe: async (send) => ({ findings: await probeAccount(send, profile.customerId), notes: [] }),
  };
}

export const detailOf = ({ utcOffset, contract }: UpstreamProfile, fields: string): Dialect['detail'] => ({
  call: (name) => ({ method: 'GET', path: '/domains/details-by-name', query: { domain_name: name, fields } }),
  read: (body) => readDetail(body, utcOffset, contract.autoRenew),
});

type Shared = Pick<
  Dialect,
  'sign' | 'classify' | 'calls' | 'check' | 'charge' | 'contactId' | 'transfer' | 'transferRefusal' | 'balance'
>;

/** What our own API has in common with the contract. */
export function sharedWithContract({ customerId, currency }: UpstreamProfile, additions: Additions): Shared {
  const calls = contractCalls(customerId, additions);
  return {
    sign: withBasicAuth,
    classify,
    calls,
    check: {
      call: (names) => ({ method: 'GET', path: '/domains/availability', query: { domain: names.join(',') } }),
      read: readAvailability,
    },
    charge: (send, body) => chargeOf(send, body, currency),
    contactId: (body) => textOf(objectOf(body)?.contact_id) ?? textOf(objectOf(body)?.id),
    async transfer(send, order, present) {
      if (present?.status === 'pending_transfer_in') {
        const path = `${pathOf(present.id)}/transfer/auth_code`;
        return [{ method: 'PUT', path, form: { auth_code: order.authCode } }];
      }
      if (order.contacts.registrant !== undefined) return [transferCall(customerId, order, order.contacts, additions)];
      // The contacts of our customer there. Core sets the domain's own after the transfer.
      const { reply } = await send({ method: 'GET', path: `/customers/${customerId}/contacts/default` });
      const defaults = reply.kind === 'done' ? objectOf(reply.data) : undefined;
      if (!defaults) return 'the contacts of our own customer at the upstream cannot be read';
      const idOf = (role: string) => textOf(objectOf(defaults[`${role}_contact`])?.contact_id) ?? noContactId;
      const contacts = {
        registrant: idOf('registrant'),
        admin: idOf('admin'),
        tech: idOf('tech'),
        billing: idOf('billing'),
      };
      return [transferCall(customerId, order, contacts, additions)];
    },
    transferRefusal: refusedCode,
    async balance(send) {
      const { reply } = await send({ method: 'GET', path: '/account/balance' });
      return reply.kind === 'done' ? { ...reply, data: textOf(reply.data) } : reply;
    },
  };
}

function withBasicAuth(
  call: { readonly headers?: SignedCall['headers'] } & SignedCall,
  { user, secret }: Login,
): SignedCall {
  const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  return { ...call, headers: { ...call.headers, Authorization: authorization } };
}

function readAvailability(body: unknown, name: string): AvailabilityResult | undefined {
  const entry = objectsOf(body)
    .map((row) => objectOf(row[name]))
    .find((each) => each !== undefined);
  if (!entry) return undefined;
  const status = textOf(entry.status);
  const known =
    status === 'regthroughus'
      ? 'ours'
      : status === 'available'
        ? 'available'
        : status === undefined || status === 'unknown'
          ? 'unknown'
          : 'taken';
  return { status: known, reason: textOf(entry.reason), entry };
}

/** The charged amount, if the upstream returns it. */
async function chargeOf(send: UpstreamClient, body: unknown, currency: string): Promise<Evidence> {
  const id = textOf(objectOf(body)?.transaction_id);
  if (id === undefined) return {};
  const { reply } = await send({ method: 'GET', path: `/account/transactions/${encodeURIComponent(id)}` });
  const transaction = reply.kind === 'done' ? objectOf(reply.data) : undefined;
  const amount = Number(transaction?.amount);
  if (!transaction || !Number.isFinite(amount)) return { svTRID: id };
  return {
    svTRID: id,
    charged: { amount: decimal(Math.abs(amount)), currency: textOf(transaction.currency) ?? currency },
  };
}

/** RFC 5730 3: invalid authorization information. */
const wrongCode = 2202;

/** The upstream would wait for another auth code while our money is on hold, so the order is cancelled there and core requests the code. */
async function refusedCode(send: UpstreamClient, name: string, accepted: unknown) {
  const body = objectOf(accepted);
  const choices = listOf(objectOf(body?.attention)?.choices);
  const id = textOf(body?.domain_id);
  if (!choices.includes('new_auth_code') || id === undefined) return undefined;
  await send({ method: 'POST', path: `${pathOf(id)}/transfer/cancel`, form: {} });
  return { code: wrongCode, text: `the auth code of ${name} was refused` };
}

/** Our customer and the transactions. */
export async function probeAccount(send: UpstreamClient, customerId: string): Promise<string[]> {
  const findings: string[] = [];
  const customer = (await send({ method: 'GET', path: `/customers/${customerId}` })).reply;
  if (customer.kind !== 'done') findings.push(`customer ${customerId} cannot be read: ${refusalReason(customer)}`);
  const postings = (await send({ method: 'GET', path: '/account/transactions', query: { limit: '1' } })).reply;
  if (postings.kind !== 'done') findings.push(`transactions cannot be read: ${refusalReason(postings)}`);
  return findings;
}
