import type { ForwardedRow } from '../core/forwarding/feed.sql.ts';
import { RuleTable } from '../core/forwarding/location.ts';
import { hostBelow } from '../core/forwarding/rule.ts';
import { whyBlocked } from '../core/forwarding/served.ts';

/** A row as received; the key stays encrypted until its first use. */
export interface CachedCertificate {
  readonly id: string;
  /** PEM. Issuer certificates are shared by many domains and stored once. */
  readonly own: string;
  readonly above: string;
  readonly encryptedKey: string;
}

interface Entry {
  readonly id: string;
  readonly name: string;
  /** Undefined: the domain is out of service. */
  readonly table: RuleTable | undefined;
  readonly certificate: CachedCertificate | undefined;
  readonly liveSince: Date | undefined;
  /** The row without fields that the certificate contains. */
  readonly row: Omit<ForwardedRow, 'chain' | 'key_sealed'>;
}

interface FoundDomain {
  readonly domainId: string;
  /** `@`, or the labels before the domain name. */
  readonly host: string;
  readonly table: RuleTable | undefined;
  /** Time since which the domain has had a valid certificate without a gap. */
  readonly liveSince: Date | undefined;
}

const endLength = '-----END CERTIFICATE-----'.length;

/** Rules and certificate of every domain, in memory. */
export class RuleCache {
  readonly #byId = new Map<string, Entry>();
  readonly #byName = new Map<string, Entry>();
  readonly #above = new Map<string, string>();

  get size(): number {
    return this.#byName.size;
  }

  ids(): Iterable<string> {
    return this.#byId.keys();
  }

  *rows(): Generator<ForwardedRow> {
    for (const { row, certificate: has } of this.#byId.values())
      yield { ...row, chain: has ? `${has.own}${has.above}` : null, key_sealed: has?.encryptedKey ?? null };
  }

  put(row: ForwardedRow): void {
    if (row.rules.length === 0 && !row.mail_policy) {
      this.remove(row.domain_id);
      return;
    }
    const table = whyBlocked(row) === undefined ? readable(row) : undefined;
    const { chain: _, key_sealed: __, ...kept } = row;
    const entry = {
      id: row.domain_id,
      name: row.name,
      table,
      certificate: this.#certificate(row),
      liveSince: row.live_since ?? undefined,
      row: kept,
    };
    this.#byId.set(entry.id, entry);
    // A domain name that was deleted and registered again by another account has two rows for a while.
    const other = this.#byName.get(entry.name);
    if (!other || other.id === entry.id || entry.table !== undefined) this.#byName.set(entry.name, entry);
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    this.#byId.delete(id);
    if (entry && this.#byName.get(entry.name)?.id === id) this.#byName.delete(entry.name);
  }

  /** The longest domain name that equals the host or is above it. */
  find(host: string): FoundDomain | undefined {
    const entry = this.#entryOf(host);
    if (!entry) return undefined;
    const { id: domainId, table, liveSince } = entry;
    return { domainId, host: hostBelow(host, entry.name)!, table, liveSince };
  }

  /** The MTA-STS policy of this host. */
  policyOf(host: string): string | undefined {
    const entry = this.#entryOf(host);
    return entry && host === `mta-sts.${entry.name}` ? (entry.row.mail_policy ?? undefined) : undefined;
  }

  certificateOf(host: string): CachedCertificate | undefined {
    return this.#entryOf(host)?.certificate;
  }

  #certificate({ certificate_id: id, chain, key_sealed: encryptedKey }: ForwardedRow): CachedCertificate | undefined {
    if (id === null || chain === null || encryptedKey === null) return undefined;
    const mark = chain.indexOf('-----END CERTIFICATE-----') + endLength;
    const above = chain.slice(mark);
    if (!this.#above.has(above)) this.#above.set(above, above);
    // Copied, because a slice would keep the whole chain in memory.
    const own = Buffer.from(chain.slice(0, mark)).toString();
    return { id, own, above: this.#above.get(above)!, encryptedKey };
  }

  #entryOf(host: string): Entry | undefined {
    for (let at = 0; at >= 0; at = host.indexOf('.', at) + 1 || -1) {
      const entry = this.#byName.get(host.slice(at));
      if (entry) return entry;
    }
    return undefined;
  }
}

/** Invalid rules put only their own domain out of service. */
function readable({ rules }: ForwardedRow): RuleTable | undefined {
  try {
    return new RuleTable(rules);
  } catch {
    return undefined;
  }
}
