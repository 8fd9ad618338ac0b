import { dayMs, yearsLater } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import { InsufficientFunds } from '../ledger.ts';
import type { PlacedOrder, SimulatedDomain, SimulatedOrder } from '../portfolio.ts';
import {
  type Attributes,
  type Call,
  emit,
  ownDomain,
  pricesOf,
  Refused,
  type Reply,
  type State,
  stamp,
} from './call.ts';
import type { OpsMap } from './envelope.ts';

const contactKeys = ['first_name', 'last_name', 'address1', 'city', 'country', 'postal_code', 'phone', 'email'];

function place(
  state: State,
  placed: PlacedOrder,
  handle: string | undefined,
  fault: FaultRule | undefined,
): SimulatedOrder {
  const { processImmediately, ordersWait, withoutFunds } = state.settings;
  const isSaved = handle === 'save' || (handle === undefined && !processImmediately);
  const rule = isSaved ? ({ kind: 'saved' } as const) : fault;
  try {
    return state.portfolio.place({ ...placed, waits: placed.waits === true || ordersWait }, rule);
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error;
    if (placed.domain.status === 'pending') placed.domain.status = 'failed';
    throw new Refused(withoutFunds, 'Registration Failed: insufficient funds');
  }
}

/** A new order cancels the saved ones of the domain. */
function cancelSaved({ portfolio }: State, name: string): OpsMap {
  const saved = [...portfolio.orders.values()].filter(({ domain, state }) => domain === name && state === 'saved');
  for (const { id } of saved) portfolio.fail(id, 'Cancelled by a newer order', 'cancelled');
  return saved.length === 0 ? {} : { cancelled_orders: saved.map(({ id }) => id) };
}

function reply(order: SimulatedOrder, text: string, others: OpsMap): Reply {
  const attributes: OpsMap = { ...others, id: order.id };
  if (order.state === 'saved') return { text: 'Order saved', attributes: { ...attributes, forced_pending: order.id } };
  if (order.state !== 'done')
    return { code: 250, text: 'Action submitted successfully for processing to asynchronous registry', attributes };
  return { text, attributes };
}

function readContacts(attributes: Attributes): OpsMap {
  const set = attributes.map('contact_set');
  if (!set) throw new Refused(460, 'Missing required field: contact_set');
  for (const role of ['owner', 'admin', 'billing']) {
    const contact = set[role];
    if (typeof contact !== 'object' || Array.isArray(contact))
      throw new Refused(460, `Missing required field: ${role}`);
    const missing = contactKeys.find((key) => !contact[key]);
    if (missing !== undefined) throw new Refused(465, `Invalid data, error=${role}: ${missing} is required`);
    if (!/^\+\d{1,3}\.\d{4,14}(x\d+)?$/.test(String(contact.phone)))
      throw new Refused(465, `Invalid data, error=${role}: phone must be +CCC.NNN`);
    if (!/^[A-Z]{2}$/.test(String(contact.country))) throw new Refused(465, `Invalid data, error=${role}: country`);
  }
  return set;
}

export function readHosts(list: readonly unknown[]): string[] {
  return list.map((each) => {
    const name = typeof each === 'string' ? each : (each as OpsMap).name;
    if (typeof name !== 'string' || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(name))
      throw new Refused(465, 'Invalid data, error=nameserver');
    return name.toLowerCase();
  });
}

function period(attributes: Attributes): number {
  const years = attributes.number('period');
  if (years < 1 || years > 10) throw new Refused(465, 'Invalid data: period');
  return years;
}

function register(state: State, attributes: Attributes, fault: FaultRule | undefined): Reply {
  const name = attributes.domain();
  const years = period(attributes);
  const yearly = state.premium.get(name) ?? pricesOf(state, name).new;
  const contactSet = readContacts(attributes);
  const isCustom = attributes.flag('custom_nameservers');
  const nameservers = isCustom
    ? readHosts(attributes.list('nameserver_list'))
    : ['ns1.default.example', 'ns2.default.example'];
  const username = attributes.text('reg_username');
  const password = attributes.text('reg_password');
  const cancelled = cancelSaved(state, name);
  const held = state.portfolio.find(name);
  if (held?.status === 'pending') throw new Refused(486, 'Domain is in a processing state');
  if (state.portfolio.holds(name) || state.elsewhere.has(name)) throw new Refused(485, 'Domain taken');
  const domain = state.portfolio.enter({
    name,
    customer: username,
    nameservers,
    authCode: state.code(),
    autoRenew: attributes.flag('auto_renew'),
    locked: attributes.flag('f_lock_domain'),
    privacy: attributes.flag('f_whois_privacy'),
  });
  state.profiles.set(name, { username, password, contactSet });
  const effect = (each: SimulatedDomain) => {
    each.status = 'active';
    each.createdAt = state.clock.now();
    each.expiresAt = yearsLater(each.createdAt, years);
    emit(state, 'DOMAIN', 'REGISTERED', { domain: name, expiration_date: stamp(each.expiresAt) });
  };
  const reference = attributes.optional('affiliate_id') ?? '';
  const text = `new ${name}`;
  const placed = { domain, verb: 'register', cost: yearly * years, years, reference, text, effect } as const;
  const order = place(state, placed, attributes.optional('handle'), fault);
  const email = String((contactSet.admin as OpsMap).email);
  const isDone = order.state === 'done';
  return reply(order, 'Domain registration successfully completed', {
    ...cancelled,
    admin_email: email,
    registration_code: isDone ? '200' : '250',
    registration_text: isDone ? 'Domain registration successfully completed' : 'Registration is waiting',
    whois_privacy_state: domain.privacy ? 'enabled' : 'disabled',
  });
}

