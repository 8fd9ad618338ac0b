import type { Reply, TransferOutlook } from '../../../../core/ports/registry.ts';
import type { AvailabilityResult, ContactIds, Detail, Dialect, UpstreamClient } from '../../dialect.ts';
import { objectOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { refusalReason } from '../../refusal-reason.ts';
import { tldOf } from '../../roles.ts';
import type { Call, Login, SignedCall } from '../../wire.ts';
import { logicBoxesCalls, order, question, transferCall } from './calls.ts';
import { classify } from './classify.ts';
import { readDetail } from './detail.ts';
import { listPage, refundsOf, statementPage } from './list.ts';
import { orderSearch } from './orders.ts';
import { offeredTlds, priceList } from './prices.ts';

const done = <T>(data: T) => ({ kind: 'done', data, pending: false, evidence: {} }) as const;

/** ResellerClub, NetEarthOne, Resell.biz, Reseller.id and other brands of LogicBoxes. What differs between them is data in the profile. */
export function logicBoxesDialect(profile: UpstreamProfile): Dialect {
  const { customerId, currency, logicboxes } = profile;
  return {
    sign: withParameters,
    classify,
    calls: logicBoxesCalls(profile),
    detail: {
      call: (name) => question('domains/details-by-name', { 'domain-name': name, options: 'All' }),
      read: readDetail,
    },
    check: {
      call(names) {
        const labels = new Set(names.map((name) => name.slice(0, name.indexOf('.'))));
        const query = { 'domain-name': [...labels], tlds: [...new Set(names.map(tldOf))] };
        return question('domains/available', query, logicboxes.checkHost);
      },
      read: readAvailability,
    },
    findOrders: orderSearch(profile),
    // With NoInvoice the answer has no amount.
    charge: async () => ({}),
    contactId: textOf,
    async transfer(send, ordered, present) {
      if (present?.status === 'pending_transfer_in')
        return [order('domains/transfer/submit-auth-code', { 'order-id': present.id, 'auth-code': ordered.authCode })];
      const hasContacts = ordered.contacts.registrant !== undefined;
      const contacts = hasContacts ? ordered.contacts : await defaultContacts(send, profile);
      return typeof contacts === 'string' ? contacts : [transferCall(profile, ordered, contacts)];
    },
    transferOutlook: outlook,
    priceList: (send, tlds) => priceList(send, tlds, profile),
    offeredTlds,
    readAuthCode,
    refunds: (send, name) => refundsOf(send, name, profile),
    list: (send, cursor) => listPage(send, profile, cursor),
    statement: (send, cursor, name) => statementPage(send, profile, cursor, name),
    async balance(send, clientId) {
      const { reply } = await send(question('billing/reseller-balance', { 'reseller-id': clientId }));
      if (reply.kind !== 'done') return reply;
      const body = objectOf(reply.data);
      const billed = textOf(body?.sellingcurrencysymbol);
      if (billed !== undefined && billed !== currency)
        return { kind: 'unsent', why: `the account is billed in ${billed}, and the profile has ${currency}` };
      return { ...reply, data: textOf(body?.sellingcurrencybalance) };
    },
    probe: async (send) => ({ findings: await findingsOf(send, customerId), notes: [] }),
  };
}

/** The key is a parameter of each request: of the address in a query, of the body in an order. */
function withParameters(call: Call, { user, secret }: Login): SignedCall {
  const login = { 'auth-userid': user, 'api-key': secret };
  return call.method === 'GET'
    ? { ...call, query: { ...call.query, ...login } }
    : { ...call, form: { ...call.form, ...login } };
}

async function readAuthCode(send: UpstreamClient, { id }: Detail): Promise<Reply<string>> {
  const { reply } = await send(question('domains/details', { 'order-id': id, options: 'OrderDetails' }));
  if (reply.kind !== 'done') return reply;
  const code = textOf(objectOf(reply.data)?.domsecret);
  return code === undefined ? { kind: 'unsent', why: 'the upstream shows no auth code' } : { ...reply, data: code };
}

/** `regthroughus` means this registrar, not our account, so only the details show what is ours. */
function readAvailability(body: unknown, name: string): AvailabilityResult | undefined {
  const entry = objectOf(objectOf(body)?.[name]);
  if (!entry) return undefined;
  const status = textOf(entry.status);
  if (status === 'available') {
    // An order has no limit of the price, so a premium domain cannot be ordered safely.
    const isPremium = objectOf(entry.costHash) !== undefined;
    return isPremium ? { status: 'taken', reason: 'premium', entry } : { status: 'available', entry };
  }
  return /^regthrough(us|others)$/.test(status ?? '') ? { status: 'taken', entry } : { status: 'unknown', entry };
}

/** The contacts of our customer there. Core sets the domain's own after the transfer. */
async function defaultContacts(
  send: UpstreamClient,
  { customerId, logicboxes: { contactType } }: UpstreamProfile,
): Promise<ContactIds | string> {
  const { reply } = await send(order('contacts/default', { 'customer-id': customerId, type: contactType }));
  const found = reply.kind === 'done' ? objectOf(objectOf(reply.data)?.[contactType]) : undefined;
  const registrant = textOf(found?.registrant);
  if (!found || registrant === undefined) return 'the contacts of our own customer at the upstream cannot be read';
  const role = (name: string) => textOf(found[name]) ?? registrant;
  return { registrant, admin: role('admin'), tech: role('tech'), billing: role('billing') };
}

async function outlook(send: UpstreamClient, name: string): Promise<Reply<TransferOutlook | null>> {
  const { reply } = await send(question('domains/validate-transfer', { 'domain-name': name }));
  if (reply.kind !== 'done' && reply.kind !== 'refused') return reply;
  const isPossible = reply.kind === 'done' && textOf(String(reply.data)) === 'true';
  const obstacles = isPossible ? [] : [{ reason: 'other', from: null }];
  return done({ registrar: null, expiresAt: null, isCodeRight: null, obstacles });
}

async function findingsOf(send: UpstreamClient, customerId: string): Promise<string[]> {
  const findings: string[] = [];
  const customer = (await send(question('customers/details-by-id', { 'customer-id': customerId }))).reply;
  if (customer.kind !== 'done') findings.push(`customer ${customerId} cannot be read: ${refusalReason(customer)}`);
  const range = { 'no-of-records': '10', 'page-no': '1' };
  const charges = (await send(question('billing/reseller-transactions/search', range))).reply;
  if (charges.kind !== 'done') findings.push(`transactions cannot be read: ${refusalReason(charges)}`);
  return findings;
}
