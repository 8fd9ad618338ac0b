import { dayMs, epochSeconds } from '../clock.ts';
import { decimal, type LedgerEntry } from '../ledger.ts';
import { isHeld, type SimulatedDomain } from '../portfolio.ts';
import { currentStatus, detailSections, listedAction, listedDomain, page } from './answers.ts';
import { type Call, orderOf, rulesOf, type State } from './call.ts';
import { type Parameters, Refused } from './parameters.ts';

const archivedAfterDays = 30;

function notFound(name: string): Refused {
  return new Refused(`Website doesn't exist for ${name}`);
}

function byName(state: State, parameters: Parameters, isStale: boolean): SimulatedDomain {
  const name = parameters.name();
  const found = isStale ? state.portfolio.stale(name) : state.portfolio.find(name);
  if (!found || found.status === 'failed') throw notFound(name);
  return found;
}

function details(state: State, domain: SimulatedDomain, options: readonly string[]): object {
  const sections = detailSections(state, domain);
  const wanted = options.includes('All') ? Object.keys(sections) : options;
  const unknown = wanted.find((option) => !sections[option]);
  if (unknown !== undefined) throw new Refused(`Invalid value for options: ${unknown}`);
  return Object.assign({}, ...wanted.map((option) => sections[option]));
}

function availability(state: State, name: string, isStale: boolean): object {
  const classkey = rulesOf(state, name).product;
  const held = isStale ? state.portfolio.stale(name) : state.portfolio.find(name);
  const other = state.elsewhere.get(name);
  if (state.unknown.has(name)) return { classkey, status: 'unknown' };
  if ((held && isHeld(held)) || other?.sameRegistrar) return { classkey, status: 'regthroughus' };
  if (other) return { classkey, status: 'regthroughothers' };
  const premium = state.premium.get(name);
  if (!premium) return { classkey, status: 'available' };
  const prices = Object.entries(premium).map(([action, price]) => [action, decimal(price)]);
  const costHash = { ...Object.fromEntries(prices), sellingCurrencySymbol: state.ledger.currency };
  return { classkey, status: 'available', costHash };
}

/** Deleted is the status of the first 30 days; then an order is archived. */
function searchStatus(state: State, domain: SimulatedDomain): string {
  const status = currentStatus(domain);
  const age = state.clock.now() - (domain.deletedAt ?? domain.createdAt);
  return status === 'Deleted' && age > archivedAfterDays * dayMs ? 'Archived' : status;
}

function isWithin(parameters: Parameters, key: string, at: number | null): boolean {
  const from = parameters.optional(`${key}-start`);
  const until = parameters.optional(`${key}-end`);
  if (from === undefined && until === undefined) return true;
  if (at === null) return false;
  const seconds = epochSeconds(at);
  return (from === undefined || seconds >= Number(from)) && (until === undefined || seconds <= Number(until));
}

function pageOf(parameters: Parameters, least: number, most: number): [number, number] {
  const [number, size] = [parameters.number('page-no'), parameters.number('no-of-records')];
  if (size < least || size > most) throw new Refused(`no-of-records must be between ${least} and ${most}`);
  if (number < 1) throw new Refused('Invalid value for page-no');
  return [number, size];
}

const orderings: Record<string, (domain: SimulatedDomain) => number> = {
  orderid: ({ id }) => Number(id),
  endtime: ({ expiresAt }) => expiresAt ?? 0,
  creationtime: ({ createdAt }) => createdAt,
};

const search: Call = {
  method: 'GET',
  required: ['no-of-records', 'page-no'],
  optional: [
    'order-by',
    'order-id',
    'customer-id',
    'status',
    'domain-name',
    'product-key',
    'creation-date-start',
    'creation-date-end',
    'expiry-date-start',
    'expiry-date-end',
  ],
  run(state, parameters) {
    const [number, size] = pageOf(parameters, state.settings.form === 'strict' ? 10 : 1, 500);
    const isWanted = (key: string, value: string) => {
      const wanted = parameters.list(key);
      return wanted.length === 0 || wanted.includes(value);
    };
    const part = parameters.optional('domain-name')?.toLowerCase();
    const statuses = parameters.list('status');
    const found = [...state.portfolio.domains.values()].filter((each) => {
      const status = searchStatus(state, state.portfolio.refresh(each));
      return (
        (statuses.length === 0 ? status !== 'Archived' : statuses.includes(status)) &&
        (part === undefined || each.name.includes(part)) &&
        isWanted('order-id', each.id) &&
        isWanted('customer-id', each.customer) &&
        isWanted('product-key', rulesOf(state, each.name).product) &&
        isWithin(parameters, 'creation-date', each.createdAt) &&
        isWithin(parameters, 'expiry-date', each.expiresAt)
      );
    });
    const [field, direction] = (parameters.optional('order-by') ?? 'orderid').split(' ');
    const value = orderings[field!];
    if (!value) throw new Refused('Invalid value for order-by');
    found.sort((a, b) => (direction === 'desc' ? value(b) - value(a) : value(a) - value(b)));
    return page(found, number, size, (each) => listedDomain(state, each));
  },
};