function transfer(state: State, attributes: Attributes, fault: FaultRule | undefined): Reply {
  const name = attributes.domain();
  const { transfer: cost } = pricesOf(state, name);
  const contactSet = readContacts(attributes);
  const username = attributes.text('reg_username');
  const password = attributes.text('reg_password');
  const losing = state.elsewhere.get(name);
  if (!losing || state.portfolio.holds(name)) throw new Refused(487, 'Domain not transferrable');
  if (losing.locked) throw new Refused(487, 'Domain status clientTransferProhibited does not allow for transfer');
  const authCode = attributes.optional('auth_info') ?? '';
  const domain = state.portfolio.enter({
    name,
    customer: username,
    authCode,
    autoRenew: attributes.flag('auto_renew'),
  });
  const nameservers = attributes.flag('custom_transfer_nameservers')
    ? readHosts(attributes.list('nameserver_list'))
    : ['ns1.before.example', 'ns2.before.example'];
  state.profiles.set(name, { username, password, contactSet });
  const effect = (each: SimulatedDomain) => {
    state.elsewhere.delete(name);
    each.status = 'active';
    each.nameservers = nameservers;
    each.expiresAt = yearsLater(losing.expiresAt, 1);
    emit(state, 'TRANSFER', 'STATUS_CHANGE', { domain: name, order_status: 'completed' });
  };
  const reference = attributes.optional('affiliate_id') ?? '';
  const text = authCode === losing.authCode ? 'pending_registry' : 'pending_owner';
  const placed = { domain, verb: 'transfer', cost, years: 1, reference, text, waits: true, effect } as const;
  const order = place(state, placed, attributes.optional('handle'), fault);
  return {
    text: 'Transfer request has been successfully sent',
    attributes: { id: order.id, admin_email: String((contactSet.owner as OpsMap).email) },
  };
}

const swRegister: Call = {
  required: ['domain', 'reg_type', 'reg_username', 'reg_password', 'contact_set', 'period'],
  optional: [
    'affiliate_id',
    'auth_info',
    'auto_renew',
    'change_contact',
    'comments',
    'custom_nameservers',
    'custom_tech_contact',
    'custom_transfer_nameservers',
    'f_lock_domain',
    'f_parkp',
    'f_whois_privacy',
    'handle',
    'link_domains',
    'nameserver_list',
    'premium_price_to_verify',
    'reg_domain',
    'tld_data',
  ],
  run(state, attributes, fault) {
    const type = attributes.text('reg_type');
    if (type === 'new') return register(state, attributes, fault);
    if (type === 'transfer') return transfer(state, attributes, fault);
    throw new Refused(465, 'Invalid data: reg_type');
  },
};

/** The domain's year must be the given one, or the refusal says why it is not. */
function checkYear({ settings, portfolio }: State, domain: SimulatedDomain, given: number): void {
  const year = new Date(domain.expiresAt!).getUTCFullYear();
  if (given === year) return;
  const last = portfolio.ordersOf(domain.id).findLast(({ verb, state }) => verb === 'renew' && state === 'done');
  if (last && given === year - last.years) throw new Refused(settings.repeatedRenewal, 'Domain already renewed');
  throw new Refused(465, 'Invalid data: currentexpirationyear does not match the registry');
}

