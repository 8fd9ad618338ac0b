import { dayMs } from '../clock.ts';
import { decimal, type LedgerEntry } from '../ledger.ts';
import type { SimulatedDomain } from '../portfolio.ts';
import { extraOf, rulesOf, type State, splitName } from './call.ts';

const quarantineDays = 30;

const format = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Amsterdam',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Times are those of Amsterdam, without a zone (WHMCS module, article 216648608). */
export const timeText = (at: number | null): string => (at === null ? '0000-00-00 00:00:00' : format.format(at));

/** The statuses of article 216649208 and of `API_Format_Domain_Status`. */
export function statusOf(state: State, domain: SimulatedDomain): string {
  const open = state.portfolio.openOrder(domain.id);
  switch (domain.status) {
    case 'pending':
      return open?.state === 'saved' ? 'PEN' : 'REQ';
    case 'failed':
      return 'FAI';
    case 'active':
      return 'ACT';
    case 'redemption':
      return open?.verb === 'restore' ? 'RRQ' : 'DEL';
    default:
      return 'DEL';
  }
}

/** Openprovider's own expiry date. */
export const renewalDate = (state: State, { name, expiresAt }: SimulatedDomain): number | null =>
  expiresAt === null ? null : expiresAt - (rulesOf(state, name).renewalOffsetDays ?? 0) * dayMs;

export function domainRow(state: State, domain: SimulatedDomain, withApiHistory: boolean): object {
  const { comments, autorenew, calls } = extraOf(state, domain.id);
  const isQuarantined = domain.status === 'redemption';
  const end = isQuarantined ? domain.deletedAt! + quarantineDays * dayMs : null;
  const placed = state.portfolio.ordersOf(domain.id)[0]?.at ?? domain.createdAt;
  const order = timeText(placed);
  return {
    id: Number(domain.id),
    domain: splitName(domain.name),
    status: statusOf(state, domain),
    type: 'NEW',
    order_date: order,
    creation_date: order,
    active_date: timeText(domain.expiresAt === null ? null : domain.createdAt),
    last_changed: timeText(domain.createdAt),
    expiration_date: timeText(domain.expiresAt),
    renewal_date: timeText(renewalDate(state, domain)),
    restorable_until: timeText(end),
    hard_quarantine_expiry_date: timeText(end),
    soft_quarantine_expiry_date: timeText(null),
    autorenew,
    comments,
    is_locked: domain.locked,
    is_lockable: true,
    is_private_whois_enabled: domain.privacy,
    is_client_hold_enabled: domain.suspended ? '1' : '0',
    is_deleted: domain.status === 'deleted',
    owner_handle: domain.contacts.owner_handle ?? '',
    admin_handle: domain.contacts.admin_handle ?? '',
    tech_handle: domain.contacts.tech_handle ?? '',
    billing_handle: domain.contacts.billing_handle ?? '',
    auth_code: '',
    name_servers: domain.nameservers.map((name, place) => ({ name, ip: '', ip6: '', seq_nr: place })),
    ...(withApiHistory && state.settings.apiHistory
      ? {
          api_history: calls.map(({ cmd, at, code }) => ({
            cmd,
            created_at: timeText(at),
            domain_id: Number(domain.id),
            in: '',
            out: JSON.stringify({ code, desc: '' }),
          })),
        }
      : {}),
  };
}

const actions: Readonly<Record<string, string>> = {
  register: 'CREATE',
  renew: 'RENEW',
  transfer: 'TRANSFER',
  restore: 'RESTORE',
};

/** As in `searchTransactionResellerRequest`. The amounts of a refund are negative. */
export function transactionRow({ ledger, portfolio, settings }: State, entry: LedgerEntry): object {
  const order = portfolio.orders.get(entry.orderId);
  const money = (amount: number) => {
    const price = { price: Number(decimal(amount)), currency: ledger.currency };
    return { product: price, reseller: price };
  };
  const total = Math.round(-entry.amount * (1 + settings.vat / 100));
  return {
    type: entry.kind === 'funds' ? 'payment' : 'transaction',
    creation_date: timeText(entry.at),
    action: actions[order?.verb ?? ''] ?? '',
    object_type: 'domain',
    subject: entry.domain,
    quantity: 1,
    setup: money(0),
    price: money(-entry.amount),
    discount: 0,
    vat: settings.vat,
    total: money(total),
    reference_id: Number(entry.id),
  };
}
