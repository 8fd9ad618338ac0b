import { decimal } from '../ledger.ts';
import { isHeld, type SimulatedDomain } from '../portfolio.ts';
import { type Call, extraOf, Refused, rulesOf, type State } from './call.ts';
import { domainRow, statusOf, timeText, transactionRow } from './rows.ts';

const mostRows = 1_000;
/** Larger requests are answered with status 500 (openprovider-mcp-new). */
const namesPerCheck = 15;

function rangeOf(query: URLSearchParams): { readonly limit: number; readonly offset: number } {
  const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)];
  if (!Number.isInteger(limit) || limit < 1 || limit > mostRows || !Number.isInteger(offset) || offset < 0)
    throw new Refused(310, 'Invalid value of limit or offset');
  return { limit, offset };
}

function page<T>(rows: readonly T[], query: URLSearchParams, show: (row: T) => object): object {
  const { limit, offset } = rangeOf(query);
  return { results: rows.slice(offset, offset + limit).map(show), total: rows.length };
}

/** The row that an outdated cache shows. */
function shown(state: State, domain: SimulatedDomain, isStale: boolean): SimulatedDomain | undefined {
  return isStale ? state.portfolio.stale(domain.name) : state.portfolio.refresh(domain);
}

const searchDomain: Call = {
  name: 'searchDomain',
  method: 'GET',
  path: '/domains',
  takes: [
    'limit',
    'offset',
    'order_by.id',
    'full_name',
    'status',
    'extension',
    'comment_pattern',
    'is_deleted',
    'with_history',
    'with_api_history',
    'with_verification_email',
    'with_registry_statuses',
  ],
  run(state, { query }, fault) {
    const [name, status, comment] = [query.get('full_name'), query.get('status'), query.get('comment_pattern')];
    const onlyDeleted = query.get('is_deleted') === 'true';
    const found = [...state.portfolio.domains.values()].flatMap((each) => {
      if (name !== null && each.name !== name.toLowerCase()) return [];
      const domain = shown(state, each, fault?.kind === 'stale');
      if (!domain || extraOf(state, domain.id).isRemoved) return [];
      const isListed = onlyDeleted
        ? domain.status === 'deleted'
        : !['deleted', 'transferred_out'].includes(domain.status);
      const { comments } = extraOf(state, domain.id);
      const isWanted =
        (status === null || statusOf(state, domain) === status) &&
        (comment === null || comments.includes(comment.replaceAll('*', '')));
      return isListed && isWanted ? [domain] : [];
    });
    return page(found, query, (each) => domainRow(state, each, query.get('with_api_history') === 'true'));
  },
};

const priceGroup = (reseller: number, product: number, currency: string) => ({
  product: { price: Number(decimal(product)), currency: 'USD' },
  reseller: { price: Number(decimal(reseller)), currency },
});

function priceOf(state: State, name: string, operation: keyof ReturnType<typeof rulesOf> & string, years: number) {
  const premium = state.premium.get(name);
  const usual = (rulesOf(state, name) as unknown as Record<string, number>)[operation];
  if (usual === undefined) throw new Refused(310, 'Invalid value of operation');
  const reseller = premium && operation !== 'restore' ? premium.reseller : usual;
  const product = premium && operation !== 'restore' ? premium.product : usual;
  return { isPremium: premium !== undefined, reseller: reseller * years, product: product * years };
}

const checkDomain: Call = {
  name: 'checkDomain',
  method: 'POST',
  path: '/domains/check',
  takes: ['domains', 'with_price'],
  run(state, { body }, fault) {
    const domains = Array.isArray(body.domains) ? (body.domains as Record<string, string>[]) : [];
    if (domains.length === 0 || domains.length > namesPerCheck) throw new Refused(310, 'Invalid number of domains');
    return {
      results: domains.map(({ name: label, extension }) => {
        const name = `${label}.${extension}`.toLowerCase();
        rulesOf(state, name);
        const held = fault?.kind === 'stale' ? state.portfolio.stale(name) : state.portfolio.find(name);
        if (state.unknown.has(name)) return { domain: name, status: 'error', reason: 'The registry does not answer' };
        if ((held && isHeld(held)) || state.elsewhere.has(name))
          return { domain: name, status: 'active', reason: 'Domain exists' };
        const price = priceOf(state, name, 'create', 1);
        const { currency } = state.ledger;
        return {
          domain: name,
          status: 'free',
          is_premium: price.isPremium,
          ...(price.isPremium
            ? { premium: { currency: 'USD', price: { create: Number(decimal(price.product)) } } }
            : {}),
          ...(body.with_price === true ? { price: priceGroup(price.reseller, price.product, currency) } : {}),
        };
      }),
    };
  },
};

