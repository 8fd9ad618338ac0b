import type { SimulatedDomain } from '../portfolio.ts';
import { orderAnswer } from './answers.ts';
import { activeOrderOf, type Call, orderOf, rulesOf, type State } from './call.ts';
import { readContacts } from './order-calls.ts';
import { type Parameters, Refused } from './parameters.ts';

type Effect = (domain: SimulatedDomain) => void;

/** A call that changes a domain of the account and costs nothing. */
function change(
  required: readonly string[],
  text: string,
  prepare: (state: State, domain: SimulatedDomain, parameters: Parameters) => Effect,
  optional: readonly string[] = [],
  find: (state: State, parameters: Parameters) => SimulatedDomain = activeOrderOf,
): Call {
  return {
    method: 'POST',
    required: ['order-id', ...required],
    optional,
    run(state, parameters, fault) {
      const domain = find(state, parameters);
      const effect = prepare(state, domain, parameters);
      return orderAnswer(
        state,
        state.portfolio.change(domain, `${text} of ${domain.name}`, effect, fault),
        'NoInvoice',
      );
    },
  };
}

function withoutAddress(domain: SimulatedDomain, parameters: Parameters, key: string): [string, string, string[]] {
  const host = parameters.name('cns');
  const addresses = domain.hosts[host];
  if (!addresses) throw new Refused('Invalid Child Name Server. Its not registered nameserver for this domain');
  const address = parameters.text(key);
  if (!addresses.includes(address)) throw new Refused('Invalid Old IpAddress. Its not attached to Nameserver');
  return [host, address, addresses.filter((each) => each !== address)];
}

function addHost(_state: State, domain: SimulatedDomain, parameters: Parameters): Effect {
  const host = parameters.name('cns');
  if (!host.endsWith(`.${domain.name}`)) throw new Refused('{hostname=Parent DomainName is not registered by you}');
  const known = domain.hosts[host] ?? [];
  const added = parameters.list('ip');
  if (added.some((address) => known.includes(address))) throw new Refused('This IpAddress already exists');
  return (each) => {
    each.hosts[host] = [...known, ...added];
  };
}

function moveHost(_state: State, domain: SimulatedDomain, parameters: Parameters): Effect {
  const [host, , others] = withoutAddress(domain, parameters, 'old-ip');
  const next = parameters.text('new-ip');
  if (next === parameters.text('old-ip')) throw new Refused('Same value for new and old IpAddress');
  return (each) => {
    each.hosts[host] = [...others, next];
  };
}

function removeHost(_state: State, domain: SimulatedDomain, parameters: Parameters): Effect {
  const [host, , others] = withoutAddress(domain, parameters, 'ip');
  return (each) => {
    if (others.length > 0) each.hosts[host] = others;
    else delete each.hosts[host];
  };
}

function renameHost(_state: State, domain: SimulatedDomain, parameters: Parameters): Effect {
  const [from, to] = [parameters.name('old-cns'), parameters.name('new-cns')];
  const addresses = domain.hosts[from];
  if (!addresses) throw new Refused('Invalid Old Child NameServer. Its not registered nameserver for this domain');
  if (from === to) throw new Refused('Same value for new and old Child NameServer');
  if (domain.hosts[to]) throw new Refused('{hostname=Child NameServer already exists}');
  if (!to.endsWith(`.${domain.name}`)) throw new Refused('{hostname=Parent DomainName is not registered by you}');
  return (each) => {
    delete each.hosts[from];
    each.hosts[to] = addresses;
  };
}

function setNameservers(_state: State, domain: SimulatedDomain, parameters: Parameters): Effect {
  const hosts = parameters.list('ns').map((host) => host.toLowerCase());
  const bad = hosts.find((host) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host));
  if (bad !== undefined) throw new Refused(`${bad} is not a valid Nameserver`);
  if ([...hosts].sort().join() === [...domain.nameservers].sort().join())
    throw new Refused('Same value for new and old NameServers');
  return (each) => {
    each.nameservers = hosts;
  };
}

const dsFields = ['keytag', 'algorithm', 'digesttype', 'digest'];

function dsOf(parameters: Parameters): Record<string, string> {
  const attributes = parameters.attributes();
  const missing = dsFields.find((field) => !attributes[field]);
  if (missing !== undefined) throw new Refused(`Required parameter missing: ${missing}`);
  return attributes;
}

