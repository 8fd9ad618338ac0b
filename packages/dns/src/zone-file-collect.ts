import type { Name } from './name.ts';
import { decodeRdata, type RecordData } from './record.ts';

/** One record of a file before it is added to an RRset. */
export interface FileEntry {
  readonly line: number;
  readonly name: Name;
  readonly type: string;
  readonly ttl: number | undefined;
  readonly record: RecordData;
}

interface Collected {
  readonly line: number;
  readonly name: Name;
  readonly type: string;
  ttl: number | undefined;
  readonly records: RecordData[];
  readonly texts: Set<string>;
}

/** Collects the records of a file into RRsets; one RRset has one TTL (RFC 2181 5.2). */
export class RRsetCollector {
  readonly #sets = new Map<string, Collected>();

  /** Returns a warning if the record was dropped or its TTL changed. */
  add(entry: FileEntry): string | undefined {
    const key = `${entry.name} ${entry.type}`;
    const set = this.#sets.get(key);
    if (!set) {
      const { line, name, type, ttl, record } = entry;
      this.#sets.set(key, { line, name, type, ttl, records: [record], texts: new Set([record.text]) });
      return undefined;
    }
    if (set.texts.has(entry.record.text)) return 'duplicate record dropped';
    set.texts.add(entry.record.text);
    set.records.push(entry.record);
    if (set.ttl === entry.ttl || entry.ttl === undefined) return undefined;
    const lower = Math.min(set.ttl ?? entry.ttl, entry.ttl);
    set.ttl = lower;
    return `the records of one name and type have different TTLs: all get ${lower}`;
  }

  *rrsets(defaultTtl: number | undefined): Generator<{
    line: number;
    rrset: { name: Name; type: string; ttl: number | undefined; records: readonly RecordData[] };
  }> {
    // RFC 2308 4: before $TTL was introduced, the minimum of the SOA was the default.
    const soa = [...this.#sets.values()].find((set) => set.type === 'SOA');
    const fallback = defaultTtl ?? (soa ? decodeRdata('SOA', soa.records[0]!.wire).minimum : undefined);
    for (const { line, name, type, ttl, records } of this.#sets.values()) {
      yield { line, rrset: { name, type, ttl: ttl ?? fallback, records } };
    }
  }
}
