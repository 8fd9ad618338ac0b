import { dayMs, epochSeconds, yearsLater } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import { InsufficientFunds } from '../ledger.ts';
import type { PlacedOrder, SimulatedDomain, SimulatedOrder } from '../portfolio.ts';
import { orderAnswer } from './answers.ts';
import { Bare, type Call, orderOf, rulesOf, type State } from './call.ts';
import { type Parameters, Refused } from './parameters.ts';
import type { ProductPrices } from './settings.ts';

const roles = ['reg', 'admin', 'tech', 'billing'] as const;
const invoiceOptions = ['NoInvoice', 'PayInvoice', 'KeepInvoice', 'OnlyAdd'];
const contactKeys = roles.map((role) => `${role}-contact-id`);
const optionalOfOrder = [
  'purchase-privacy',
  'protect-privacy',
  'discount-amount',
  'purchase-premium-dns',
  'auto-renew',
];

function priceOf(state: State, name: string, action: keyof ProductPrices, years: number): number {
  const premium = state.premium.get(name);
  if (premium && action === 'addnewdomain') return premium.create * years;
  if (premium && action === 'renewdomain') return premium.renew * years;
  if (premium && action === 'addtransferdomain') return premium.transfer;
  return state.settings.products[rulesOf(state, name).product]![action] * years;
}

export const renewalCost = (state: State, { name }: SimulatedDomain): number => priceOf(state, name, 'renewdomain', 1);

function place(state: State, placed: PlacedOrder, option: string, fault: FaultRule | undefined): SimulatedOrder {
  try {
    return state.portfolio.place({ ...placed, waits: placed.waits === true || option === 'OnlyAdd' }, fault);
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error;
    if (placed.domain.status === 'pending') placed.domain.status = 'failed';
    throw new Refused('Reseller does not have sufficient funds to execute this order', 'error');
  }
}

function invoiceOption(parameters: Parameters): string {
  const option = parameters.text('invoice-option');
  if (!invoiceOptions.includes(option)) throw new Refused('Invalid value for invoice-option');
  return option;
}

function autoRenew(state: State, parameters: Parameters, fallback: boolean): boolean {
  if (!state.settings.autoRenewRequired && parameters.optional('auto-renew') === undefined) return fallback;
  return parameters.flag('auto-renew');
}

function yearsOf(parameters: Parameters): number {
  const years = parameters.number('years');
  if (years < 1 || years > 10) throw new Refused('Invalid value for years');
  return years;
}

/** The contacts of an order: each belongs to the customer and has the type of the TLD, and a role that the TLD lacks is -1. */
export function readContacts(state: State, parameters: Parameters, name: string, customer: string) {
  const { contactType = 'Contact', without = [] } = rulesOf(state, name);
  return Object.fromEntries(
    roles.map((role) => {
      const id = parameters.text(`${role}-contact-id`);
      const field = role === 'reg' ? 'registrant' : role;
      if (id === '-1' && without.includes(role)) return [role, id];
      const contact = state.contacts.get(id);
      if (!contact || contact.deleted) throw new Refused(`{${field}contactid=${field}contactid is invalid}`);
      if (contact.customer !== customer) throw new Refused(`Contact ${id} is not registered by you`);
      if (state.settings.form === 'strict' && without.includes(role))
        throw new Refused(`{${field}contactid=must be -1}`);
      // FOSSBilling sends a general registrant for .ca, and the other contact as its administrator.
      const isOfType = (key: string) =>
        state.contacts.get(parameters.optional(`${key}-contact-id`) ?? '')?.type === contactType;
      if (role === 'reg' && !isOfType('reg') && !(state.settings.form === 'lenient' && isOfType('admin')))
        throw new Refused(`{registrantcontactid=Contact type must be ${contactType}}`);
      return [role, id];
    }),
  );
}

function readNameservers(parameters: Parameters): string[] {
  const hosts = parameters.list('ns').map((host) => host.toLowerCase());
  const bad = hosts.find((host) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host));
  if (bad !== undefined) throw new Refused(`${bad} is not a valid Nameserver`);
  return hosts;
}

function customerOf(state: State, parameters: Parameters): string {
  const id = parameters.text('customer-id');
  if (!state.customers.has(id)) throw new Refused('Invalid customer-id');
  return id;
}

