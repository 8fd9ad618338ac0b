import type { SimulatedDomain } from '../portfolio.ts';
import { contactsOf, flagOf, isOpen, nameserversOf, ordered } from './orders.ts';
import { badField, type Fields, heldDomain, notFound, Refused, type Route, type State } from './state.ts';
import { domainView, hostViews } from './views.ts';

type Effect = (domain: SimulatedDomain) => void;

const updateLocks = ['CLIENT_UPDATE_PROHIBITED', 'CLIENT_DELETE_PROHIBITED'];
const changeable = [...updateLocks, 'CLIENT_TRANSFER_PROHIBITED', 'CLIENT_HOLD', 'CLIENT_RENEW_PROHIBITED'];

/** The list has all wanted statuses. Only those of clients can be added or removed. */
function statusEffect(state: State, domain: SimulatedDomain, given: unknown): Effect {
  if (!Array.isArray(given)) throw badField('status', 'Must be a list');
  const present = domainView(state, domain).status as string[];
  const differing = [
    ...given.filter((each) => !present.includes(each)),
    ...present.filter((each) => !given.includes(each)),
  ].filter((each) => each !== 'OK');
  const fixed = differing.find((each) => !changeable.includes(String(each)));
  if (fixed !== undefined) throw new Refused('ValidationError', `The status ${fixed} cannot be changed`);
  return (each) => {
    each.locked = given.includes('CLIENT_TRANSFER_PROHIBITED');
    each.suspended = given.includes('CLIENT_HOLD');
    if (updateLocks.some((status) => given.includes(status))) state.locked.add(each.name);
    else state.locked.delete(each.name);
  };
}

function dsEffect(given: unknown): Effect {
  if (!Array.isArray(given)) throw badField('dsData', 'Must be a list');
  for (const { keyTag, digest } of given as Fields[])
    if (!Number.isInteger(keyTag) || !/^[0-9A-Fa-f]+$/.test(String(digest)))
      throw badField('dsData', 'Not a DS record');
  return (each) => {
    each.dnssec = given;
  };
}

function effectsOf(state: State, domain: SimulatedDomain, body: Fields): Effect[] {
  const effects: Effect[] = [];
  if (body.registrant !== undefined || body.contacts !== undefined) {
    const contacts = contactsOf(state, domain.name, body, body.registrant ?? domain.contacts.REGISTRANT);
    const kept = body.contacts === undefined ? domain.contacts : {};
    effects.push((each) => {
      each.contacts = { ...kept, ...contacts };
    });
  }
  if (body.ns !== undefined) {
    const nameservers = nameserversOf(body);
    effects.push((each) => {
      each.nameservers = nameservers;
    });
  }
  if (body.authcode !== undefined)
    effects.push((each) => {
      each.authCode = body.authcode === '' ? state.code() : String(body.authcode);
    });
  if (body.autoRenew !== undefined) {
    const isOn = flagOf(body, 'autoRenew', false);
    effects.push((each) => {
      each.autoRenew = isOn;
    });
  }
  if (body.privacyProtect !== undefined) {
    const isOn = flagOf(body, 'privacyProtect', false);
    effects.push((each) => {
      each.privacy = isOn;
    });
  }
  if (body.dsData !== undefined) effects.push(dsEffect(body.dsData));
  if (body.status !== undefined) effects.push(statusEffect(state, domain, body.status));
  return effects;
}

const update: Route = {
  call: 'updateDomain',
  method: 'POST',
  path: 'domains/*/update',
  optional: [
    'registrant',
    'privacyProtect',
    'authcode',
    'autoRenew',
    'autoRenewPeriod',
    'ns',
    'status',
    'designatedAgent',
    'zone',
    'contacts',
    'keyData',
    'dsData',
    'billables',
  ],
  parameters: ['quote'],
  run(state, asked) {
    const domain = heldDomain(state, asked.path[1]!);
    const { body } = asked;
    const isUnlock =
      Array.isArray(body.status) && !updateLocks.some((each) => (body.status as string[]).includes(each));
    const isLocked = state.locked.has(domain.name) && !(isUnlock && Object.keys(body).length === 1);
    if (domain.status !== 'active' || isLocked || isOpen(state, domain.name))
      throw new Refused('ObjectStatusProhibitsOperation', 'The status of the domain prohibits an update');
    const effects = effectsOf(state, domain, body);
    const effect: Effect = (each) => {
      for (const apply of effects) apply(each);
    };
    return ordered(state, { asked, domain, verb: 'change', cost: 0, effect, status: 200 });
  },
};

/** The domain of a host, which must be in the account. */
function parentOf(state: State, hostname: string): SimulatedDomain {
  const found = [...state.portfolio.domains.values()].find(
    ({ name, status }) => status === 'active' && hostname.endsWith(`.${name}`),
  );
  if (!found) throw new Refused('ObjectDoesNotExist', `The domain of ${hostname} does not exist`);
  return found;
}

function addressesOf({ addresses }: Fields): string[] {
  if (!Array.isArray(addresses) || addresses.length === 0) throw badField('addresses', 'Must be a list of addresses');
  for (const { ipVersion, address } of addresses as Fields[])
    if (ipVersion !== (String(address).includes(':') ? 'V6' : 'V4')) throw badField('addresses', 'Wrong ipVersion');
  return (addresses as Fields[]).map(({ address }) => String(address));
}

function hostRoute(call: string, method: string, suffix: string, isNew: boolean): Route {
  return {
    call,
    method,
    path: `hosts/*${suffix}`,
    ...(method === 'POST' ? { required: ['addresses'] } : {}),
    run(state, { path, body }) {
      const hostname = path[1]!;
      const domain = parentOf(state, hostname);
      const present = domain.hosts[hostname];
      if (isNew && present) throw new Refused('ObjectExists', `Host ${hostname} already exists`);
      if (!isNew && !present) throw notFound(`Host ${hostname}`);
      if (method === 'DELETE') {
        if (domain.nameservers.includes(hostname))
          throw new Refused('ObjectStatusProhibitsOperation', 'The host is in use');
        delete domain.hosts[hostname];
        return { status: 204 };
      }
      domain.hosts[hostname] = addressesOf(body);
      return { status: isNew ? 201 : 200 };
    },
  };
}

const getHost: Route = {
  call: 'getHost',
  method: 'GET',
  path: 'hosts/*',
  run(state, { path }) {
    const found = [...state.portfolio.domains.values()].flatMap(hostViews).find((each) => each.hostName === path[1]);
    if (!found) throw notFound(`Host ${path[1]}`);
    return { status: 200, body: found };
  },
};

export const changeRoutes: readonly Route[] = [
  update,
  getHost,
  hostRoute('createHost', 'POST', '', true),
  hostRoute('updateHost', 'POST', '/update', false),
  hostRoute('deleteHost', 'DELETE', '', false),
];
