import { equip } from '../../namehold-upstream/chain.ts';
import type { TestService } from '../../support/service.ts';
import { isHeld } from '../simulators/portfolio.ts';
import type { SimulatedUpstream } from '../simulators/upstreams.ts';
import type { AccountFault, CarriedOut, Disturbance, HeldDomain, Link, UpstreamAccount } from './account.ts';

/** Longer than the timeout of an order. */
const delayMs = 1_000;
/** Of every request without a fault of its own. */
const queryFaults = { rate: 0.02, kinds: ['lost_before', 'lost_after', 'error_before', 'maintenance', 'cut'] } as const;

/** An account at a simulator with an HTTP dialect. */
export class SimulatedAccount implements UpstreamAccount {
  readonly #upstream: SimulatedUpstream;

  constructor(upstream: SimulatedUpstream) {
    this.#upstream = upstream;
  }

  get refusesRepeatedRenewal(): boolean {
    return this.#upstream.refusesRepeatedRenewal;
  }

  async connect(t: TestService, { visibleAfterSeconds, timeouts, ...limits }: Link): Promise<void> {
    const { way, profile } = this.#upstream;
    const own = { ...(profile[profile.dialect] as object | undefined), visibleAfterSeconds };
    await equip(t, way, ['org'], {
      ...profile,
      ...(timeouts ? { timeouts } : {}),
      ...(visibleAfterSeconds === undefined ? {} : { [profile.dialect]: own }),
      limits: { ...profile.limits, ...limits },
    });
  }

  async inject({ kind, verb, domain, times }: AccountFault): Promise<void> {
    const { faults, calls, outcomeFields: fields } = this.#upstream;
    faults.add({ kind, call: calls[verb], domain, times, delayMs, fields });
  }

  async disturb(what: Disturbance, seed: number): Promise<void> {
    const { faults, server } = this.#upstream;
    if (what === 'queries') faults.random({ seed, ...queryFaults });
    if (what === 'block') server.blockedBecause = 'too many calls';
    if (what === 'outage') faults.random({ seed, rate: 1, kinds: ['lost_before'] });
  }

  async heal(): Promise<void> {
    this.#upstream.server.blockedBecause = undefined;
    this.#upstream.faults.clear();
  }

  async faultsApplied(): Promise<string> {
    return [...this.#upstream.faults.applied].map(([kind, count]) => `${kind} ${count}`).join(', ');
  }

  async settle(): Promise<boolean> {
    this.#upstream.portfolio.settle();
    return true;
  }

  async addElsewhere(name: string): Promise<void> {
    this.#upstream.addElsewhere(name);
  }

  async age(name: string, ms: number): Promise<void> {
    const domain = this.#upstream.portfolio.find(name)!;
    domain.createdAt -= ms;
    domain.expiresAt! -= ms;
  }

  async domains(): Promise<HeldDomain[]> {
    const { portfolio } = this.#upstream;
    const names = new Set([...portfolio.domains.values()].filter(isHeld).map(({ name }) => name));
    return [...names].flatMap((name) => {
      const { status } = portfolio.find(name)!;
      return status === 'active' || status === 'redemption' ? [{ name, status }] : [];
    });
  }

  async contactsOf(name: string) {
    return this.#upstream.contactsOf(name);
  }

  async carriedOut(name?: string): Promise<CarriedOut[]> {
    const all = [...this.#upstream.portfolio.orders.values()];
    return all.flatMap(({ domain, state, verb }) => {
      const isWanted = state === 'done' && (name === undefined || name === domain);
      return isWanted && verb !== 'change' && verb !== 'delete' ? [{ verb, domain }] : [];
    });
  }

  async charged(name?: string): Promise<number> {
    const { ledger } = this.#upstream;
    if (name !== undefined) return ledger.netOfDomain(name);
    return ledger.entries.reduce((sum, { kind, amount }) => sum - (kind === 'funds' ? 0 : amount), 0);
  }

  async problems(): Promise<string[]> {
    return this.#upstream.problems();
  }

  async requests(): Promise<number> {
    return this.#upstream.server.log.requests.length;
  }

  mostIdentical(withinMs: number): number {
    return this.#upstream.server.log.mostIdentical(withinMs);
  }

  stop(): Promise<void> {
    return this.#upstream.stop();
  }
}
