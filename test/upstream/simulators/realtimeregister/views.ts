import type { LedgerEntry } from '../ledger.ts';
import type { OrderState, SimulatedDomain, SimulatedOrder, Verb } from '../portfolio.ts';
import { type Contact, type Fields, type Notification, rulesOf, type State, timestamp, tldOf } from './state.ts';

/** The actions of processes, as Upmind's driver and the official WHMCS module filter them. */
const actions: Record<Verb, string> = {
  register: 'create',
  renew: 'renew',
  transfer: 'incomingTransfer',
  restore: 'restore',
  delete: 'delete',
  change: 'update',
};

const processStatuses: Record<OrderState, string> = {
  open: 'RUNNING',
  saved: 'SCHEDULED',
  in_doubt: 'IN_DOUBT',
  done: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
};

const billableActions: Partial<Record<Verb, string>> = {
  register: 'CREATE',
  renew: 'RENEW',
  transfer: 'TRANSFER',
  restore: 'RESTORE',
};

export const productOf = (state: State, name: string): string =>
  `domain_${tldOf(name)}${state.premium.has(name) ? '_premium' : ''}`;

export const quoteOf = (state: State, name: string, action: string, total: number): Fields => ({
  currency: state.settings.currency,
  total,
  billables: [
    {
      product: productOf(state, name),
      action,
      quantity: 1,
      amount: total,
      refundable: true,
      total,
      providerName: rulesOf(state, name).provider,
    },
  ],
});

function statusesOf(state: State, domain: SimulatedDomain): string[] {
  if (domain.status === 'redemption') return ['PENDING_DELETE', 'REDEMPTION_PERIOD'];
  const isNew = state.clock.now() - domain.createdAt < 5 * 86_400_000;
  const flags = [
    ...(isNew ? ['ADD_PERIOD'] : []),
    ...(domain.locked ? ['CLIENT_TRANSFER_PROHIBITED'] : []),
    ...(domain.suspended ? ['CLIENT_HOLD'] : []),
    ...(state.locked.has(domain.name) ? ['CLIENT_UPDATE_PROHIBITED', 'CLIENT_DELETE_PROHIBITED'] : []),
  ];
  const isRestricted = flags.some((flag) => flag !== 'ADD_PERIOD');
  return isRestricted ? flags : ['OK', ...flags];
}

export function domainView(state: State, domain: SimulatedDomain): Fields {
  const { contacts, nameservers, hosts, dnssec } = domain;
  return {
    domainName: domain.name,
    registry: rulesOf(state, domain.name).provider,
    customer: state.settings.customer,
    registrant: contacts.REGISTRANT,
    privacyProtect: domain.privacy,
    status: statusesOf(state, domain),
    authcode: domain.authCode,
    autoRenew: domain.autoRenew,
    autoRenewPeriod: 12,
    ...(nameservers.length > 0 ? { ns: nameservers } : {}),
    ...(Object.keys(hosts).length > 0 ? { childHosts: Object.keys(hosts) } : {}),
    createdDate: timestamp(domain.createdAt),
    expiryDate: timestamp(domain.expiresAt!),
    premium: state.premium.has(domain.name),
    gateway: false,
    contacts: Object.entries(contacts).flatMap(([role, handle]) => (role === 'REGISTRANT' ? [] : [{ role, handle }])),
    ...(dnssec.length > 0 ? { dsData: dnssec } : {}),
  };
}

export function processView(state: State, order: SimulatedOrder): Fields {
  const { currency, customer } = state.settings;
  const refunded = state.ledger.entries.find(({ kind, orderId }) => kind === 'refund' && orderId === order.id);
  const money = (field: string, cents: number) => (cents === 0 ? {} : { [field]: { [currency]: cents } });
  const isOpen = order.doneAt === null;
  return {
    id: Number(order.id),
    user: `${customer}/api`,
    customer,
    status: processStatuses[order.state],
    ...(order.state === 'failed'
      ? { statusDetail: order.text, error: { type: 'ProcessError', message: order.text } }
      : {}),
    ...(isOpen && order.verb === 'transfer' ? { resumeTypes: ['PROVIDER'] } : {}),
    createdDate: timestamp(order.at),
    startedDate: timestamp(order.at),
    ...(order.doneAt === null ? {} : { updatedDate: timestamp(order.doneAt) }),
    type: 'domain',
    identifier: order.domain,
    action: actions[order.verb],
    command: state.commands.get(order.id) ?? {},
    ...(isOpen ? money('reservation', order.cost) : {}),
    ...(order.state === 'done' ? money('transaction', order.cost) : {}),
    ...money('refund', refunded?.amount ?? 0),
  };
}

/** The amount of a charge is positive. */
export function transactionView(state: State, entry: LedgerEntry): Fields {
  const order = state.portfolio.orders.get(entry.orderId)!;
  return {
    id: Number(entry.id),
    customer: state.settings.customer,
    date: timestamp(entry.at),
    amount: 0 - entry.amount,
    currency: state.settings.currency,
    processId: Number(entry.orderId),
    processType: 'domain',
    processIdentifier: entry.domain,
    processAction: actions[order.verb],
    chargesPerAccount: { [state.settings.currency]: 0 - entry.amount },
    billables: [
      {
        product: productOf(state, entry.domain),
        action: billableActions[order.verb],
        quantity: 1,
        amount: Math.abs(entry.amount),
        providerName: rulesOf(state, entry.domain).provider,
      },
    ],
  };
}

export function contactView(state: State, contact: Contact): Fields {
  const { handle, fields, properties } = contact;
  return {
    customer: state.settings.customer,
    brand: 'default',
    handle,
    ...fields,
    createdDate: timestamp(contact.createdAt),
    registries: Object.keys(properties),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  };
}

export const hostViews = (domain: SimulatedDomain): Fields[] =>
  Object.entries(domain.hosts).map(([hostName, addresses]) => ({
    hostName,
    addresses: addresses.map((address) => ({ address, ipVersion: address.includes(':') ? 'V6' : 'V4' })),
    createdDate: timestamp(domain.createdAt),
    domain: domain.name,
  }));

export const notificationView = (state: State, { id, at, domain, message }: Notification): Fields => ({
  id,
  fireDate: timestamp(at),
  message,
  customer: state.settings.customer,
  eventType: 'DomainStatusChangedEvent',
  notificationType: 'DomainNotification',
  isAsync: true,
  processType: 'domain',
  processIdentifier: domain,
  domainName: domain,
});

export function tldView(state: State, tld: string): Fields {
  const rules = state.settings.tlds[tld]!;
  const contacts = (role: string) => ({ min: 0, max: rules.without?.includes(role) ? 0 : 10, required: false });
  return {
    provider: rules.provider,
    applicableFor: [tld],
    metadata: {
      createDomainPeriods: [12, 24, 36, 48, 60, 72, 84, 96, 108, 120],
      renewDomainPeriods: [12, 24, 36, 48, 60, 72, 84, 96, 108, 120],
      expiryDateOffset: rules.expiryDateOffset ?? 0,
      adminContacts: contacts('ADMIN'),
      billingContacts: contacts('BILLING'),
      techContacts: contacts('TECH'),
      contactProperties:
        rules.property === undefined ? [] : [{ name: rules.property, type: 'String', mandatory: true }],
    },
  };
}
