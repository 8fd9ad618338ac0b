import type { FaultKind } from '../simulators/faults.ts';
import type { OrderVerb } from '../simulators/upstreams.ts';
import type { AccountFault, HeldDomain, UpstreamAccount } from './account.ts';

type PlannedVerb = Exclude<OrderVerb, 'contact'>;

export interface PlannedOrder {
  readonly verb: PlannedVerb;
  readonly name: string;
  readonly fault: AccountFault;
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
  readonly #upstream: UpstreamAccount;
  #next = 0;

  constructor(upstream: UpstreamAccount, random: () => number) {
    this.#upstream = upstream;
    this.#random = random;
  }

  /** `free`: domains of the account that no operation is open for. */
  wave(count: number, free: readonly HeldDomain[]): PlannedOrder[] {
    const namesOf = (wanted: HeldDomain['status']) =>
      free.filter(({ status }) => status === wanted).map(({ name }) => name);
    const names = { live: namesOf('active'), redemption: namesOf('redemption') };
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

  #fault(verb: PlannedVerb, domain: string): AccountFault {
    const { refusesRepeatedRenewal } = this.#upstream;
    const drawnKind = drawn(faultShares, this.#random);
    // An upstream without a guard charges a doubled request twice, and no client can prevent that.
    const kind = drawnKind === 'doubled' && verb === 'renew' && !refusesRepeatedRenewal ? 'lost_after' : drawnKind;
    const times = kind.startsWith('lost') && this.#random() < 0.3 ? 2 : 1;
    return { kind, verb, domain, times };
  }
}
