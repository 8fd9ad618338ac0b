import { dayMs, yearsLater } from '../clock.ts';
import { InsufficientFunds } from '../ledger.ts';
import type { PlacedOrder, SimulatedDomain, SimulatedOrder } from '../portfolio.ts';
import {
  type Answer,
  type Asked,
  badField,
  type Fields,
  heldDomain,
  notFound,
  Refused,
  type Route,
  rulesOf,
  type State,
  timestamp,
} from './state.ts';
import { quoteOf } from './views.ts';

const monthsPerYear = 12;

export function textOf(body: Fields, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value === '') throw badField(field, 'Must be a text');
  return value;
}

export function flagOf(body: Fields, field: string, otherwise: boolean): boolean {
  const value = body[field] ?? otherwise;
  if (typeof value !== 'boolean') throw badField(field, 'Must be true or false');
  return value;
}

export function nameserversOf(body: Fields): string[] {
  const given = body.ns ?? [];
  if (!Array.isArray(given) || given.length > 10) throw badField('ns', 'Must be a list of at most 10 host names');
  const bad = given.find((host) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(String(host)));
  if (bad !== undefined) throw badField('ns', `${bad} is not a host name`);
  return given.map(String);
}

/** In whole years, because all TLDs here have them. */
function yearsOf(body: Fields, isRequired: boolean): number {
  const { period } = body;
  if (period === undefined && !isRequired) return 1;
  const isWhole = typeof period === 'number' && Number.isInteger(period) && period % monthsPerYear === 0;
  if (!isWhole || period < monthsPerYear || period > 120) throw badField('period', 'Must be 12 to 120 months');
  return period / monthsPerYear;
}

function contactOf(state: State, handle: unknown): string {
  if (typeof handle !== 'string' || !state.contacts.has(handle))
    throw new Refused('ObjectDoesNotExist', `Contact ${handle} does not exist`);
  return handle;
}

export function contactsOf(state: State, name: string, body: Fields, registrant: unknown): Record<string, string> {
  const { without = [], property, provider } = rulesOf(state, name);
  const contacts: Record<string, string> = { REGISTRANT: contactOf(state, registrant) };
  const properties = state.contacts.get(contacts.REGISTRANT!)!.properties[provider];
  if (property !== undefined && properties?.[property] === undefined)
    throw new Refused('ValidationError', `The registrant needs the property ${property} at ${provider}`);
  const given = body.contacts ?? [];
  if (!Array.isArray(given)) throw badField('contacts', 'Must be a list');
  for (const { role, handle } of given as { role: string; handle: unknown }[]) {
    if (!['ADMIN', 'BILLING', 'TECH'].includes(role)) throw badField('contacts.role', 'Unknown role');
    if (without.includes(role)) throw new Refused('ValidationError', `The TLD has no contact ${role}`);
    contacts[role] = contactOf(state, handle);
  }
  return contacts;
}

function checkCustomer(state: State, body: Fields): void {
  if (textOf(body, 'customer') !== state.settings.customer)
    throw new Refused('AuthorizationError', 'The customer is not yours', {}, 403);
}

/** A premium price needs consent, with the product and action of the quote. */
function checkConsent(state: State, name: string, body: Fields, action: string, total: number): void {
  if (!state.premium.has(name)) return;
  const given = (body.billables ?? []) as { product?: string; action?: string }[];
  const quote = quoteOf(state, name, action, total);
  const [needed] = quote.billables as { product: string }[];
  if (given.some((each) => each.product === needed!.product && each.action === action)) return;
  throw new Refused('BillableAcknowledgmentNeededException', 'Billables need acknowledgment', { quote });
}

interface Ordered extends Omit<PlacedOrder, 'text'> {
  readonly asked: Asked;
  /** Answered with this status if it is executed at once. */
  readonly status: 200 | 201;
  /** Waits for the registry, whatever the settings are. */
  readonly isLong?: boolean;
  readonly shows?: (domain: SimulatedDomain) => Fields;
}