const renew: Call = {
  required: ['domain', 'currentexpirationyear', 'handle', 'period', 'auto_renew'],
  optional: ['affiliate_id', 'f_parkp', 'premium_price_to_verify'],
  run(state, attributes, fault) {
    const domain = ownDomain(state, attributes);
    const years = period(attributes);
    const cancelled = cancelSaved(state, domain.name);
    if (state.portfolio.openOrder(domain.id))
      throw new Refused(
        state.settings.renewalUnderWay,
        'Domain already renewed; another renewal cannot be applied yet',
      );
    checkYear(state, domain, attributes.number('currentexpirationyear'));
    if (yearsLater(domain.expiresAt!, years) > yearsLater(state.clock.now(), 10))
      throw new Refused(541, 'Renewal beyond the longest registration period');
    const cost = (state.premium.get(domain.name) ?? pricesOf(state, domain.name).renewal) * years;
    const autoRenew = attributes.flag('auto_renew');
    const effect = (each: SimulatedDomain) => {
      each.expiresAt = yearsLater(each.expiresAt!, years);
      each.autoRenew = autoRenew;
      emit(state, 'DOMAIN', 'RENEWED', { domain: each.name, expiration_date: stamp(each.expiresAt) });
    };
    const kept = state.settings.renewalKeepsAffiliate ? (attributes.optional('affiliate_id') ?? '') : '';
    const placed = {
      domain,
      verb: 'renew',
      cost,
      years,
      reference: kept,
      text: `renewal ${domain.name}`,
      effect,
    } as const;
    const order = place(state, placed, attributes.text('handle'), fault);
    return reply(order, 'Command completed successfully', {
      ...cancelled,
      order_id: order.id,
      auto_renew: autoRenew ? '1' : '0',
      ...(order.state === 'done' ? { 'registration expiration date': stamp(domain.expiresAt!) } : {}),
    });
  },
};

const revoke: Call = {
  required: ['domain', 'reseller'],
  optional: ['notes'],
  run(state, attributes, fault) {
    const domain = ownDomain(state, attributes);
    if (attributes.text('reseller') !== state.settings.username) throw new Refused(415, 'Authentication Error.');
    const paid = state.portfolio
      .ordersOf(domain.id)
      .find(({ verb, state: of }) => verb === 'register' && of === 'done');
    const isRefunded = paid !== undefined && state.clock.now() - domain.createdAt < state.settings.refundDays * dayMs;
    const effect = (each: SimulatedDomain) => {
      each.status = isRefunded ? 'deleted' : 'redemption';
      each.deletedAt = state.clock.now();
      if (isRefunded) state.ledger.refund(paid.id, `refund ${each.name}`);
      emit(state, 'DOMAIN', 'DELETED', { domain: each.name });
    };
    state.portfolio.place({ domain, verb: 'delete', cost: 0, text: `revoke ${domain.name}`, effect }, fault);
    return { text: 'Domain revoked successfully', attributes: { charge: isRefunded ? '0' : '1', price: '0' } };
  },
};

const redeem: Call = {
  required: ['domain'],
  run(state, attributes, fault) {
    const domain = state.portfolio.find(attributes.domain());
    if (domain?.status !== 'redemption') throw new Refused(465, 'Domain is not in the redemption period');
    if (state.portfolio.openOrder(domain.id)) throw new Refused(437, 'Another request waits for this domain');
    const effect = (each: SimulatedDomain) => {
      each.status = 'active';
      each.deletedAt = null;
    };
    const cost = pricesOf(state, domain.name).redeem;
    const order = place(
      state,
      { domain, verb: 'restore', cost, text: `redeem ${domain.name}`, effect },
      'process',
      fault,
    );
    return reply(order, 'Domain redeemed', {});
  },
};

function orderById({ portfolio }: State, attributes: Attributes): SimulatedOrder {
  const found = portfolio.orders.get(attributes.text('order_id'));
  if (!found) throw new Refused(480, 'Order not found');
  return found;
}

export const orderCalls: Readonly<Record<string, Call>> = {
  'sw_register domain': swRegister,
  'renew domain': renew,
  'revoke domain': revoke,
  'redeem domain': redeem,
  'process_pending domain': {
    required: ['order_id'],
    optional: ['command', 'fax_received', 'owner_address'],
    run(state, attributes) {
      const order = orderById(state, attributes);
      if (order.state !== 'saved') throw new Refused(465, 'Order is not pending');
      if (attributes.optional('command') === 'cancel') state.portfolio.fail(order.id, 'Cancelled', 'cancelled');
      else state.portfolio.complete(order.id);
      return { text: 'Command completed successfully', attributes: { order_id: order.id } };
    },
  },
  'cancel_transfer transfer': {
    required: ['reseller'],
    optional: ['domain', 'order_id'],
    run(state, attributes) {
      const name = attributes.optional('domain')?.toLowerCase();
      const waiting = [...state.portfolio.orders.values()].find(
        (each) =>
          each.verb === 'transfer' &&
          each.doneAt === null &&
          (each.domain === name || each.id === attributes.optional('order_id')),
      );
      if (!waiting) throw new Refused(480, 'No transfer found');
      state.portfolio.fail(waiting.id, 'cancelled', 'cancelled');
      return { text: 'Transfer cancelled' };
    },
  },
};
