import { yearsLater } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import { InsufficientFunds } from '../ledger.ts';
import { isHeld, type PlacedOrder, type SimulatedDomain, type SimulatedOrder } from '../portfolio.ts';
import {
  type Call,
  extraOf,
  flagOf,
  type Input,
  isObject,
  nameOf,
  numberOf,
  Refused,
  rulesOf,
  type State,
  textOf,
} from './call.ts';
import { renewalDate, statusOf, timeText } from './rows.ts';

export const handleFields = ['owner_handle', 'admin_handle', 'tech_handle', 'billing_handle'];

/** Owner, admin and tech are required (article 360025090374). */
export function readHandles(state: State, { body }: Input, name: string, required: readonly string[]) {
  const { contactField } = rulesOf(state, name);
  return Object.fromEntries(
    handleFields.flatMap((field) => {
      const handle = body[field];
      if (handle === undefined && !required.includes(field)) return [];
      const customer = typeof handle === 'string' ? state.customers.get(handle) : undefined;
      if (!customer || customer.isDeleted) throw new Refused(316, `The ${field} is invalid`);
      const data = customer.fields.additional_data;
      if (contactField !== undefined && field === 'owner_handle' && !(isObject(data) && data[contactField]))
        throw new Refused(399, `Registry: ${contactField} of the owner is required`);
      return [[field, handle as string]];
    }),
  );
}

export function readNameservers({ body }: Input): string[] | undefined {
  if (body.name_servers === undefined) return undefined;
  const hosts = Array.isArray(body.name_servers) ? body.name_servers : [];
  const names = hosts.map((host) => (isObject(host) && typeof host.name === 'string' ? host.name.toLowerCase() : ''));
  const bad = names.find((name) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name));
  if (bad !== undefined || names.length === 0) throw new Refused(206, `Nameserver ${bad ?? ''} is invalid`);
  return names;
}

function place(state: State, placed: PlacedOrder, fault: FaultRule | undefined): SimulatedOrder {
  try {
    return state.portfolio.place({ ...placed, waits: placed.waits === true || state.settings.ordersWait }, fault);
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error;
    if (placed.domain.status === 'pending') {
      placed.domain.status = 'failed';
      extraOf(state, placed.domain.id).isRemoved = true;
    }
    throw new Refused(945, 'Your balance is insufficient for this operation');
  }
}

/** The accepted price of a premium domain is that of the registry. */
function premiumCost(state: State, { body }: Input, name: string): number | undefined {
  const premium = state.premium.get(name);
  if (!premium) return undefined;
  const accepted = body.accept_premium_fee;
  if (typeof accepted !== 'number' || Math.round(accepted * 100) !== premium.product)
    throw new Refused(399, `This is a premium domain: acceptPremiumFee must be ${premium.product / 100}`);
  return premium.reseller;
}

/** A failed order stays until it is removed, and a second order beside it is refused (article 216649208). */
function refuseDuplicate(state: State, name: string): void {
  const beside = [...state.portfolio.domains.values()].find(
    (each) =>
      each.name === name &&
      !extraOf(state, each.id).isRemoved &&
      (isHeld(state.portfolio.refresh(each)) || each.status === 'failed'),
  );
  if (beside?.status === 'active' || beside?.status === 'redemption')
    throw new Refused(346, 'The domain you want to register is not free');
  if (beside) throw new Refused(312, 'You can not add a duplicate request for this domain');
}

export const autorenewOf = ({ body }: Input): 'on' | 'off' | 'default' => {
  const { autorenew = 'default' } = body;
  if (autorenew !== 'on' && autorenew !== 'off' && autorenew !== 'default')
    throw new Refused(310, 'Invalid value of autorenew');
  return autorenew;
};

function enter(state: State, input: Input, name: string, values: Partial<SimulatedDomain>): SimulatedDomain {
  const autorenew = autorenewOf(input);
  const autoRenew = autorenew === 'on' || (autorenew === 'default' && state.settings.accountAutoRenew);
  const privacy = flagOf(state, input, 'is_private_whois_enabled', false);
  const comments = typeof input.body.comments === 'string' ? input.body.comments : '';
  const domain = state.portfolio.enter({ name, customer: '', authCode: state.code(), ...values, autoRenew, privacy });
  state.extras.set(domain.id, { comments, autorenew, calls: [], isRemoved: false });
  return domain;
}

