import type { Reply } from '../../../../core/ports/registry.ts';
import type { AvailabilityResult, Dialect, UpstreamClient } from '../../dialect.ts';
import { decimal, flagOf, objectOf, objectsOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { refusalReason } from '../../refusal-reason.ts';
import { transferInProgress } from '../../refusals.ts';
import { propertiesOf, realtimeRegisterCalls, transferCall } from './calls.ts';
import { classify } from './classify.ts';
import { fetchParts, readDetail } from './detail.ts';
import { listPage, statementPage } from './list.ts';
import { accountPath, contactPath, order, pathOf, question, sign } from './message.ts';
import { notificationQueue } from './notifications.ts';
import { checkedFee, domainPrices, withConsent } from './premium.ts';
import { chargeOf, followProcess, orderSearch, pageOf, refundsOf } from './processes.ts';
import { offeredTlds, priceList, tldFacts } from './tlds.ts';

const done = <T>(data: T) => ({ kind: 'done', data, pending: false, evidence: {} }) as const;

/** Realtime Register, by its REST API version 2. */
export function realtimeRegisterDialect(profile: UpstreamProfile): Dialect {
  const { realtimeregister: own } = profile;
  const tlds = tldFacts();
  const calls = realtimeRegisterCalls(profile);
  return {
    sign,
    classify,
    calls,
    follow: followProcess,
    detail: {
      call: (name) => question(pathOf(name)),
      fetch: (send, name) => fetchParts(send, name.toLowerCase(), profile, tlds),
      read: (body) => readDetail(body, profile),
    },
    check: {
      call: ([name = '']) => question(`${pathOf(name)}/check`, { renewPrice: 'true' }),
      read: readAvailability,
    },
    prices: domainPrices,
    prepareCreate: async (send, ordered) => {
      const [call] = calls.create(ordered);
      return ordered.fee && call ? withConsent(send, ordered.name, call, 'CREATE', ordered.fee) : calls.create(ordered);
    },
    prepareRenew: async (send, detail, ordered) => {
      const [call] = calls.renew(detail, ordered);
      return ordered.fee && call
        ? withConsent(send, detail.name, call, 'RENEW', ordered.fee)
        : calls.renew(detail, ordered);
    },
    findOrders: orderSearch(profile),
    charge: chargeOf,
    takesOurContactIds: true,
    contactId: () => undefined,
    completeContact: (send, contact) => missingProperties(send, contact, profile),
    // It has no request for another auth code.
    async transfer(_send, ordered, present) {
      if (present?.status === 'pending_transfer_in') return transferInProgress(ordered.name);
      const registrant = ordered.contacts.registrant ?? own.registrant;
      if (registrant === undefined)
        return `a transfer needs a registrant: set realtimeregister.registrant in the profile, or a contact for ${ordered.name}`;
      return [transferCall(profile, ordered, { ...ordered.contacts, registrant })];
    },
    refunds: (send, name) => refundsOf(send, name, profile),
    list: (send, cursor) => listPage(send, profile, cursor),
    statement: (send, cursor, name) => statementPage(send, profile, cursor, name),
    priceList: (send, wanted) => priceList(send, wanted, profile),
    offeredTlds: (send) => offeredTlds(send, profile),
    async readAuthCode(send, { name }) {
      const { reply } = await send(question(pathOf(name)));
      if (reply.kind !== 'done') return reply;
      const code = textOf(objectOf(reply.data)?.authcode);
      return code === undefined ? { kind: 'unsent', why: `${name} has no auth code there` } : { ...reply, data: code };
    },
    ...(own.readsNotifications ? { notifications: notificationQueue(profile) } : {}),
    balance: (send) => balanceOf(send, profile),
    probe: async (send) => ({ findings: await findingsOf(send), notes: await notesOf(send) }),
  };
}

/** An answer is about one name. */
function readAvailability(body: unknown): AvailabilityResult | undefined {
  const entry = objectOf(body);
  if (entry?.available === undefined) return undefined;
  if (!flagOf(entry.available)) {
    const reason = textOf(entry.reason);
    return { status: 'taken', ...(reason === undefined ? {} : { reason }), entry };
  }
  // Without its price a premium domain cannot be ordered safely.
  const isUnpriced = flagOf(entry.premium) && !checkedFee(entry);
  return isUnpriced ? { status: 'taken', reason: 'premium', entry } : { status: 'available', entry };
}

/** Requests for properties that a contact lacks, because its create was interrupted before them. */
async function missingProperties(
  send: UpstreamClient,
  contact: Parameters<typeof propertiesOf>[0],
  profile: UpstreamProfile,
): ReturnType<NonNullable<Dialect['completeContact']>> {
  const wanted = propertiesOf(contact, profile);
  if (wanted.length === 0) return done([]);
  const { reply } = await send(question(contactPath(contact.handle)));
  if (reply.kind !== 'done') return reply;
  const present = objectOf(objectOf(reply.data)?.properties) ?? {};
  const missing = wanted.filter(([registry]) => present[registry] === undefined);
  const calls = missing.map(([registry, properties]) =>
    order(`${contactPath(contact.handle)}/${encodeURIComponent(registry)}`, { properties }),
  );
  return done(calls);
}

/** An account has a balance for each currency. */
async function balanceOf(send: UpstreamClient, { currency }: UpstreamProfile): Promise<Reply<string | undefined>> {
  const { reply } = await send(question(accountPath('credit')));
  if (reply.kind !== 'done') return reply;
  const accounts = objectsOf(objectOf(reply.data)?.accounts);
  const account = accounts.find((each) => textOf(each.currency) === currency);
  if (!account) {
    const others = accounts.flatMap((each) => textOf(each.currency) ?? []).join(', ') || 'no currency';
    return { kind: 'unsent', why: `the account has credit in ${others}, and the profile has ${currency}` };
  }
  const cents = Number(textOf(account.balance) ?? Number.NaN);
  return { ...reply, data: Number.isFinite(cents) ? decimal(cents / 100) : undefined };
}

/** Lists without which a lost answer or a charge cannot be explained. */
async function findingsOf(send: UpstreamClient): Promise<string[]> {
  const findings: string[] = [];
  for (const [path, what] of Object.entries({
    '/processes': 'processes',
    '/billing/financialtransactions': 'transactions',
    '/domains': 'domains',
  })) {
    const { reply } = await send(question(path, { limit: '1', offset: '0' }));
    if (reply.kind !== 'done') findings.push(`${what} cannot be read: ${refusalReason(reply)}`);
  }
  return findings;
}

/** Both sides would renew these domains. */
async function notesOf(send: UpstreamClient): Promise<string[]> {
  const read = await pageOf(send, '/domains', { autoRenew: 'true', fields: 'domainName,autoRenew' });
  if (read.kind !== 'done') return [];
  const count = read.data.rows.filter(({ autoRenew }) => flagOf(autoRenew)).length;
  const more = read.data.next === undefined ? '' : ' or more';
  return count === 0 ? [] : [`${count}${more} domains have the upstream's own auto-renewal on: switch it off`];
}