const isSame = (a: Record<string, string>, b: Record<string, string>): boolean =>
  dsFields.every((field) => a[field]!.toLowerCase() === b[field]!.toLowerCase());

const setLock = (locked: boolean) => () => (each: SimulatedDomain) => {
  each.locked = locked;
};

const setAutoRenewal = (autoRenew: boolean) => () => (each: SimulatedDomain) => {
  each.autoRenew = autoRenew;
};

const setHold = (suspended: boolean) => (_state: State, domain: SimulatedDomain) => {
  if (domain.status !== 'active' || domain.suspended === suspended)
    throw new Refused(`Order is ${suspended ? 'already' : 'not'} Suspended`, 'error');
  return (each: SimulatedDomain) => {
    each.suspended = suspended;
  };
};

export const changeCalls: Readonly<Record<string, Call>> = {
  'domains/modify-ns': change(['ns'], 'Modification of nameservers', setNameservers),
  'domains/add-cns': change(['cns', 'ip'], 'Addition of a child nameserver', addHost),
  'domains/modify-cns-ip': change(['cns', 'old-ip', 'new-ip'], 'Modification of a child nameserver', moveHost),
  'domains/delete-cns-ip': change(['cns', 'ip'], 'Deletion of a child nameserver', removeHost),
  'domains/modify-cns-name': change(['old-cns', 'new-cns'], 'Renaming of a child nameserver', renameHost),
  'domains/enable-theft-protection': change([], 'Theft protection', setLock(true)),
  'domains/disable-theft-protection': change([], 'Theft protection', setLock(false)),
  // Not in the documents; public clients send both.
  'domains/enable-auto-renewal': change([], 'Auto-renewal', setAutoRenewal(true)),
  'domains/disable-auto-renewal': change([], 'Auto-renewal', setAutoRenewal(false)),
  'domains/modify-auth-code': change(['auth-code'], 'Modification of the code', (_state, _domain, parameters) => {
    const code = parameters.text('auth-code');
    if (code.length < 6 || code.length > 32) throw new Refused('Invalid value for auth-code');
    return (each) => {
      each.authCode = code;
    };
  }),
  'domains/modify-privacy-protection': change(
    ['protect-privacy', 'reason'],
    'Privacy protection',
    (_state, _domain, parameters) => {
      const privacy = parameters.flag('protect-privacy');
      return (each) => {
        each.privacy = privacy;
      };
    },
  ),
  'domains/modify-contact': change(
    ['reg-contact-id', 'admin-contact-id', 'tech-contact-id', 'billing-contact-id'],
    'Modification of contacts',
    (state, domain, parameters) => {
      const contacts = readContacts(state, parameters, domain.name, domain.customer);
      return (each) => {
        each.contacts = contacts;
      };
    },
    ['sixty-day-lock-optout', 'designated-agent'],
  ),
  'domains/add-dnssec': change(
    [],
    'Addition of a DS record',
    (_state, domain, parameters) => {
      const added = dsOf(parameters);
      if (domain.dnssec.some((each) => isSame(each, added))) throw new Refused('DS record already exists', 'error');
      return (each) => each.dnssec.push(added);
    },
    ['attr-name', 'attr-value'],
  ),
  'domains/del-dnssec': change(
    [],
    'Deletion of a DS record',
    (_state, domain, parameters) => {
      const removed = dsOf(parameters);
      if (!domain.dnssec.some((each) => isSame(each, removed))) throw new Refused('DS record not found', 'error');
      return (each) => {
        each.dnssec = each.dnssec.filter((other) => !isSame(other, removed));
      };
    },
    ['attr-name', 'attr-value'],
  ),
  'orders/suspend': change(['reason'], 'Suspension', setHold(true), [], orderOf),
  'orders/unsuspend': change([], 'End of the suspension', setHold(false), [], orderOf),
  'domains/locks': {
    method: 'GET',
    required: ['order-id'],
    run(state, parameters) {
      const { locked, suspended } = orderOf(state, parameters);
      return { transferlock: locked, ...(suspended ? { resellersuspend: {} } : {}) };
    },
  },
  'domains/raa/resend-verification': {
    method: 'POST',
    required: ['order-id'],
    run: (state, parameters) => rulesOf(state, orderOf(state, parameters).name) !== undefined,
  },
};