/** Only an order in real time is answered with its dates. */
function orderAnswer(state: State, domain: SimulatedDomain): object {
  const isDone = domain.status === 'active';
  const [order] = state.portfolio.ordersOf(domain.id);
  return {
    id: Number(domain.id),
    status: statusOf(state, domain),
    ...(isDone
      ? {
          activation_date: timeText(domain.createdAt),
          expiration_date: timeText(domain.expiresAt),
          renewal_date: timeText(renewalDate(state, domain)),
        }
      : {}),
    ...(domain.status === 'failed' ? { error: order?.text ?? '' } : {}),
  };
}

const reference = ({ body }: Input): string => /(\S+)$/.exec(String(body.comments ?? ''))?.[1] ?? '';

const orderFields = [
  'domain',
  'unit',
  ...handleFields,
  'reseller_handle',
  'name_servers',
  'ns_group',
  'ns_template_name',
  'autorenew',
  'comments',
  'is_private_whois_enabled',
  'is_dnssec_enabled',
  'dnssec_keys',
  'accept_premium_fee',
  'additional_data',
  'promo_code',
  'use_domicile',
];

const createDomain: Call = {
  name: 'createDomain',
  method: 'POST',
  path: '/domains',
  takes: [...orderFields, 'period', 'auth_code', 'application_mode'],
  run(state, input, fault) {
    const name = nameOf(input.body.domain);
    const rules = rulesOf(state, name);
    const years = numberOf(state, input, 'period');
    if (years < 1 || years > 10) throw new Refused(310, 'Invalid value of period');
    const contacts = readHandles(state, input, name, handleFields.slice(0, 3));
    const nameservers = readNameservers(input);
    if (!nameservers) textOf(input, 'ns_group');
    refuseDuplicate(state, name);
    if (state.elsewhere.has(name)) throw new Refused(346, 'The domain you want to register is not free');
    const cost = (premiumCost(state, input, name) ?? rules.create) * years;
    const hosts = nameservers ?? ['ns1.openprovider.nl', 'ns2.openprovider.be'];
    const domain = enter(state, input, name, { contacts, nameservers: hosts });
    const effect = (each: SimulatedDomain) => {
      each.status = 'active';
      each.createdAt = state.clock.now();
      each.expiresAt = yearsLater(each.createdAt, years);
    };
    const text = `Registration of ${name}`;
    place(state, { domain, verb: 'register', cost, years, reference: reference(input), text, effect }, fault);
    return orderAnswer(state, domain);
  },
};

const transferDomain: Call = {
  name: 'transferDomain',
  method: 'POST',
  path: '/domains/transfer',
  takes: [
    ...orderFields,
    'auth_code',
    'at',
    'import_contacts_from_registry',
    'import_nameservers_from_registry',
    'accept_quarantine_fee',
  ],
  run(state, input, fault) {
    const name = nameOf(input.body.domain);
    const rules = rulesOf(state, name);
    const importsContacts = flagOf(state, input, 'import_contacts_from_registry', false);
    const contacts = readHandles(state, input, name, importsContacts ? [] : handleFields.slice(0, 3));
    const nameservers = readNameservers(input);
    if (!nameservers && !flagOf(state, input, 'import_nameservers_from_registry', false)) textOf(input, 'ns_group');
    refuseDuplicate(state, name);
    const losing = state.elsewhere.get(name);
    if (!losing) throw new Refused(375, 'The domain you want to transfer does not exist');
    const cost = premiumCost(state, input, name) ?? rules.transfer;
    const authCode = typeof input.body.auth_code === 'string' ? input.body.auth_code : '';
    const domain = enter(state, input, name, { contacts, nameservers: nameservers ?? ['ns1.elsewhere.example'] });
    const effect = (each: SimulatedDomain) => {
      state.elsewhere.delete(name);
      each.status = 'active';
      each.createdAt = state.clock.now();
      each.expiresAt = yearsLater(losing.expiresAt, 1);
    };
    const text = `Transfer of ${name}`;
    const placed = {
      domain,
      verb: 'transfer',
      cost,
      years: 1,
      reference: reference(input),
      text,
      waits: true,
      effect,
    } as const;
    const order = place(state, placed, fault);
    if (authCode !== losing.authCode) state.portfolio.fail(order.id, 'The auth code is invalid');
    else if (losing.locked) state.portfolio.fail(order.id, 'The domain is locked at the losing registrar');
    return orderAnswer(state, domain);
  },
};

