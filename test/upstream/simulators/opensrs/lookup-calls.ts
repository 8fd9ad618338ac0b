import { decimal } from '../ledger.ts';
import { isHeld, type OrderState, type SimulatedDomain, type SimulatedOrder, type Verb } from '../portfolio.ts';
import {
  type Attributes,
  type Call,
  day,
  ownDomain,
  pricesOf,
  Refused,
  type Reply,
  type State,
  stamp,
} from './call.ts';
import type { OpsMap } from './envelope.ts';

const orderStatuses: Record<OrderState, string> = {
  open: 'processed',
  saved: 'pending',
  in_doubt: 'waiting',
  done: 'completed',
  failed: 'declined',
  cancelled: 'cancelled',
};
const orderTypes: Partial<Record<Verb, string>> = {
  register: 'new',
  renew: 'renewal',
  transfer: 'transfer',
  restore: 'redeem',
};

function lookup(state: State, attributes: Attributes, isStale: boolean): Reply {
  const name = attributes.domain();
  pricesOf(state, name);
  const isFromCache = isStale && !attributes.flag('no_cache');
  const held = isFromCache ? state.portfolio.stale(name) : state.portfolio.find(name);
  if (held?.status === 'pending') return { code: 221, text: 'Domain taken', attributes: { status: 'taken' } };
  if ((held && isHeld(held)) || state.elsewhere.has(name))
    return { code: 211, text: 'Domain taken', attributes: { status: 'taken' } };
  const premium: OpsMap = state.premium.has(name) ? { reason: 'Premium Name' } : {};
  return { code: 210, text: 'Domain available', attributes: { status: 'available', ...premium } };
}

const nameserverList = ({ nameservers }: SimulatedDomain) =>
  nameservers.map((name, place) => ({ name, sortorder: String(place + 1) }));

const expireAction = ({ autoRenew }: SimulatedDomain): OpsMap => ({
  auto_renew: autoRenew ? '1' : '0',
  let_expire: autoRenew ? '0' : '1',
});

function allInfo(state: State, domain: SimulatedDomain): OpsMap {
  return {
    ...expireAction(domain),
    affiliate_id: state.portfolio.ordersOf(domain.id).find(({ verb }) => verb === 'register')?.reference ?? '',
    contact_set: state.profiles.get(domain.name)?.contactSet ?? {},
    expiredate: stamp(domain.expiresAt!),
    nameserver_list: nameserverList(domain),
    registry_createdate: stamp(domain.createdAt),
    registry_expiredate: stamp(domain.expiresAt!),
    sponsoring_rsp: '1',
    dnssec: domain.dnssec,
  };
}

const getTypes: Record<string, (state: State, domain: SimulatedDomain) => OpsMap> = {
  all_info: allInfo,
  status: (_state, domain) => ({
    lock_state: domain.locked ? '1' : '0',
    domain_supports: '1',
    can_modify: '1',
    parkp_status: '',
    transfer_away_in_progress: '0',
    auctionescrow: '0',
  }),
  domain_auth_info: (_state, domain) => ({ domain_auth_info: domain.authCode }),
  expire_action: (_state, domain) => expireAction(domain),
  nameservers: (_state, domain) => ({ nameserver_list: nameserverList(domain) }),
  whois_privacy_state: (_state, domain) => ({
    state: domain.privacy ? 'enabled' : 'disabled',
    changeable: '1',
  }),
};

const get: Call = {
  required: ['domain', 'type'],
  optional: ['clean_ca_subset', 'active_contacts_only', 'limit', 'page'],
  run(state, attributes, fault) {
    const show = getTypes[attributes.text('type')];
    if (!show) throw new Refused(460, 'Info type not specified');
    const current = ownDomain(state, attributes);
    const domain = fault?.kind === 'stale' ? (state.portfolio.stale(current.name) ?? current) : current;
    return { text: 'Query Successful', attributes: show(state, domain) };
  },
};

function listed(state: State, { expiresAt, name, autoRenew }: SimulatedDomain): OpsMap {
  const [renews, expires] = autoRenew ? ['Y', 'N'] : ['N', 'Y'];
  const registrant = state.profiles.get(name)?.username ?? '';
  return {
    expiredate: stamp(expiresAt!),
    f_auto_renew: renews!,
    f_let_expire: expires!,
    name,
    reg_username: registrant,
  };
}

