import { readdirSync } from 'node:fs';
import { SimulatorClock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { lenientSettings as lenientLogicBoxes, strictSettings as strictLogicBoxes } from './logicboxes/settings.ts';
import { LogicBoxesSimulator } from './logicboxes/simulator.ts';
import {
  lenientSettings as lenientOpenprovider,
  strictSettings as strictOpenprovider,
} from './openprovider/settings.ts';
import { OpenproviderSimulator } from './openprovider/simulator.ts';
import { lenientSettings as lenientOpenSrs, strictSettings as strictOpenSrs } from './opensrs/settings.ts';
import { OpenSrsSimulator } from './opensrs/simulator.ts';
import type { Portfolio } from './portfolio.ts';
import {
  lenientSettings as lenientRealtimeRegister,
  strictSettings as strictRealtimeRegister,
} from './realtimeregister/settings.ts';
import { RealtimeRegisterSimulator } from './realtimeregister/simulator.ts';
import type { SimulatorServer } from './server.ts';

export type OrderVerb = 'register' | 'renew' | 'transfer' | 'restore' | 'delete' | 'contact';

/** A simulated account with the interface that is the same for all dialects. Tests of faults and of figures need nothing else. */
export interface SimulatedUpstream {
  readonly way: { readonly port: number; readonly reseller: string; readonly key: string };
  /** The profile of its connection, without limits and timeouts. */
  readonly profile: Readonly<Record<string, unknown>> & { readonly dialect: string; readonly limits?: object };
  readonly server: SimulatorServer;
  readonly faults: Faults;
  readonly portfolio: Portfolio;
  readonly ledger: Ledger;
  /** The calls that carry out each order. `contact`: the data of a registrant. */
  readonly calls: Readonly<Record<OrderVerb, string>>;
  /** Without these fields the outcome of an order cannot be read from its answer. */
  readonly outcomeFields: readonly string[];
  /** The call that lists domains, and how often it is sent for 10,000 of them. Undefined: the upstream has no list. */
  readonly list?: { readonly call: string; readonly times: number };
  /** A second renewal from the same date is refused. */
  readonly refusesRepeatedRenewal: boolean;
  /** A domain that the account has had for a while. */
  addDomain(name: string): void;
  /** A domain of another registrar, which can be transferred with the code `authCode`. */
  addElsewhere(name: string): void;
  /** A domain that is free and has a premium price. */
  addPremium(name: string): void;
  /** Whether our address is on its list. */
  allow(isAllowed: boolean): void;
  /** Its clock, which can be wrong. */
  readonly clock: SimulatorClock;
  /** The contact of each role there; equal contacts are equal values. */
  contactsOf(name: string): { readonly registrant: unknown; readonly admin: unknown };
  /** Differences between its orders and its money. */
  problems(): string[];
  stop(): Promise<void>;
}

export const authCode = 'Code-4711';
/** More than all orders of a test cost, in minor units. */
const funds = 1_000_000_00;

/** Limits of identical requests are tested elsewhere, and time passes in steps here. */
const often = { requests: 10_000, seconds: 1 };
const identical = { shareSeconds: 0, query: often, check: often, create: often };
const repeats = {
  query: [1_000_000, 300],
  check: [1_000_000, 300],
  create: [1_000_000, 10],
  login: [1_000_000, 60],
  badLogin: [100, 3_600],
} as const;

interface SimulatorOptions {
  readonly now?: () => number;
  readonly form?: 'strict' | 'lenient';
}

type OpenUpstream = (options?: SimulatorOptions) => Promise<SimulatedUpstream>;

/** One row for each dialect of an upstream that is not Namehold itself. All charge the costs of `chain.ts`. */
export const upstreams: Readonly<Record<string, OpenUpstream>> = {
  async logicboxes({ now = Date.now, form = 'strict' } = {}) {
    const settings = form === 'strict' ? strictLogicBoxes : lenientLogicBoxes;
    const domorg = { addnewdomain: 1_040, renewdomain: 1_060, addtransferdomain: 1_020, restoredomain: 7_000 };
    const products = { ...settings.products, domorg };
    const simulator = await LogicBoxesSimulator.start({ ...settings, funds, products }, new SimulatorClock(now), now);
    const customerId = simulator.addCustomer('shop@example.com').id;
    const { resellerId: reseller, apiKey: key } = simulator.state.settings;
    return {
      ...commonOf(simulator),
      way: { port: simulator.server.port, reseller, key },
      profile: { dialect: 'logicboxes', basePath: '/api', customerId },
      calls: {
        register: 'domains/register',
        renew: 'domains/renew',
        transfer: 'domains/transfer',
        restore: 'domains/restore',
        delete: 'domains/delete',
        contact: 'domains/modify-contact',
      },
      outcomeFields: ['actionstatus', 'status'],
      list: { call: 'domains/search', times: 20 },
      refusesRepeatedRenewal: settings.outdatedExpDateRefused,
      addDomain: (name) => void simulator.addDomain(name, customerId),
      addElsewhere: (name) => simulator.addElsewhere(name, { authCode }),
      addPremium: (name) => void simulator.state.premium.set(name, { create: 4_000, renew: 4_000, transfer: 4_000 }),
      contactsOf(name) {
        const { contacts } = simulator.state.portfolio.find(name)!;
        return { registrant: contacts.reg, admin: contacts.admin };
      },
    };
  },
  async openprovider({ now = Date.now, form = 'strict' } = {}) {
    const settings = form === 'strict' ? strictOpenprovider : lenientOpenprovider;
    const clock = new SimulatorClock(now);
    const simulator = await OpenproviderSimulator.start({ ...settings, funds, vat: 0, repeats }, clock, now);
    const { username: reseller, password: key } = simulator.state.settings;
    return {
      ...commonOf(simulator),
      way: { port: simulator.server.port, reseller, key },
      profile: { dialect: 'openprovider', authCode: { madeBy: 'us' }, limits: { identical } },
      calls: {
        register: 'createDomain',
        renew: 'renewDomain',
        transfer: 'transferDomain',
        restore: 'restoreDomain',
        delete: 'deleteDomain',
        contact: 'updateDomain',
      },
      outcomeFields: ['status'],
      list: { call: 'searchDomain', times: 10 },
      refusesRepeatedRenewal: false,
      addDomain: (name) => void simulator.addDomain(name),
      addElsewhere: (name) => simulator.addElsewhere(name, { authCode }),
      addPremium: (name) => void simulator.state.premium.set(name, { product: 3_500, reseller: 4_000 }),
      contactsOf(name) {
        const { contacts } = simulator.state.portfolio.find(name)!;
        return { registrant: contacts.owner_handle, admin: contacts.admin_handle };
      },
    };
  },
  async opensrs({ now = Date.now, form = 'strict' } = {}) {
    const settings = form === 'strict' ? strictOpenSrs : lenientOpenSrs;
    const tlds = { ...settings.tlds, org: { new: 1_040, renewal: 1_060, transfer: 1_020, redeem: 7_000 } };
    const simulator = await OpenSrsSimulator.start({ ...settings, funds, tlds }, new SimulatorClock(now), now);
    const { username: reseller, key } = simulator.state.settings;
    return {
      ...commonOf(simulator),
      way: { port: simulator.server.port, reseller, key },
      profile: { dialect: 'opensrs', opensrs: { refundDays: settings.refundDays } },
      calls: {
        register: 'sw_register domain',
        renew: 'renew domain',
        transfer: 'sw_register domain',
        restore: 'redeem domain',
        delete: 'revoke domain',
        contact: 'update_contacts domain',
      },
      outcomeFields: ['response_code'],
      list: { call: 'get_domains_by_expiredate domain', times: 20 },
      refusesRepeatedRenewal: true,
      addDomain: (name) => void simulator.addDomain(name),
      addElsewhere: (name) => simulator.addElsewhere(name, { authCode }),
      addPremium: (name) => void simulator.state.premium.set(name, 4_000),
      contactsOf(name) {
        const { contactSet } = simulator.state.profiles.get(name)!;
        return { registrant: contactSet.owner, admin: contactSet.admin };
      },
    };
  },
  async realtimeregister({ now = Date.now, form = 'strict' } = {}) {
    const settings = form === 'strict' ? strictRealtimeRegister : lenientRealtimeRegister;
    const org = { provider: 'pir', create: 1_040, renew: 1_060, transfer: 1_020, restore: 7_000 };
    const tlds = { ...settings.tlds, org };
    const simulator = await RealtimeRegisterSimulator.start({ ...settings, funds, tlds }, new SimulatorClock(now), now);
    const { customer: reseller, apiKey: key } = simulator.state.settings;
    return {
      ...commonOf(simulator),
      way: { port: simulator.server.port, reseller, key },
      profile: { dialect: 'realtimeregister' },
      calls: {
        register: 'createDomain',
        renew: 'renewDomain',
        transfer: 'transferDomain',
        restore: 'restoreDomain',
        delete: 'deleteDomain',
        contact: 'updateDomain',
      },
      outcomeFields: ['processId', 'domainName'],
      list: { call: 'listDomains', times: 10 },
      refusesRepeatedRenewal: false,
      addDomain: (name) => void simulator.addDomain(name),
      addElsewhere: (name) => simulator.addElsewhere(name, { authCode }),
      addPremium: (name) => void simulator.state.premium.set(name, { create: 4_000, renew: 4_000 }),
      contactsOf(name) {
        const { contacts } = simulator.state.portfolio.find(name)!;
        return { registrant: contacts.REGISTRANT, admin: contacts.ADMIN };
      },
    };
  },
};

interface Simulator {
  readonly state: { readonly portfolio: Portfolio; readonly ledger: Ledger; readonly clock: SimulatorClock };
  allowed: boolean;
  readonly server: SimulatorServer;
  problems(): string[];
  stop(): Promise<void>;
}

const commonOf = (simulator: Simulator) => ({
  server: simulator.server,
  faults: simulator.server.faults,
  portfolio: simulator.state.portfolio,
  ledger: simulator.state.ledger,
  clock: simulator.state.clock,
  allow(isAllowed: boolean) {
    simulator.allowed = isAllowed;
  },
  problems: () => simulator.problems(),
  stop: () => simulator.stop(),
});

/** These are run by Namehold or follow its contract; `test/namehold-upstream` injects faults into them. */
const ownDialects = ['contract', 'namehold'];

/** Upstreams with EPP are registry profiles; each has a folder for its extension. */
const profilesOverEpp: Readonly<Record<string, string>> = { keysys: 'centralnic-reseller' };
/** The HTTP API beside EPP is no dialect. */
const noDialects = ['side'];

/** The HTTP dialects that need a row in each table. */
export const dialectsOfOthers = (): string[] =>
  foldersIn('upstream/dialects').filter((name) => !ownDialects.includes(name));

/** The profiles of upstreams with EPP that need a row. */
export const dialectsOverEpp = (): string[] =>
  foldersIn('epp')
    .filter((name) => !noDialects.includes(name))
    .map((name) => profilesOverEpp[name] ?? name);

/** Folders of the drivers in this part of the service. */
export function foldersIn(part: string): string[] {
  const folder = new URL(`../../../packages/server/src/registries/${part}/`, import.meta.url);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