/** A request names the domain by its id; the name in the body must agree. */
export function ownDomain(state: State, { id, body }: Input): SimulatedDomain {
  const domain = state.portfolio.byId(id);
  if (!domain || extraOf(state, id).isRemoved) throw new Refused(320, 'The domain is not in your account');
  if (body.domain !== undefined && nameOf(body.domain) !== domain.name)
    throw new Refused(310, 'The domain does not agree with its id');
  return domain;
}

/** Each call about a domain is in its history, also a refused one. */
function recorded<T>(state: State, domain: SimulatedDomain, cmd: string, run: () => T): T {
  const { calls } = extraOf(state, domain.id);
  try {
    const result = run();
    calls.push({ cmd, at: state.clock.now(), code: 0 });
    return result;
  } catch (error) {
    if (error instanceof Refused) calls.push({ cmd, at: state.clock.now(), code: error.code });
    throw error;
  }
}

const renewDomain: Call = {
  name: 'renewDomain',
  method: 'POST',
  path: '/domains/{id}/renew',
  takes: ['id', 'domain', 'period'],
  run(state, input, fault) {
    const domain = ownDomain(state, input);
    return recorded(state, domain, 'renewDomainRequest', () => {
      const years = numberOf(state, input, 'period');
      if (domain.status !== 'active') throw new Refused(318, 'The status of the domain does not allow a renewal');
      if (years < 1 || years > 10) throw new Refused(310, 'Invalid value of period');
      const cost = (state.premium.get(domain.name)?.reseller ?? rulesOf(state, domain.name).renew) * years;
      const effect = (each: SimulatedDomain) => {
        each.expiresAt = yearsLater(each.expiresAt!, years);
      };
      const order = place(
        state,
        { domain, verb: 'renew', cost, years, text: `Renewal of ${domain.name}`, effect },
        fault,
      );
      return { status: order.doneAt === null ? 'REQ' : 'ACT' };
    });
  },
};

const restoreDomain: Call = {
  name: 'restoreDomain',
  method: 'POST',
  path: '/domains/{id}/restore',
  takes: ['id', 'domain'],
  run(state, input, fault) {
    const domain = ownDomain(state, input);
    return recorded(state, domain, 'restoreDomainRequest', () => {
      if (domain.status !== 'redemption') throw new Refused(318, 'The status of the domain does not allow a restore');
      if (state.portfolio.openOrder(domain.id))
        throw new Refused(312, 'You can not add a duplicate request for this domain');
      const effect = (each: SimulatedDomain) => {
        each.status = 'active';
        each.deletedAt = null;
      };
      const cost = rulesOf(state, domain.name).restore;
      place(state, { domain, verb: 'restore', cost, text: `Restore of ${domain.name}`, effect }, fault);
      return { status: statusOf(state, domain) };
    });
  },
};

/** A delete is not refunded. A failed order is removed (article 360024941334). */
const deleteDomain: Call = {
  name: 'deleteDomain',
  method: 'DELETE',
  path: '/domains/{id}',
  takes: ['domain.name', 'domain.extension', 'type', 'skip_soft_quarantine', 'force_delete'],
  run(state, input, fault) {
    const domain = ownDomain(state, input);
    if (domain.status === 'failed') {
      extraOf(state, domain.id).isRemoved = true;
      return { status: 'FAI', success: true };
    }
    if (domain.status !== 'active') throw new Refused(318, 'The status of the domain does not allow a delete');
    const effect = (each: SimulatedDomain) => {
      each.status = 'redemption';
      each.deletedAt = state.clock.now();
    };
    const deleted = { domain, verb: 'delete', cost: 0, text: `Delete of ${domain.name}`, effect } as const;
    state.portfolio.place(deleted, fault);
    return { status: 'DEL' };
  },
};

export const orderCalls: readonly Call[] = [createDomain, transferDomain, renewDomain, restoreDomain, deleteDomain];
