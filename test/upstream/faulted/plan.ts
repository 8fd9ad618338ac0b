import type { FaultKind, FaultRule } from '../simulators/faults.ts';
import type { OrderVerb, SimulatedUpstream } from '../simulators/upstreams.ts';

type PlannedVerb = Exclude<OrderVerb, 'contact'>;

export interface PlannedOrder {
  readonly verb: PlannedVerb;
  readonly name: string;
  readonly fault: FaultRule;
}

/** In hundredths. */
const verbShares: readonly (readonly [PlannedVerb, number])[] = [
  ['register', 50],
  ['renew', 18],
  ['transfer', 15],
  ['delete', 10],
  ['restore', 7],
];

const faultShares: readonly (readonly [FaultKind, number])[] = [
  ['lost_after', 22],
  ['lost_before', 12],
  ['cut', 12],
  ['error_after', 10],
  ['error_before', 8],
  ['delayed', 8],
  ['doubled', 8],
  ['maintenance', 5],
  ['missing_fields', 5],
  ['saved', 3],
  ['in_doubt', 3],
  ['refused', 2],
  ['fails_later', 1],
  ['numbers_as_text', 1],
];

/** Longer than the timeout of an order. */
const delayMs = 1_000;

function drawn<T>(shares: readonly (readonly [T, number])[], random: () => number): T {
  let left = random() * shares.reduce((sum, [, share]) => sum + share, 0);
  for (const [each, share] of shares) {
    left -= share;
    if (left < 0) return each;
  }
  return shares[0]![0];
}

/** Orders with one fault each, from a seed. A domain has at most one order in a wave. */
export class Plan {
  readonly #random: () => number;
  readonly #upstream: SimulatedUpstream;
  #next = 0;

  constructor(upstream: SimulatedUpstream, random: () => number) {
    this.#upstream = upstream;
    this.#random = random;
  }

  /** `free`: domains of the account that no operation is open for. */
  wave(count: number, free: readonly string[]): PlannedOrder[] {
    const names = { live: [] as string[], redemption: [] as string[] };
    for (const name of free) {
      const status = this.#upstream.portfolio.find(name)?.status;
      if (status === 'active') names.live.push(name);
      if (status === 'redemption') names.redemption.push(name);
    }
    return Array.from({ length: count }, () => this.#order(names));
  }

  #order(names: { readonly live: string[]; readonly redemption: string[] }): PlannedOrder {
    const wanted = drawn(verbShares, this.#random);
    const known = wanted === 'restore' ? names.redemption : names.live;
    const isNew = wanted === 'register' || wanted === 'transfer' || known.length === 0;
    const verb = isNew && wanted !== 'transfer' ? 'register' : wanted;
    const name = isNew ? `faulted-${this.#next++}.org` : known.splice(Math.floor(this.#random() * known.length), 1)[0]!;
    return { verb, name, fault: this.#fault(verb, name) };
  }

  #fault(verb: PlannedVerb, domain: string): FaultRule {
    const { calls, outcomeFields, refusesRepeatedRenewal } = this.#upstream;
    const drawnKind = drawn(faultShares, this.#random);
    // An upstream without a guard charges a doubled request twice, and no client can prevent that.
    const kind = drawnKind === 'doubled' && verb === 'renew' && !refusesRepeatedRenewal ? 'lost_after' : drawnKind;
    const times = kind.startsWith('lost') && this.#random() < 0.3 ? 2 : 1;
    return { kind, call: calls[verb], domain, times, delayMs, fields: outcomeFields };
  }
}