function refusePremium(state: State, parameters: Parameters, name: string): void {
  if (state.premium.has(name) && parameters.attributes().premium !== 'true')
    throw new Refused(`${name} is a premium domain name`, 'error');
}

const register: Call = {
  method: 'POST',
  required: ['domain-name', 'years', 'ns', 'customer-id', ...contactKeys, 'invoice-option'],
  optional: optionalOfOrder,
  run(state, parameters, fault) {
    const name = parameters.name();
    rulesOf(state, name);
    const customer = customerOf(state, parameters);
    const years = yearsOf(parameters);
    const option = invoiceOption(parameters);
    const contacts = readContacts(state, parameters, name, customer);
    const nameservers = readNameservers(parameters);
    const renews = autoRenew(state, parameters, true);
    if (state.portfolio.holds(name) || state.elsewhere.has(name))
      throw new Refused(`Domain Name ${name} is already registered`, 'error');
    refusePremium(state, parameters, name);
    const cost = priceOf(state, name, 'addnewdomain', years);
    const privacy = parameters.optional('protect-privacy') === 'true';
    const authCode = state.code();
    const domain = state.portfolio.enter({
      name,
      customer,
      contacts,
      nameservers,
      privacy,
      authCode,
      autoRenew: renews,
    });
    const text = `Registration of ${name} for ${years} ${years === 1 ? 'year' : 'years'}`;
    const order = place(
      state,
      {
        domain,
        verb: 'register',
        cost,
        years,
        text,
        waits: state.settings.ordersWait,
        effect: (each) => {
          each.status = 'active';
          each.createdAt = state.clock.now();
          each.expiresAt = yearsLater(each.createdAt, years);
        },
      },
      option,
      fault,
    );
    return orderAnswer(state, order, option);
  },
};

const renew: Call = {
  method: 'POST',
  required: ['order-id', 'years', 'exp-date', 'invoice-option'],
  optional: optionalOfOrder,
  run(state, parameters, fault) {
    const domain = orderOf(state, parameters);
    const years = yearsOf(parameters);
    const option = invoiceOption(parameters);
    const renews = autoRenew(state, parameters, domain.autoRenew);
    const given = parameters.number('exp-date');
    if (domain.status !== 'active') throw new Refused('Order is not Active', 'error');
    if (state.portfolio.openOrder(domain.id)) throw new Refused('Order Locked In Processing', 'error');
    if (state.settings.outdatedExpDateRefused && given !== epochSeconds(domain.expiresAt!))
      throw new Refused('Current Expiry Date is not valid for this order', 'error');
    const until = yearsLater(domain.expiresAt!, years);
    if (until > yearsLater(state.clock.now(), 10))
      throw new Refused('A Domain Name cannot be extended beyond 10 years');
    refusePremium(state, parameters, domain.name);
    const cost = priceOf(state, domain.name, 'renewdomain', years);
    const text = `Renewal of ${domain.name} for ${years} ${years === 1 ? 'year' : 'years'}`;
    const effect = (each: SimulatedDomain) => {
      each.expiresAt = yearsLater(each.expiresAt!, years);
      each.autoRenew = renews;
    };
    const waits = state.settings.ordersWait;
    const order = place(state, { domain, verb: 'renew', cost, years, text, waits, effect }, option, fault);
    return orderAnswer(state, order, option);
  },
};

function transferable(state: State, name: string): boolean {
  const found = state.elsewhere.get(name);
  if (!found && !state.portfolio.holds(name)) throw new Refused(`${name} is currently available for Registration`);
  return found !== undefined && !found.locked && !found.sameRegistrar && !state.portfolio.holds(name);
}

