import { httpLimits } from '../limits.ts';

/** A sender without credentials. */
export interface AnonymousSender {
  readonly network: string;
  readonly site: string;
}

interface OpenBody {
  readonly sender: AnonymousSender;
  readonly message: { readonly complete: boolean };
  readonly onDisplaced: () => void;
}

/**
 * The places for bodies without credentials. They are counted and not weighed, because a very slow body occupies as much as a large one.
 * If no place is free, a new body displaces an incomplete one. Half-sent bodies can therefore not keep complete ones out.
 */
export class AnonymousBodies {
  /** Oldest first. */
  readonly #open = new Set<OpenBody>();

  /** Returns a function that releases the place. Undefined: no place is free, because all bodies have arrived and are in progress. */
  open(message: OpenBody['message'], sender: AnonymousSender, onDisplaced: () => void): (() => void) | undefined {
    const competing = this.#competingWith(sender);
    if (competing) {
      const displaced = toDisplace(competing);
      if (!displaced) return undefined;
      this.#open.delete(displaced);
      displaced.onDisplaced();
    }
    const opened = { sender, message, onDisplaced };
    this.#open.add(opened);
    return () => void this.#open.delete(opened);
  }

  /** The bodies one of which must end before this sender gets a place. */
  #competingWith({ network, site }: AnonymousSender): readonly OpenBody[] | undefined {
    const all = [...this.#open];
    const ofSite = all.filter(({ sender }) => sender.site === site);
    const ofNetwork = ofSite.filter(({ sender }) => sender.network === network);
    if (ofNetwork.length >= httpLimits.anonymousBodiesOfNetwork) return ofNetwork;
    if (ofSite.length >= httpLimits.anonymousBodiesOfSite) return ofSite;
    return all.length >= httpLimits.anonymousBodies ? all : undefined;
  }
}

/** The oldest incomplete body of the site, and there of the network, that holds most. */
function toDisplace(bodies: readonly OpenBody[]): OpenBody | undefined {
  const incomplete = bodies.filter(({ message }) => !message.complete);
  const ofSite = largestGroup(incomplete, ({ sender }) => sender.site);
  return largestGroup(ofSite, ({ sender }) => sender.network)[0];
}

function largestGroup(bodies: readonly OpenBody[], by: (body: OpenBody) => string): readonly OpenBody[] {
  let largest: readonly OpenBody[] = [];
  for (const group of Map.groupBy(bodies, by).values()) if (group.length > largest.length) largest = group;
  return largest;
}
