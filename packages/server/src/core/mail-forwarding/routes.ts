import { catchAll, dutyAddresses, mailLimits, type SpamWay } from './forward.ts';

/** Mail goes on. */
interface RouteToTargets {
  readonly kind: 'targets';
  readonly addresses: readonly string[];
  readonly spam: SpamWay;
  /** No address of its own: guessed ones arrive here too. */
  readonly isCatchAll?: true;
}

/** `wait`: not yet, the sender shall try again. `why` is for people: a reply to the sender may say it. */
interface RouteToNone {
  readonly kind: 'refused' | 'wait';
  readonly why: string;
}

/** The routes of one name, ready to be asked; also the line of it on disk. */
export interface RoutedDomainRow {
  readonly domain_id: string;
  readonly name: string;
  /** Why the name takes no mail at all; null: it does. */
  readonly refused: string | null;
  /** By local part. */
  readonly routes: readonly (readonly [localPart: string, route: MailRoute])[];
}

/** What is done with mail for one address. */
export type MailRoute = RouteToTargets | RouteToNone;
export type FoundRoute = MailRoute | { readonly kind: 'unknown' };

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly refused: string | null;
  readonly routes: ReadonlyMap<string, MailRoute>;
}

const unknown: FoundRoute = { kind: 'unknown' };

/** Where mail goes, for every name, in memory. Nothing here waits for anything. */
export class MailRoutes {
  readonly #byId = new Map<string, Entry>();
  readonly #byName = new Map<string, Entry>();
  readonly #duty: MailRoute | undefined;

  /** `operator`: gets mail for postmaster and abuse of names that send it nowhere. */
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
    // A name that was dropped and is somebody else's by now has two rows for a while.
    const other = this.#byName.get(name);
    if (!other || refused === null) this.#byName.set(name, entry);
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    this.#byId.delete(id);
    if (entry && this.#byName.get(entry.name)?.id === id) this.#byName.delete(entry.name);
  }

  /** Whether mail for the name is ours to judge, also where it is refused. */
  isDomain(name: string): boolean {
    return this.idOf(name) !== undefined;
  }

  /** The domain's id, for what is counted. */
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

  /** Whether mail would pass more of our addresses than is followed: each name was set up by itself, and only now they hang together. */
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

  /** `info+tag` is `info`, unless it is an address of its own. */
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
