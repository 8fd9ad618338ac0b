import type { SimulatedDomain } from '../portfolio.ts';
import { type Attributes, type Call, ownDomain, Refused, type Reply, type State, stamp } from './call.ts';
import type { OpsMap } from './envelope.ts';
import { readHosts } from './order-calls.ts';

type Effect = (domain: SimulatedDomain) => void;

const modifications: Record<string, (state: State, attributes: Attributes, domain: SimulatedDomain) => Effect> = {
  status: (_state, attributes) => (each) => {
    each.locked = attributes.flag('lock_state');
  },
  expire_action: (_state, attributes) => (each) => {
    each.autoRenew = attributes.flag('auto_renew');
  },
  whois_privacy_state: (_state, attributes) => (each) => {
    each.privacy = attributes.text('state') === 'enable';
  },
  domain_auth_info: (_state, attributes) => {
    const code = attributes.text('domain_auth_info');
    if (code.length < 6 || code.length > 32) throw new Refused(465, 'Invalid data: domain_auth_info');
    return (each) => {
      each.authCode = code;
    };
  },
};

const modify: Call = {
  required: ['data', 'domain'],
  optional: ['affect_domains', 'lock_state', 'auto_renew', 'let_expire', 'state', 'domain_auth_info'],
  run(state, attributes, fault) {
    const prepare = modifications[attributes.text('data')];
    if (!prepare) throw new Refused(460, 'Modify type not specified.');
    const domain = ownDomain(state, attributes);
    const effect = prepare(state, attributes, domain);
    state.portfolio.change(domain, `modify ${domain.name}`, effect, fault);
    return { text: 'Modification Successful' };
  },
};

function newHosts(domain: SimulatedDomain, attributes: Attributes): string[] {
  const type = attributes.text('op_type');
  if (type === 'assign') return readHosts(attributes.list('assign_ns'));
  if (type !== 'add_remove') throw new Refused(465, 'Invalid data: op_type');
  const removed = new Set(readHosts(attributes.list('remove_ns')));
  return [...new Set([...domain.nameservers, ...readHosts(attributes.list('add_ns'))])].filter(
    (host) => !removed.has(host),
  );
}

const updateNameservers: Call = {
  required: ['domain', 'op_type'],
  optional: ['assign_ns', 'add_ns', 'remove_ns'],
  run(state, attributes, fault) {
    const domain = ownDomain(state, attributes);
    const hosts = newHosts(domain, attributes);
    const effect = (each: SimulatedDomain) => {
      each.nameservers = hosts;
    };
    state.portfolio.change(domain, `nameservers of ${domain.name}`, effect, fault);
    return { text: 'Nameserver Update Successful' };
  },
};

const updateContacts: Call = {
  required: ['domain', 'contact_set', 'types'],
  run(state, attributes) {
    const domain = ownDomain(state, attributes);
    const profile = state.profiles.get(domain.name);
    const given = attributes.map('contact_set') ?? {};
    if (!profile) throw new Refused(480, 'Profile not found');
    const types = attributes.list('types').map(String);
    const missing = types.find((type) => given[type] === undefined);
    if (missing !== undefined || types.length === 0)
      throw new Refused(460, `Missing required field: ${missing ?? 'types'}`);
    const changed = Object.fromEntries(types.map((type) => [type, given[type]!]));
    profile.contactSet = { ...profile.contactSet, ...changed };
    const details: OpsMap = Object.fromEntries(types.map((type) => [type, { response_code: '200', is_success: '1' }]));
    return { text: 'Command completed successfully', attributes: { details } };
  },
};

function hostDomain({ portfolio }: State, attributes: Attributes): SimulatedDomain {
  const host = attributes.text('name').toLowerCase();
  const found = portfolio.find(host.slice(host.indexOf('.') + 1));
  if (found?.status !== 'active') throw new Refused(435, 'The domain of the nameserver is not of this account');
  return found;
}