/** Places an order, and answers as the settings say: executed at once, or as a process that continues. */
export function ordered(state: State, { asked, status, isLong = false, shows, ...placed }: Ordered): Answer {
  const { executedAfterRequests, processIdIn } = state.settings;
  const { domain, verb } = placed;
  const continues = executedAfterRequests > 0 && !isLong;
  let order: SimulatedOrder;
  try {
    const text = `${verb} ${domain.name}`;
    order = state.portfolio.place({ ...placed, text, waits: isLong || continues }, asked.fault);
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error;
    if (domain.status === 'pending') domain.status = 'failed';
    throw new Refused('InsufficientCreditException', 'Insufficient credit available');
  }
  state.commands.set(order.id, asked.body);
  if (continues && order.state === 'open' && !order.willFail)
    state.running.set(order.id, state.requests + executedAfterRequests);
  const headers = { 'x-process-id': order.id };
  const shown = { domainName: domain.name, ...(order.state === 'done' ? shows?.(domain) : {}) };
  if (order.state === 'done') return { status, body: shown, headers };
  const known = processIdIn === 'body' ? { processId: Number(order.id) } : {};
  return { status: 202, body: { ...shown, ...known }, ...(processIdIn === 'header' ? { headers } : {}) };
}

const quoteAnswer = (quote: Fields): Answer => ({ status: 200, body: { quote } });

const withExpiry = ({ expiresAt }: SimulatedDomain): Fields => ({ expiryDate: timestamp(expiresAt!) });

const partiesFields = [
  'privacyProtect',
  'period',
  'authcode',
  'autoRenew',
  'ns',
  'zone',
  'contacts',
  'keyData',
  'billables',
];

/** The fields that a registration and a transfer have in common. */
function enter(state: State, name: string, body: Fields): SimulatedDomain {
  const given = typeof body.authcode === 'string' ? body.authcode : '';
  return state.portfolio.enter({
    name,
    customer: state.settings.customer,
    contacts: contactsOf(state, name, body, textOf(body, 'registrant')),
    nameservers: nameserversOf(body),
    autoRenew: flagOf(body, 'autoRenew', true),
    privacy: flagOf(body, 'privacyProtect', true),
    authCode: given || state.code(),
  });
}

export function isOpen(state: State, name: string): boolean {
  const found = state.portfolio.find(name);
  return found !== undefined && state.portfolio.openOrder(found.id) !== undefined;
}

const create: Route = {
  call: 'createDomain',
  method: 'POST',
  path: 'domains/*',
  required: ['customer', 'registrant'],
  optional: [...partiesFields, 'languageCode', 'skipValidation', 'launchPhase'],
  parameters: ['quote'],
  run(state, asked) {
    const { body, query } = asked;
    const name = asked.path[1]!;
    const rules = rulesOf(state, name);
    checkCustomer(state, body);
    const years = yearsOf(body, false);
    if (state.portfolio.holds(name) || state.elsewhere.has(name))
      throw new Refused('ObjectExists', `Domain ${name} already exists`);
    const cost = (state.premium.get(name)?.create ?? rules.create) * years;
    contactsOf(state, name, body, textOf(body, 'registrant'));
    nameserversOf(body);
    if (query.get('quote') === 'true') return quoteAnswer(quoteOf(state, name, 'CREATE', cost));
    checkConsent(state, name, body, 'CREATE', cost);
    const domain = enter(state, name, body);
    const effect = (each: SimulatedDomain) => {
      each.status = 'active';
      each.createdAt = state.clock.now();
      each.expiresAt = yearsLater(each.createdAt, years);
    };
    return ordered(state, { asked, domain, verb: 'register', cost, years, effect, status: 201, shows: withExpiry });
  },
};

/** The page about renewals has no such field; the SDK for PHP sends it. */
function checkExpiryDate(state: State, domain: SimulatedDomain, body: Fields): void {
  const { expiryDate } = body;
  const { expiryDateOfRenewal: how } = state.settings;
  if (expiryDate === undefined || how === 'ignored') return;
  if (how === 'unknown')
    throw new Refused('UnrecognizedPropertyException', 'Unknown property expiryDate', { property: 'expiryDate' });
  if (expiryDate !== timestamp(domain.expiresAt!)) throw badField('expiryDate', 'Is not the expiry date of the domain');
}

const renew: Route = {
  call: 'renewDomain',
  method: 'POST',
  path: 'domains/*/renew',
  required: ['period'],
  optional: ['billables', 'expiryDate'],
  parameters: ['quote'],
  run(state, asked) {
    const domain = heldDomain(state, asked.path[1]!);
    const years = yearsOf(asked.body, true);
    checkExpiryDate(state, domain, asked.body);
    if (domain.status !== 'active' || isOpen(state, domain.name))
      throw new Refused('ObjectStatusProhibitsOperation', 'The status of the domain prohibits a renewal');
    const until = yearsLater(domain.expiresAt!, years);
    if (until > yearsLater(state.clock.now(), 10)) throw badField('period', 'The term would be more than 10 years');
    const cost = (state.premium.get(domain.name)?.renew ?? rulesOf(state, domain.name).renew) * years;
    if (asked.query.get('quote') === 'true') return quoteAnswer(quoteOf(state, domain.name, 'RENEW', cost));
    checkConsent(state, domain.name, asked.body, 'RENEW', cost);
    const effect = (each: SimulatedDomain) => {
      each.expiresAt = yearsLater(each.expiresAt!, years);
    };
    return ordered(state, { asked, domain, verb: 'renew', cost, years, effect, status: 200, shows: withExpiry });
  },
};

