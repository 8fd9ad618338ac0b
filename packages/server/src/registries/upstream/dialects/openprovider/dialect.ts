import type { Clock } from '@namehold/base';
import type { Reply } from '../../../../core/ports/registry.ts';
import type {
  AvailabilityResult,
  Detail,
  Dialect,
  Order,
  Prepared,
  TransferOrder,
  UpstreamClient,
} from '../../dialect.ts';
import { decimal, objectOf, objectsOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { refusalReason } from '../../refusal-reason.ts';
import { transferInProgress } from '../../refusals.ts';
import type { Call } from '../../wire.ts';
import { createCall, openproviderCalls, removeCall, transferCall } from './calls.ts';
import { classifier } from './classify.ts';
import { detailReader, fetchRow, freshSearchCall, rowsOfName, searchCall } from './detail.ts';
import { dataOf, partsOf, question, session, sign } from './message.ts';
import { orderSearch } from './orders.ts';
import { acceptedFee, domainPrices, offeredTldsOf, priceListOf } from './prices.ts';
import { listPage, refundsOf, statementPage } from './statement.ts';

/** The clock decides only whether the date until which a deleted domain can be restored is over. */
export function openproviderDialect(profile: UpstreamProfile, clock: Clock): Dialect {
  const { currency, openprovider: settings } = profile;
  return {
    sign,
    session: session(settings.sessionHours),
    classify: classifier(settings),
    calls: openproviderCalls(profile),
    detail: { call: searchCall, fetch: fetchRow, read: detailReader(settings, clock) },
    check: {
      call: (names) => ({
        method: 'POST',
        path: '/domains/check',
        message: { domains: names.map(partsOf), with_price: true },
        repeats: { limit: 'check', names },
      }),
      read: readAvailability,
    },
    prices: domainPrices,
    findOrders: orderSearch(profile),
    // The answer has no amount.
    charge: async () => ({}),
    contactId: (body) => textOf(dataOf(body).handle),
    prepareCreate: (send, ordered) => prepareCreate(send, ordered, settings),
    transfer: (send, ordered, present) => prepareTransfer(send, ordered, present, settings),
    refunds: (send, name) => refundsOf(send, name, profile),
    list: (send, cursor) => listPage(send, profile, clock.now(), cursor),
    statement: (send, cursor, name) => statementPage(send, profile, cursor, name),
    priceList: priceListOf,
    offeredTlds: offeredTldsOf,
    readAuthCode,
    async balance(send) {
      const { reply } = await send(question('/resellers', { with_settings: 'true' }));
      if (reply.kind !== 'done') return reply;
      const data = dataOf(reply.data);
      const billed = textOf(objectOf(data.settings)?.currency);
      if (billed !== undefined && billed !== currency)
        return { kind: 'unsent', why: `the account is billed in ${billed}, and the profile has ${currency}` };
      // The balance includes what is reserved for open orders.
      const available = Number(textOf(data.balance) ?? Number.NaN) - Number(textOf(data.reserved_balance) ?? 0);
      return { ...reply, data: Number.isFinite(available) ? decimal(available) : undefined };
    },
    probe: async (send) => ({ findings: await findingsOf(send), notes: [] }),
  };
}

/** `active` says that the domain is registered, but not by whom. */
function readAvailability(body: unknown, name: string): AvailabilityResult | undefined {
  const entry = objectsOf(dataOf(body).results).find(({ domain }) => textOf(domain)?.toLowerCase() === name);
  if (!entry) return undefined;
  const status = textOf(entry.status);
  if (status === 'free') return { status: 'available', entry };
  if (status === 'active') return { status: 'taken', entry };
  const reason = textOf(entry.reason);
  return { status: status === 'reserved' ? 'taken' : 'unknown', ...(reason === undefined ? {} : { reason }), entry };
}

type Settings = UpstreamProfile['openprovider'];

/** A failed order stays beside the domain, holds money, and makes Openprovider refuse the next one. */
async function removals(send: UpstreamClient, name: string, settings: Settings): Promise<readonly Call[] | string> {
  if (!settings.removeFailedOrders) return [];
  const rows = await rowsOfName(send, freshSearchCall(name), name);
  if (rows.kind !== 'done') return refusalReason(rows);
  return rows.data.flatMap((row) => {
    const id = textOf(row.id);
    return textOf(row.status) === 'FAI' && id !== undefined ? [removeCall({ id, name })] : [];
  });
}

async function prepareCreate(send: UpstreamClient, ordered: Order, settings: Settings): Promise<Prepared> {
  const removed = await removals(send, ordered.name, settings);
  if (typeof removed === 'string') return removed;
  const accepted = await acceptedFee(send, ordered.name, 'create', ordered.years, ordered.fee);
  if (typeof accepted === 'string' || 'refusal' in accepted) return accepted;
  return [...removed, createCall(ordered, settings, accepted.fee)];
}

async function prepareTransfer(
  send: UpstreamClient,
  ordered: TransferOrder,
  present: Detail | null,
  settings: Settings,
): Promise<Prepared> {
  // It has no request for another auth code, and refuses a second order.
  if (present?.status === 'pending_transfer_in') return transferInProgress(ordered.name);
  const removed = await removals(send, ordered.name, settings);
  if (typeof removed === 'string') return removed;
  const accepted = await acceptedFee(send, ordered.name, 'transfer', 1, ordered.fee);
  if (typeof accepted === 'string' || 'refusal' in accepted) return accepted;
  return [...removed, transferCall(ordered, settings, accepted.fee)];
}

async function readAuthCode(send: UpstreamClient, { id }: Detail): Promise<Reply<string>> {
  const { reply } = await send(question(`/domains/${encodeURIComponent(id)}/authcode`, {}));
  if (reply.kind !== 'done') return reply;
  const code = textOf(dataOf(reply.data).auth_code);
  // Some registries send it to the registrant instead.
  return code === undefined
    ? { kind: 'refused', evidence: { code: 2308, text: 'the registry sends the auth code to the registrant only' } }
    : { ...reply, data: code };
}

async function findingsOf(send: UpstreamClient): Promise<string[]> {
  const charges = (await send(question('/transactions', { limit: '1' }))).reply;
  return charges.kind === 'done' ? [] : [`transactions cannot be read: ${refusalReason(charges)}`];
}
