import { catchAll, dutyAddresses, mailLimits, type SpamWay } from './forward.ts';

/** The mail is forwarded. */
interface RouteToTargets {
  readonly kind: 'targets';
  readonly addresses: readonly string[];
  readonly spam: SpamWay;
  /** The address has no row of its own, so guessed addresses arrive here too. */
  readonly isCatchAll?: true;
}

/** `wait`: a temporary refusal. `why` is a text for users and may be in the reply to the sender. */
interface RouteToNone {
  readonly kind: 'refused' | 'wait';
  readonly why: string;
}

/** The routes of one domain; also one line of the copy on disk. */
export interface RoutedDomainRow {
  readonly domain_id: string;
  readonly name: string;
  /** Why the domain accepts no mail. Null: it does. */
  readonly refused: string | null;
  /** By local part. */
  readonly routes: readonly (readonly [localPart: string, route: MailRoute])[];
}

/** The decision for mail to one address. */
export type MailRoute = RouteToTargets | RouteToNone;
type FoundRoute = MailRoute | { readonly kind: 'unknown' };

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly refused: string | null;
  readonly routes: ReadonlyMap<string, MailRoute>;
}

const unknown: FoundRoute = { kind: 'unknown' };

/** Routes of all domains, in memory. Lookups never wait. */
export class MailRoutes {
  readonly #byId = new Map<string, Entry>();
  readonly #byName = new Map<string, Entry>();
  readonly #duty: MailRoute | undefined;

  /** `operator`: gets mail for postmaster and abuse of domains without these addresses. */
  constructor(operator?: string) {
    this.#duty = operator === undefined ? undefined : { kind: 'targets', addresses: [operator], spam: 'refuse' };
  }

  get size(): number {
    return this.#byName.size;
  }

  ids(): Iterable<string> {
    return this.#byId.keys();
  }

  *rows(): Generator<RoutedDomainRow> {
    for (const { id: domain_id, name, refused, routes } of this.#byId.values())
      yield { domain_id, name, refused, routes: [...routes] };
  }

  put({ domain_id: id, name, refused, routes }: RoutedDomainRow): void {
    this.remove(id);
    if (routes.length === 0) return;
    const entry = { id, name, refused, routes: new Map(routes) };
    this.#byId.set(id, entry);
    // A domain name that was deleted and registered again by another account has two rows for a while.
    const other = this.#byName.get(name);
    if (!other || refused === null) this.#byName.set(name, entry);
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    this.#byId.delete(id);
    if (entry && this.#byName.get(entry.name)?.id === id) this.#byName.delete(entry.name);
  }

  /** Whether this service decides about mail for the domain, including refused mail. */
  isDomain(name: string): boolean {
    return this.idOf(name) !== undefined;
  }

  /** The domain id for counters. */
  idOf(name: string): string | undefined {
    return this.#byName.get(name.toLowerCase())?.id;
  }

  routeOf(localPart: string, domain: string): FoundRoute {
    const entry = this.#byName.get(domain.toLowerCase());
    if (!entry) return unknown;
    if (entry.refused !== null) return { kind: 'refused', why: entry.refused };
    const local = localPart.toLowerCase();
    const route = this.#ownRoute(entry, local) ?? entry.routes.get(catchAll);
    if (this.#duty && route?.kind !== 'targets' && dutyAddresses.has(untagged(local))) return this.#duty;
    return route ?? unknown;
  }

  /** Whether a chain of addresses is longer than the limit. Addresses set at different times can form such a chain. */
  leadsTooFar(localPart: string, domain: string): boolean {
    let wave: readonly string[] = [`${localPart}@${domain}`];
    for (let step = 0; step <= mailLimits.steps; step++) {
      const next = wave.flatMap((address) => {
        const at = address.lastIndexOf('@');
        const found = this.routeOf(address.slice(0, at), address.slice(at + 1));
        return found.kind === 'targets' ? found.addresses : [];
      });
      if (next.length === 0) return false;
      if (next.length > mailLimits.addressesFollowed) return true;
      wave = next;
    }
    return true;
  }

  /** `info+tag` is delivered as `info`, unless it has a row of its own. */
  #ownRoute({ routes }: Entry, local: string): MailRoute | undefined {
    if (local === catchAll) return undefined;
    const plain = untagged(local);
    return routes.get(local) ?? (plain === catchAll ? undefined : routes.get(plain));
  }
}

/** `info+tag` is an address of `info`. */
export function untagged(local: string): string {
  const plus = local.indexOf('+');
  return plus < 0 ? local : local.slice(0, plus);
}