function changeHost(addressesOf: (attributes: Attributes, known: string[] | undefined) => string[] | undefined): Call {
  return {
    required: ['name'],
    optional: ['domain', 'ipaddress', 'ipv6', 'new_name'],
    run(state, attributes, fault): Reply {
      const domain = hostDomain(state, attributes);
      const host = attributes.text('name').toLowerCase();
      const addresses = addressesOf(attributes, domain.hosts[host]);
      const effect = (each: SimulatedDomain) => {
        if (addresses) each.hosts[host] = addresses;
        else delete each.hosts[host];
      };
      state.portfolio.change(domain, `host ${host}`, effect, fault);
      return { text: 'Nameserver Update Successful' };
    },
  };
}

const given = (attributes: Attributes): string[] =>
  ['ipaddress', 'ipv6'].flatMap((key) => attributes.optional(key) ?? []);

export const changeCalls: Readonly<Record<string, Call>> = {
  'modify domain': modify,
  'advanced_update_nameservers domain': updateNameservers,
  // Upmind sends it with this object.
  'advanced_update_nameservers nameserver': updateNameservers,
  'update_contacts domain': updateContacts,
  'get nameserver': {
    required: ['domain', 'name'],
    run(state, attributes) {
      const nameserver_list = Object.entries(ownDomain(state, attributes).hosts).map(([name, addresses]): OpsMap => {
        const [four, six] = [
          addresses.find((each) => !each.includes(':')),
          addresses.find((each) => each.includes(':')),
        ];
        return { name, can_delete: '1', ...(four ? { ipaddress: four } : {}), ...(six ? { ipv6: six } : {}) };
      });
      return { text: 'Command Successful', attributes: { nameserver_list } };
    },
  },
  'create nameserver': changeHost((attributes, known) => {
    if (known) throw new Refused(485, 'Nameserver exists');
    return given(attributes);
  }),
  'modify nameserver': changeHost((attributes, known) => {
    if (!known) throw new Refused(480, 'Nameserver not found');
    return given(attributes);
  }),
  'delete nameserver': changeHost((_attributes, known) => {
    if (!known) throw new Refused(480, 'Nameserver not found');
    return undefined;
  }),
  'registry_check_nameserver nameserver': {
    required: ['fqdn', 'tld'],
    run: () => ({ text: 'Nameserver found at registry' }),
  },
  'registry_add_ns nameserver': {
    required: ['fqdn', 'tld'],
    optional: ['all'],
    run: () => ({ text: 'Nameserver Added' }),
  },
  'set cookie': {
    required: ['reg_username', 'reg_password', 'domain'],
    run(state, attributes) {
      const domain = ownDomain(state, attributes);
      const profile = state.profiles.get(domain.name);
      const isRight =
        profile?.username === attributes.text('reg_username') && profile.password === attributes.text('reg_password');
      if (!isRight) throw new Refused(415, 'Authentication Error.');
      return {
        text: 'Authentication Successful.',
        attributes: {
          cookie: state.code(),
          domain_count: '1',
          expiredate: stamp(domain.expiresAt!),
          f_owner: '1',
          permission: '8',
        },
      };
    },
  },
  'poll event': {
    required: [],
    optional: ['limit'],
    run({ events }, attributes) {
      const limit = attributes.number('limit', 50);
      const shown = events.slice(0, limit).map(({ id, at, object, event, data }) => ({
        event_id: id,
        event_date: stamp(at),
        object,
        event,
        object_data: data,
      }));
      const remaining = String(events.length - shown.length);
      return { text: 'Command Successful', attributes: { events: shown, count: String(shown.length), remaining } };
    },
  },
  'ack event': {
    required: ['event_id'],
    run({ events }, attributes) {
      const place = events.findIndex(({ id }) => id === attributes.text('event_id'));
      if (place === -1) throw new Refused(480, 'Event not found');
      events.splice(place, 1);
      return { text: 'Command Successful' };
    },
  },
};