const tldRow = (state: State, name: string, withPrice: boolean) => {
  const rules = state.settings.tlds[name]!;
  const money = (amount: number) => priceGroup(amount, amount, state.ledger.currency);
  const prices = {
    min_period: 1,
    max_period: 10,
    create_price: money(rules.create),
    renew_price: money(rules.renew),
    transfer_price: money(rules.transfer),
    restore_price: money(rules.restore),
    soft_restore_price: money(rules.renew),
  };
  return {
    name,
    status: 'ACT',
    min_period: 1,
    max_period: 10,
    transfer_available: true,
    ...(withPrice ? { prices } : {}),
  };
};

export const lookupCalls: readonly Call[] = [
  searchDomain,
  checkDomain,
  {
    name: 'getPrice',
    method: 'GET',
    path: '/domains/prices',
    takes: ['domain.name', 'domain.extension', 'operation', 'period'],
    run(state, { query }) {
      const name = `${query.get('domain.name')}.${query.get('domain.extension')}`.toLowerCase();
      const operation = (query.get('operation') ?? '') as 'create';
      const price = priceOf(state, name, operation, Number(query.get('period') ?? 1));
      const group = priceGroup(price.reseller, price.product, state.ledger.currency);
      return { is_premium: price.isPremium, is_promotion: false, price: group };
    },
  },
  {
    name: 'getAuthCode',
    method: 'GET',
    path: '/domains/{id}/authcode',
    takes: ['auth_code_type'],
    run(state, { id }) {
      const domain = state.portfolio.byId(id);
      if (!domain) throw new Refused(320, 'The domain is not in your account');
      // Some registries send it to the registrant (article 360024780654).
      if (rulesOf(state, domain.name).isAuthCodeSent) return { success: true, type: 'external' };
      return { auth_code: domain.authCode, success: true, type: 'external' };
    },
  },
  {
    name: 'searchTransaction',
    method: 'GET',
    path: '/transactions',
    takes: ['limit', 'offset', 'order', 'order_by', 'start_creation_date', 'end_creation_date', 'filter_for_subject'],
    run(state, { query }) {
      const [part, from] = [query.get('filter_for_subject')?.toLowerCase() ?? '', query.get('start_creation_date')];
      if (from !== null && !/^\d{4}-\d{2}-\d{2}$/.test(from)) throw new Refused(310, 'Invalid start_creation_date');
      const found = state.ledger.entries.filter(
        ({ domain, at }) => domain.includes(part) && (from === null || timeText(at).slice(0, 10) >= from),
      );
      return page(found, query, (entry) => transactionRow(state, entry));
    },
  },
  {
    name: 'getReseller',
    method: 'GET',
    path: '/resellers',
    takes: ['with_additional_data', 'with_statistics', 'with_settings', 'with_contacts'],
    run: ({ ledger }, { query }) => ({
      id: 1001,
      status: 'ACT',
      // Includes what is reserved (retrieveResellerRequest).
      balance: Number(decimal(ledger.balance)),
      reserved_balance: Number(decimal(ledger.held)),
      ...(query.get('with_settings') === 'true' ? { settings: { currency: ledger.currency } } : {}),
    }),
  },
  {
    name: 'searchTld',
    method: 'GET',
    path: '/tlds',
    takes: ['limit', 'offset', 'status', 'with_price', 'name_pattern'],
    run: (state, { query }) =>
      page(Object.keys(state.settings.tlds), query, (name) => tldRow(state, name, query.get('with_price') === 'true')),
  },
  {
    name: 'getTld',
    method: 'GET',
    path: '/tlds/{id}',
    takes: ['with_price', 'with_level_prices', 'with_description'],
    run(state, { id, query }) {
      if (!state.settings.tlds[id]) throw new Refused(307, 'Your domain request contains an invalid extension!');
      return tldRow(state, id, query.get('with_price') === 'true');
    },
  },
];