const transfer: Route = {
  call: 'transferDomain',
  method: 'POST',
  path: 'domains/*/transfer',
  required: ['customer', 'registrant'],
  optional: [...partiesFields, 'designatedAgent', 'transferContacts'],
  parameters: ['quote'],
  run(state, asked) {
    const { body, query } = asked;
    const name = asked.path[1]!;
    const { transfer: cost } = rulesOf(state, name);
    checkCustomer(state, body);
    yearsOf(body, false);
    const losing = state.elsewhere.get(name);
    if (state.portfolio.holds(name)) throw new Refused('ObjectExists', `Domain ${name} already exists`);
    if (!losing) throw new Refused('ObjectDoesNotExist', `Domain ${name} is not registered`);
    if (losing.locked) throw new Refused('ObjectStatusProhibitsOperation', 'The domain is locked for transfers');
    if (body.authcode !== losing.authCode) throw new Refused('AuthCodeInvalidError', 'The auth code is invalid');
    if (query.get('quote') === 'true') return quoteAnswer(quoteOf(state, name, 'TRANSFER', cost));
    const domain = enter(state, name, body);
    const effect = (each: SimulatedDomain) => {
      state.elsewhere.delete(name);
      each.status = 'active';
      each.createdAt = losing.expiresAt - 365 * dayMs;
      each.expiresAt = yearsLater(losing.expiresAt, 1);
    };
    return ordered(state, { asked, domain, verb: 'transfer', cost, years: 1, effect, status: 200, isLong: true });
  },
};

const remove: Route = {
  call: 'deleteDomain',
  method: 'DELETE',
  path: 'domains/*',
  run(state, asked) {
    const domain = heldDomain(state, asked.path[1]!);
    if (domain.status !== 'active' || state.locked.has(domain.name))
      throw new Refused('ObjectStatusProhibitsOperation', 'The status of the domain prohibits a delete');
    const paid = state.portfolio.ordersOf(domain.id).find(({ verb }) => verb === 'register');
    const isRefunded = paid !== undefined && state.clock.now() - domain.createdAt < state.settings.refundDays * dayMs;
    const effect = (each: SimulatedDomain) => {
      each.status = isRefunded ? 'deleted' : 'redemption';
      each.deletedAt = state.clock.now();
      if (isRefunded) state.ledger.refund(paid.id, `Refund for ${each.name}`);
    };
    return ordered(state, { asked, domain, verb: 'delete', cost: 0, effect, status: 200 });
  },
};

const restore: Route = {
  call: 'restoreDomain',
  method: 'POST',
  path: 'domains/*/restore',
  required: ['reason'],
  optional: ['billables'],
  parameters: ['quote'],
  run(state, asked) {
    const domain = heldDomain(state, asked.path[1]!);
    textOf(asked.body, 'reason');
    if (domain.status !== 'redemption' || isOpen(state, domain.name))
      throw new Refused('ObjectStatusProhibitsOperation', 'The status of the domain prohibits a restore');
    const { restore: cost } = rulesOf(state, domain.name);
    const effect = (each: SimulatedDomain) => {
      each.status = 'active';
      each.deletedAt = null;
    };
    return ordered(state, { asked, domain, verb: 'restore', cost, effect, status: 200, shows: withExpiry });
  },
};

const transferStatuses = {
  open: 'pending',
  saved: 'pending',
  in_doubt: 'pending',
  done: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

const transferInfo: Route = {
  call: 'transferInfo',
  method: 'GET',
  path: 'domains/*/transfer/*',
  run(state, { path }) {
    const order = state.portfolio.orders.get(path[3]!);
    if (order?.verb !== 'transfer' || order.domain !== path[1]) throw notFound(`Transfer ${path[3]}`);
    const body = {
      domainName: order.domain,
      registrar: 'Another Registrar',
      status: transferStatuses[order.state],
      requestedDate: timestamp(order.at),
      ...(order.doneAt === null ? {} : { actionDate: timestamp(order.doneAt) }),
      type: 'IN',
      processId: Number(order.id),
    };
    return { status: 200, body };
  },
};

export const orderRoutes: readonly Route[] = [create, renew, transfer, remove, restore, transferInfo];