/** Domains that were revoked or expired, also those that can be redeemed. */
const deletedDomains: Call = {
  required: [],
  optional: ['domain', 'del_from', 'del_to', 'exp_from', 'exp_to', 'limit', 'page'],
  run(state, attributes) {
    const name = attributes.optional('domain')?.toLowerCase();
    const [from, to] = [attributes.optional('del_from') ?? '', attributes.optional('del_to') ?? '9999'];
    const [limit, page] = [attributes.number('limit', 40), attributes.number('page', 1)];
    const found = [...state.portfolio.domains.values()]
      .filter((each) => (name === undefined || each.name === name) && each.deletedAt !== null)
      .filter(({ deletedAt }) => day(deletedAt!) >= from && day(deletedAt!) <= to);
    const del_domains = found.slice((page - 1) * limit, page * limit).map((each) => ({
      name: each.name,
      delete_date: stamp(each.deletedAt!),
      delete_date_epoch: String(Math.floor(each.deletedAt! / 1000)),
      expiredate: stamp(each.expiresAt!),
      expiredate_epoch: String(Math.floor(each.expiresAt! / 1000)),
      reason: 'Revoked',
    }));
    const counts = { page: String(page), total: String(found.length) };
    return { text: 'Command completed successfully', attributes: { del_domains, ...counts } };
  },
};

const byExpiry: Call = {
  required: ['exp_from', 'exp_to'],
  optional: ['limit', 'page'],
  run(state, attributes) {
    const [from, to] = [attributes.text('exp_from'), attributes.text('exp_to')];
    const limit = attributes.number('limit', 40);
    if (limit > 1_000) throw new Refused(465, 'Invalid data: limit');
    const page = attributes.number('page', 1);
    const found = [...state.portfolio.domains.values()]
      .filter((each) => state.portfolio.refresh(each).status === 'active')
      .filter(({ expiresAt }) => day(expiresAt!) >= from && day(expiresAt!) <= to)
      .sort((a, b) => a.expiresAt! - b.expiresAt! || Number(a.id) - Number(b.id));
    const shown = found.slice((page - 1) * limit, page * limit);
    return {
      text: 'Command completed successfully',
      attributes: {
        exp_domains: shown.map((each) => listed(state, each)),
        page: String(page),
        remainder: page * limit < found.length ? '1' : '0',
        total: String(found.length),
      },
    };
  },
};

function listedOrder(order: SimulatedOrder): OpsMap {
  return {
    id: order.id,
    order_date: stamp(order.at),
    status: orderStatuses[order.state],
    type: orderTypes[order.verb] ?? order.verb,
  };
}

const ordersByDomain: Call = {
  required: ['domain'],
  optional: ['limit', 'page', 'order_from', 'order_to', 'status', 'type'],
  run(state, attributes) {
    const name = attributes.domain();
    const from = attributes.optional('order_from') ?? '';
    const to = attributes.optional('order_to') ?? '9999';
    const [limit, page] = [attributes.number('limit', 40), attributes.number('page', 1)];
    const found = [...state.portfolio.orders.values()]
      .filter((each) => each.domain === name && orderTypes[each.verb] !== undefined)
      .filter(({ at }) => day(at) >= from && day(at) <= to)
      .map(listedOrder)
      .filter(
        ({ status, type }) =>
          (attributes.optional('status') ?? status) === status && (attributes.optional('type') ?? type) === type,
      );
    const orders = found.slice((page - 1) * limit, page * limit);
    return { text: 'Command completed successfully', attributes: { orders, page_size: String(limit) } };
  },
};