const transfer: Call = {
  method: 'POST',
  required: ['domain-name', 'customer-id', ...contactKeys, 'invoice-option'],
  optional: ['auth-code', 'ns', ...optionalOfOrder],
  run(state, parameters, fault) {
    const name = parameters.name();
    rulesOf(state, name);
    const customer = customerOf(state, parameters);
    const option = invoiceOption(parameters);
    const contacts = readContacts(state, parameters, name, customer);
    const nameservers = readNameservers(parameters);
    const renews = autoRenew(state, parameters, true);
    if (!transferable(state, name)) throw new Refused('Order Locked In Processing', 'error');
    refusePremium(state, parameters, name);
    const authCode = parameters.optional('auth-code') ?? '';
    const domain = state.portfolio.enter({ name, customer, contacts, nameservers, authCode, autoRenew: renews });
    const effect = (each: SimulatedDomain) => {
      const losing = state.elsewhere.get(name)!;
      state.elsewhere.delete(name);
      each.status = 'active';
      each.expiresAt = yearsLater(losing.expiresAt, 1);
    };
    const cost = priceOf(state, name, 'addtransferdomain', 1);
    const text = `Transfer of ${name} for 1 year`;
    const order = place(state, { domain, verb: 'transfer', cost, years: 1, text, waits: true, effect }, option, fault);
    if (authCode === '') order.text = 'Waiting for the authorization code';
    else if (authCode !== state.elsewhere.get(name)!.authCode)
      state.portfolio.fail(order.id, 'Invalid authorization code');
    return orderAnswer(state, order, option);
  },
};

function openTransfer(state: State, parameters: Parameters): SimulatedOrder {
  const open = state.portfolio.openOrder(orderOf(state, parameters).id);
  if (open?.verb !== 'transfer') throw new Refused('Invalid action status/action type for this operation', 'error');
  return open;
}

const remove: Call = {
  method: 'POST',
  required: ['order-id'],
  run(state, parameters, fault) {
    const domain = orderOf(state, parameters);
    if (domain.status !== 'active') throw new Refused('Order is not Active', 'error');
    const age = state.clock.now() - domain.createdAt;
    const paid = state.portfolio.ordersOf(domain.id).find(({ verb }) => verb === 'register');
    const isRefunded = paid !== undefined && age < state.settings.refundDays * dayMs;
    const text = `Deletion of ${domain.name}`;
    const effect = (each: SimulatedDomain) => {
      each.status = isRefunded ? 'deleted' : 'redemption';
      each.deletedAt = state.clock.now();
      if (isRefunded) state.ledger.refund(paid.id, `Refund for ${each.name}`);
    };
    const order = place(state, { domain, verb: 'delete', cost: 0, text, effect }, 'NoInvoice', fault);
    return orderAnswer(state, order, 'NoInvoice');
  },
};

const restore: Call = {
  method: 'POST',
  required: ['order-id', 'invoice-option'],
  run(state, parameters, fault) {
    const domain = orderOf(state, parameters);
    const option = invoiceOption(parameters);
    if (domain.status !== 'redemption') throw new Refused('Order is not Pending Delete Restorable', 'error');
    if (state.portfolio.openOrder(domain.id)) throw new Refused('Order Locked In Processing', 'error');
    const cost = priceOf(state, domain.name, 'restoredomain', 1);
    const effect = (each: SimulatedDomain) => {
      each.status = 'active';
      each.deletedAt = null;
    };
    const waits = state.settings.ordersWait;
    const text = `Restoration of ${domain.name}`;
    const order = place(state, { domain, verb: 'restore', cost, text, waits, effect }, option, fault);
    return orderAnswer(state, order, option);
  },
};

export const orderCalls: Readonly<Record<string, Call>> = {
  'domains/register': register,
  'domains/renew': renew,
  'domains/transfer': transfer,
  'domains/delete': remove,
  'domains/restore': restore,
  'domains/validate-transfer': {
    method: 'GET',
    required: ['domain-name'],
    run: (state, parameters) => transferable(state, parameters.name()),
  },
  'domains/cancel-transfer': {
    method: 'POST',
    required: ['order-id'],
    run(state, parameters) {
      state.portfolio.fail(openTransfer(state, parameters).id, 'Cancelled by the reseller', 'cancelled');
      return new Bare('Success');
    },
  },
  'domains/resend-rfa': {
    method: 'POST',
    required: ['order-id'],
    run: (state, parameters) => openTransfer(state, parameters) !== undefined,
  },
  'domains/transfer/submit-auth-code': {
    method: 'POST',
    required: ['order-id', 'auth-code'],
    run(state, parameters) {
      const order = openTransfer(state, parameters);
      if (parameters.text('auth-code') !== state.elsewhere.get(order.domain)!.authCode)
        throw new Refused('Invalid authorization code', 'error');
      order.text = `Transfer of ${order.domain} for 1 year`;
      return new Bare('Success');
    },
  },
};
