import type { SimulatedDomain } from '../portfolio.ts';
import { type Call, type Input, Refused, type State, textOf } from './call.ts';

/** The domain of a host, which must be in the account. */
function parentOf({ portfolio }: State, hostname: string): SimulatedDomain {
  const found = [...portfolio.domains.values()].find(
    ({ name, status }) => status === 'active' && hostname.endsWith(`.${name}`),
  );
  if (!found) throw new Refused(320, `The domain of ${hostname} is not in your account`);
  return found;
}

function addressesOf({ body }: Input): string[] {
  const addresses = [body.ip, body.ip6].filter((each) => typeof each === 'string');
  if (addresses.length === 0) throw new Refused(310, 'Required parameter ip or ip6 is missing');
  return addresses;
}

function change(state: State, input: Input, hostname: string, isNew: boolean): object {
  const domain = parentOf(state, hostname);
  if (isNew === (domain.hosts[hostname] !== undefined))
    throw new Refused(208, isNew ? 'The nameserver already exists' : 'The nameserver is not found');
  domain.hosts[hostname] = addressesOf(input);
  return { name: hostname };
}

/** Child nameservers, with at most one address of each kind (`NameserverServiceApi` of the REST client). */
export const hostCalls: readonly Call[] = [
  {
    name: 'createNameserver',
    method: 'POST',
    path: '/dns/nameservers',
    takes: ['name', 'ip', 'ip6'],
    run: (state, input) => change(state, input, textOf(input, 'name').toLowerCase(), true),
  },
  {
    name: 'updateNameserver',
    method: 'PUT',
    path: '/dns/nameservers/{id}',
    takes: ['name', 'ip', 'ip6'],
    run: (state, input) => ({ ...change(state, input, input.id, false), success: true }),
  },
  {
    name: 'deleteNameserver',
    method: 'DELETE',
    path: '/dns/nameservers/{id}',
    takes: [],
    run(state, { id }) {
      const domain = parentOf(state, id);
      if (!domain.hosts[id]) throw new Refused(208, 'The nameserver is not found');
      if (domain.nameservers.includes(id)) throw new Refused(209, 'The nameserver is in use');
      delete domain.hosts[id];
      return { success: true };
    },
  },
  {
    name: 'listNameservers',
    method: 'GET',
    path: '/dns/nameservers',
    takes: ['name', 'pattern', 'limit', 'offset'],
    run({ portfolio }, { query }) {
      const all = [...portfolio.domains.values()].flatMap(({ hosts }) => Object.entries(hosts));
      const results = all
        .filter(([name]) => query.get('name') === null || name === query.get('name'))
        .map(([name, addresses]) => ({
          name,
          ip: addresses.find((each) => !each.includes(':')) ?? '',
          ip6: addresses.find((each) => each.includes(':')) ?? '',
        }));
      return { results, total: results.length };
    },
  },
];