function searchActions(isCurrent: boolean): Call {
  return {
    method: 'GET',
    required: ['no-of-records', 'page-no'],
    optional: ['eaq-id', 'order-id', 'entity-type-id', 'action-status', 'action-type'],
    run(state, parameters) {
      const [number, size] = pageOf(parameters, 1, 500);
      const wanted = (key: string, value: string) =>
        parameters.list(key).length === 0 || parameters.list(key).includes(value);
      const shown = [...state.portfolio.orders.values()]
        .filter((order) => (order.doneAt === null || order.state === 'failed') === isCurrent)
        .filter(({ id, domainId }) => wanted('order-id', domainId) && wanted('eaq-id', id))
        .map(listedAction)
        .filter(
          (each) => wanted('action-status', `${each.actionstatus}`) && wanted('action-type', `${each.actiontype}`),
        );
      if (shown.length === 0 && state.settings.emptyActionSearch === 'error') throw new Refused('No record found');
      return page(shown, number, size, (each) => each);
    },
  };
}

const transactionTypes = { charge: 'invoice', refund: 'credit', funds: 'receipt' } as const;

function listedTransaction(state: State, entry: LedgerEntry): Record<string, string> {
  const fields = {
    transid: entry.id,
    transactiondate: String(epochSeconds(entry.at)),
    orderid: entry.orderId === '' ? '' : (state.portfolio.orders.get(entry.orderId)?.domainId ?? ''),
    type: transactionTypes[entry.kind],
    description: entry.text,
    sellingcurrencysymbol: state.ledger.currency,
    sellingamount: decimal(-entry.amount),
    sellingtaxamount: '0.00',
  };
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [`reseller_transaction.${key}`, value]));
}

const transactions: Call = {
  method: 'GET',
  required: ['no-of-records', 'page-no'],
  optional: [
    'reseller-id',
    'username',
    'transaction-type',
    'transaction-key',
    'transaction-id',
    'transaction-description',
    'transaction-date-start',
    'transaction-date-end',
    'order-by',
  ],
  run(state, parameters) {
    const [number, size] = pageOf(parameters, 1, 500);
    const part = parameters.optional('transaction-description')?.toLowerCase() ?? '';
    const types = parameters.list('transaction-type');
    const ids = parameters.list('transaction-id');
    const found = state.ledger.entries.filter(
      (entry) =>
        entry.text.toLowerCase().includes(part) &&
        (types.length === 0 || types.includes(transactionTypes[entry.kind])) &&
        (ids.length === 0 || ids.includes(entry.id)) &&
        isWithin(parameters, 'transaction-date', entry.at),
    );
    return page(found, number, size, (each) => listedTransaction(state, each));
  },
};

export const lookupCalls: Readonly<Record<string, Call>> = {
  'domains/available': {
    method: 'GET',
    required: ['domain-name', 'tlds'],
    optional: ['suggest-alternative'],
    run: (state, parameters, fault) =>
      Object.fromEntries(
        parameters
          .list('domain-name')
          .flatMap((label) => parameters.list('tlds').map((tld) => `${label}.${tld}`.toLowerCase()))
          .map((name) => [name, availability(state, name, fault?.kind === 'stale')]),
      ),
  },
  'domains/orderid': {
    method: 'GET',
    required: ['domain-name'],
    run: (state, parameters, fault) => Number(byName(state, parameters, fault?.kind === 'stale').id),
  },
  'domains/details-by-name': {
    method: 'GET',
    required: ['domain-name', 'options'],
    run: (state, parameters, fault) =>
      details(state, byName(state, parameters, fault?.kind === 'stale'), parameters.list('options')),
  },
  'domains/details': {
    method: 'GET',
    required: ['order-id', 'options'],
    run: (state, parameters) => details(state, orderOf(state, parameters), parameters.list('options')),
  },
  'domains/search': search,
  'actions/search-current': searchActions(true),
  'actions/search-archived': searchActions(false),
  'billing/reseller-transactions/search': transactions,
  'billing/reseller-balance': {
    method: 'GET',
    required: ['reseller-id'],
    run({ settings, ledger }, parameters) {
      if (parameters.text('reseller-id') !== settings.resellerId) throw new Refused('Invalid reseller-id');
      return {
        sellingcurrencysymbol: ledger.currency,
        sellingcurrencybalance: Number(decimal(ledger.available)),
        sellingcurrencylockedbalance: Number(decimal(ledger.held)),
      };
    },
  },
  'products/reseller-cost-price': {
    method: 'GET',
    required: [],
    optional: ['reseller-id'],
    run: ({ settings }) =>
      Object.fromEntries(
        Object.entries(settings.products).map(([product, actions]) => [
          product,
          Object.fromEntries(Object.entries(actions).map(([action, price]) => [action, { '1': decimal(price) }])),
        ]),
      ),
  },
  'products/category-keys-mapping': {
    method: 'GET',
    required: [],
    run({ settings }) {
      const products = Map.groupBy(Object.keys(settings.tlds), (tld) => settings.tlds[tld]!.product);
      return { domorder: [...products].map(([product, tlds]) => ({ [product]: tlds })) };
    },
  },
  'resellers/details': {
    method: 'GET',
    required: ['reseller-id'],
    run: ({ settings, ledger }) => ({
      resellerid: settings.resellerId,
      resellerstatus: 'Active',
      sellingcurrencysymbol: ledger.currency,
    }),
  },
};