const orderInfo: Call = {
  required: ['order_id'],
  run(state, attributes) {
    const order = state.portfolio.orders.get(attributes.text('order_id'));
    if (!order) throw new Refused(480, 'Order not found');
    const { status, type, id, order_date } = listedOrder(order);
    const domain = state.portfolio.domains.get(order.domainId)!;
    const field_hash: OpsMap = {
      id: id!,
      order_date: order_date!,
      status: status!,
      reg_type: type!,
      domain: order.domain,
      affiliate_id: order.reference,
      cost: decimal(order.cost),
      period: String(order.years),
      f_auto_renew: domain.autoRenew ? 'Y' : 'N',
      f_lock_domain: domain.locked ? '1' : '0',
      completed_date: order.doneAt === null ? '' : stamp(order.doneAt),
      notes: order.text,
    };
    return { text: 'Command completed successfully', attributes: { field_hash } };
  },
};

const transferStatus = ({ state, text }: SimulatedOrder): string =>
  state === 'done' ? 'completed' : state === 'cancelled' || state === 'failed' ? 'cancelled' : text;

const checkTransfer: Call = {
  required: ['domain'],
  optional: ['check_status', 'get_request_address', 'reg_username'],
  run(state, attributes) {
    const name = attributes.domain();
    const order = [...state.portfolio.orders.values()].findLast(
      (each) => each.domain === name && each.verb === 'transfer',
    );
    const losing = state.elsewhere.get(name);
    if (order)
      return {
        text: 'Query successful',
        attributes: {
          transferrable: '0',
          status: transferStatus(order),
          unixtime: String(Math.floor(order.at / 1000)),
        },
      };
    const reason = losing ? (losing.locked ? 'Domain is locked' : '') : 'Domain not registered';
    return { text: 'Query successful', attributes: { transferrable: reason === '' ? '1' : '0', reason } };
  },
};

export const lookupCalls: Readonly<Record<string, Call>> = {
  'lookup domain': {
    required: ['domain'],
    optional: ['no_cache'],
    run: (state, attributes, fault) => lookup(state, attributes, fault?.kind === 'stale'),
  },
  'get_price domain': {
    required: ['domain'],
    optional: ['period', 'reg_type', 'all'],
    run(state, attributes) {
      const name = attributes.domain();
      const type = attributes.optional('reg_type') ?? 'new';
      if (type !== 'new' && type !== 'renewal' && type !== 'transfer') throw new Refused(465, 'Invalid data: reg_type');
      const yearly = state.premium.get(name) ?? pricesOf(state, name)[type];
      const price = decimal(yearly * attributes.number('period', 1));
      const is_registry_premium = state.premium.has(name) ? '1' : '0';
      return { text: 'Command Successful', attributes: { price, is_registry_premium } };
    },
  },
  'get domain': get,
  'get_domains_by_expiredate domain': byExpiry,
  'get_deleted_domains domain': deletedDomains,
  'get_orders_by_domain domain': ordersByDomain,
  'get_order_info domain': orderInfo,
  'check_transfer domain': checkTransfer,
  'get_transfers_in domain': {
    required: [],
    optional: ['domain', 'limit', 'page', 'status'],
    run(state, attributes) {
      const name = attributes.optional('domain')?.toLowerCase();
      const found = [...state.portfolio.orders.values()].filter(
        (each) => each.verb === 'transfer' && (name === undefined || each.domain === name),
      );
      const transfers = found.map((each) => ({
        domain: each.domain,
        order_id: each.id,
        order_date_epoch: String(Math.floor(each.at / 1000)),
        completed_date: each.state === 'done' ? stamp(each.doneAt!) : '',
        status: transferStatus(each),
      }));
      return { text: 'Command successful', attributes: { transfers, total: String(transfers.length) } };
    },
  },
  'get_balance balance': {
    required: [],
    run: ({ ledger }) => ({
      text: 'Command successful',
      attributes: { balance: decimal(ledger.balance), hold_balance: decimal(ledger.held) },
    }),
  },
  'belongs_to_rsp domain': {
    required: ['domain'],
    run({ portfolio }, attributes) {
      const found = portfolio.find(attributes.domain());
      const isOurs = found !== undefined && isHeld(found) && found.expiresAt !== null;
      const expiry: OpsMap = isOurs ? { domain_expdate: stamp(found.expiresAt!) } : {};
      return { text: 'Query successful', attributes: { belongs_to_rsp: isOurs ? '1' : '0', ...expiry } };
    },
  },
};
