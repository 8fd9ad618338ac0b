import { Seller } from '../../namehold-upstream/chain.ts';
import type { FaultRule } from '../simulators/faults.ts';
import { dialectsOfOthers, type SimulatedUpstream, upstreams } from '../simulators/upstreams.ts';
import { centralNicRow, contractRow, nameholdRow } from './own-rows.ts';

/** Why a trouble cannot happen at an upstream. */
export interface Impossible {
  readonly impossible: string;
}

export interface Refusing {
  begin(): Promise<unknown> | unknown;
  end(): Promise<unknown> | unknown;
  /** The message of the upstream. */
  readonly says: RegExp;
}

export interface RefusedOrder {
  readonly name: string;
  /** Prepares it at the upstream. */
  begin?(): Promise<unknown> | unknown;
  /** The message of the upstream; undefined: the order is refused before a command is sent. */
  readonly says?: RegExp;
}

type Trouble<T> = T | Impossible;

/** A seller at one upstream, and how each trouble looks there. */
export interface Row {
  readonly seller: Seller;
  connect(more?: { readonly key?: string; readonly currency?: string }): Promise<void>;
  charges(name: string): Promise<number> | number;
  /** Requests that could register this domain. Undefined: they cannot be counted. */
  registrations(name: string): number | undefined;
  /** All requests. */
  requests(): number | undefined;
  readonly wrongKey: Trouble<Refusing>;
  readonly address: Trouble<Refusing>;
  readonly suspended: Trouble<Refusing>;
  /** The currency of the account, as a finding of the test of the connection names it. */
  readonly currency: Trouble<{ readonly says: RegExp }>;
  readonly unsold: Trouble<RefusedOrder>;
  readonly premium: Trouble<RefusedOrder>;
  readonly contact: Trouble<RefusedOrder>;
  /** Answers to the next registration of this domain. */
  readonly page: Trouble<(name: string) => Promise<unknown> | unknown>;
  /** All answers, until the result is called. */
  readonly numbersAsText: Trouble<() => () => void>;
  readonly missingFields: Trouble<(name: string) => Promise<unknown> | unknown>;
  /** The clock of the upstream. */
  readonly clock: Trouble<(skewMs: number) => Promise<unknown> | unknown>;
  /** The answer to the next registration of this domain is lost after it was carried out. */
  loseAnswer(name: string): Promise<unknown> | unknown;
  /** Differences between the orders and the money of the upstream. */
  problems(): string[];
  stop(): Promise<void>;
}

/** What a simulator says in each trouble. */
interface Words {
  readonly wrongKey: RegExp;
  readonly address: RegExp;
  readonly suspended: { readonly message: string; readonly says: RegExp };
  readonly currency: Trouble<{ readonly says: RegExp }>;
  readonly contact: { readonly message: string; readonly says: RegExp };
  readonly unsold?: RegExp;
  /** The settings of the dialect in the profile. */
  readonly visibleAfter: object;
}

const named = (message: string) => ({ message, says: new RegExp(message.replace(/^\w+: /, '')) });
const visibleAfterSeconds = 0;

const words: Readonly<Record<string, Words>> = {
  logicboxes: {
    wrongKey: /Invalid credentials/,
    address: /status 403/,
    suspended: named('Invalid credentials, or your User account maybe Inactive or Suspended'),
    currency: { says: /billed in USD/ },
    contact: named('registrantcontactid=Contact type must be UkContact'),
    visibleAfter: { logicboxes: { visibleAfterSeconds } },
  },
  openprovider: {
    wrongKey: /196 Authentication/,
    address: /10005 Access denied/,
    suspended: named('Your account is suspended'),
    currency: { says: /billed in USD/ },
    contact: named('Registry: the owner is invalid'),
    visibleAfter: { openprovider: { visibleAfterSeconds } },
  },
  opensrs: {
    wrongKey: /Reseller authentication error/,
    address: /invalid IP address/,
    suspended: named('Your account is suspended'),
    currency: { impossible: 'neither the balance nor a price has a currency' },
    contact: named('Invalid data, error=owner: the registry refuses the contact'),
    visibleAfter: { opensrs: { visibleAfterSeconds } },
  },
  realtimeregister: {
    wrongKey: /Authentication failed/,
    address: /Access from this address is not allowed/,
    suspended: named('AuthenticationError: The account is suspended'),
    currency: { says: /credit in USD/ },
    contact: named('ValidationError: The registrant is not accepted by the registry'),
    visibleAfter: { realtimeregister: { visibleAfterSeconds } },
  },
};

const unsoldTld = 'shop';
/** Each trouble may need several requests. */
const always = 100_000;

async function simulatorRow(dialect: string): Promise<Row> {
  const said = words[dialect]!;
  const upstream = await upstreams[dialect]!();
  const more = { ...upstream.profile, ...said.visibleAfter, timeouts: { queryMs: 20_000, transformMs: 2_000 } };
  const tlds = ['org', unsoldTld];
  const seller = await Seller.open(upstream.way, tlds, more);
  const connect: Row['connect'] = ({ key, currency } = {}) =>
    seller.connect({ ...upstream.way, ...(key === undefined ? {} : { key }) }, tlds, {
      ...more,
      ...(currency === undefined ? {} : { currency }),
    });
  const { faults } = upstream;
  const register = upstream.calls.register;
  const atRegistration = (name: string, fault: Partial<FaultRule> & Pick<FaultRule, 'kind'>) =>
    faults.add({ call: register, domain: name, ...fault });
  return {
    ...countersOf(upstream),
    seller,
    connect,
    wrongKey: {
      begin: () => connect({ key: 'another-key-0123456789' }),
      end: () => connect(),
      says: said.wrongKey,
    },
    address: {
      begin: () => upstream.allow(false),
      async end() {
        upstream.allow(true);
        await connect();
      },
      says: said.address,
    },
    suspended: {
      begin: () => faults.add({ kind: 'refused', message: said.suspended.message, times: always }),
      async end() {
        faults.clear();
        await connect();
      },
      says: said.suspended.says,
    },
    currency: said.currency,
    unsold: { name: `name.${unsoldTld}` },
    premium: { name: 'gold.org', begin: () => upstream.addPremium('gold.org') },
    contact: {
      name: 'no-contact.org',
      begin: () => atRegistration('no-contact.org', { kind: 'refused', message: said.contact.message }),
      says: said.contact.says,
    },
    page: (name) => atRegistration(name, { kind: 'maintenance' }),
    numbersAsText() {
      faults.add({ kind: 'numbers_as_text', times: always });
      return () => faults.clear();
    },
    missingFields: (name) => atRegistration(name, { kind: 'missing_fields', fields: upstream.outcomeFields }),
    clock(skewMs) {
      upstream.clock.skewMs = skewMs;
    },
    loseAnswer: (name) => atRegistration(name, { kind: 'lost_after' }),
    problems: () => upstream.problems(),
    stop: () => upstream.stop(),
  };
}

const countersOf = ({
  ledger,
  server,
  calls,
}: SimulatedUpstream): Pick<Row, 'charges' | 'registrations' | 'requests'> => ({
  charges: (name) => ledger.charges(name).length,
  registrations: (name) => server.log.of(calls.register).filter(({ domain }) => domain === name).length,
  requests: () => server.log.requests.length,
});

/** One row for each dialect, and for each upstream over EPP. */
export const rows: Readonly<Record<string, () => Promise<Row>>> = {
  ...Object.fromEntries(dialectsOfOthers().map((dialect) => [dialect, () => simulatorRow(dialect)])),
  contract: contractRow,
  namehold: nameholdRow,
  'centralnic-reseller': centralNicRow,
};
