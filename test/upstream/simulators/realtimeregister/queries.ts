import { checkOwner } from './contacts.ts';
import { listed } from './lists.ts';
import { badField, heldDomain, notFound, Refused, type Route, rulesOf, type State } from './state.ts';
import { domainView, hostViews, notificationView, processView, tldView, transactionView } from './views.ts';

const get = (call: string, path: string, run: Route['run'], parameters: readonly string[] = ['fields']): Route => ({
  call,
  method: 'GET',
  path,
  parameters,
  run,
});

function processOf(state: State, id: string) {
  const found = state.portfolio.orders.get(id);
  if (!found) throw notFound(`Process ${id}`);
  return found;
}

const check: Route['run'] = (state, { path, query, fault }) => {
  const name = path[1]!;
  rulesOf(state, name);
  const held = fault?.kind === 'stale' ? state.portfolio.stale(name) : state.portfolio.find(name);
  const isHeld = held !== undefined && held.status !== 'deleted' && held.status !== 'failed';
  if (isHeld || state.elsewhere.has(name)) return { status: 200, body: { available: false, reason: 'In use' } };
  const premium = state.premium.get(name);
  if (!premium) return { status: 200, body: { available: true, premium: false } };
  const { currency } = state.settings;
  const renewal = query.get('renewPrice') === 'true' ? { renewPrice: premium.renew } : {};
  return { status: 200, body: { available: true, premium: true, price: premium.create, currency, ...renewal } };
};

const priceActions = { CREATE: 'create', RENEW: 'renew', TRANSFER: 'transfer', RESTORE: 'restore' } as const;

const priceList: Route['run'] = (state, { path }) => {
  checkOwner(state, path);
  const { tlds, currency } = state.settings;
  const prices = Object.entries(tlds).flatMap(([tld, rules]) =>
    Object.entries(priceActions).map(([action, key]) => ({
      product: `domain_${tld}`,
      action,
      currency,
      price: rules[key],
    })),
  );
  return { status: 200, body: { prices, priceChanges: [], promos: [] } };
};

const credit: Route['run'] = (state, { path }) => {
  checkOwner(state, path);
  const { balance, held } = state.ledger;
  const account = { currency: state.settings.currency, balance: balance - held, reservation: held, locked: 0 };
  return { status: 200, body: { accounts: [account] } };
};

const poll: Route['run'] = (state, { path }) => {
  checkOwner(state, path);
  const waiting = state.notifications.filter(({ isAcknowledged }) => !isAcknowledged);
  const [first] = waiting;
  const shown = first ? { notification: notificationView(state, first) } : {};
  return { status: 200, body: { count: waiting.length, ...shown } };
};

const acknowledge: Route['run'] = (state, { path }) => {
  checkOwner(state, path);
  const found = state.notifications.find(({ id }) => String(id) === path[3]);
  if (!found) throw notFound(`Notification ${path[3]}`);
  found.isAcknowledged = true;
  return { status: 200 };
};

const cancel: Route['run'] = (state, { path }) => {
  const order = processOf(state, path[1]!);
  if (order.doneAt !== null) throw badField('processId', 'The process has ended');
  if (order.verb !== 'transfer') throw new Refused('ValidationError', 'The process cannot be cancelled');
  state.portfolio.fail(order.id, 'Cancelled by the customer', 'cancelled');
  return { status: 200 };
};

const listOf = (call: string, path: string, run: Route['run']): Route => ({ call, method: 'GET', path, run });

export const queryRoutes: readonly Route[] = [
  get('checkDomain', 'domains/*/check', check, ['renewPrice', 'languageCode']),
  get('getDomain', 'domains/*', (state, { path, fault }) => ({
    status: 200,
    body: domainView(state, heldDomain(state, path[1]!, fault?.kind === 'stale')),
  })),
  get('getProcess', 'processes/*', (state, { path }) => ({
    status: 200,
    body: processView(state, processOf(state, path[1]!)),
  })),
  get('getTldInfo', 'tlds/*/info', (state, { path }) => {
    rulesOf(state, `x.${path[1]}`);
    return { status: 200, body: tldView(state, path[1]!) };
  }),
  get('getCredits', 'customers/*/credit', credit),
  get('getPricelist', 'customers/*/pricelist', priceList, ['currency']),
  get('pollNotification', 'customers/*/notifications/poll', poll),
  { call: 'ackNotification', method: 'POST', path: 'customers/*/notifications/*/ack', run: acknowledge },
  { call: 'cancelProcess', method: 'DELETE', path: 'processes/*', run: cancel },
  listOf('listDomains', 'domains', (state, asked) => {
    const held = [...state.portfolio.domains.values()].map((each) => state.portfolio.refresh(each));
    const shown = held.filter(({ status }) => status === 'active' || status === 'redemption');
    const views = shown.map((each) => domainView(state, each));
    return listed(state, asked, views, ['domainName', 'status', 'expiryDate', 'autoRenew', 'registrant']);
  }),
  listOf('listHosts', 'hosts', (state, asked) => {
    const hosts = [...state.portfolio.domains.values()].flatMap(hostViews);
    return listed(state, asked, hosts, ['hostName', 'domain']);
  }),
  listOf('listProcesses', 'processes', (state, asked) => {
    const processes = [...state.portfolio.orders.values()].map((order) => processView(state, order));
    return listed(state, asked, processes, ['id', 'type', 'identifier', 'action', 'status', 'createdDate']);
  }),
  listOf('listTransactions', 'billing/financialtransactions', (state, asked) => {
    const { refundsAreTransactions } = state.settings;
    const entries = state.ledger.entries.filter(
      ({ kind }) => kind === 'charge' || (kind === 'refund' && refundsAreTransactions),
    );
    const shown = entries.map((entry) => transactionView(state, entry));
    return listed(state, asked, shown, [
      'id',
      'date',
      'processId',
      'processType',
      'processIdentifier',
      'processAction',
    ]);
  }),
];
