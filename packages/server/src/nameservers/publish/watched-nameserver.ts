import { type RRset, serialIsNewer } from '@namehold/dns';
import type { Nameserver } from '../../core/nameservers/nameserver.ts';
import { Semaphore } from '../primary/semaphore.ts';
import type { DnsClient } from './dns-client.ts';
import { type ProbeResult, probeZone } from './probe-zone.ts';

/** A zone that a nameserver is expected to have. */
export interface Watch {
  readonly zoneId: string;
  readonly name: string;
  readonly serial: number;
  /** Wall time of the change. */
  readonly sinceMs: number;
  /** The SOA for a new NOTIFY, if available. */
  readonly soa?: RRset;
}

export interface Finding {
  readonly watch: Watch;
  readonly nameserver: Nameserver;
  readonly result: ProbeResult;
  readonly isPublished: boolean;
  /** Number of queries so far, including this one. */
  readonly queries: number;
}

interface Open {
  readonly watch: Watch;
  queries: number;
  timer: NodeJS.Timeout | undefined;
}

/** Delay before each query; the last one repeats. Fast nameservers are seen at once, slow ones get few queries. */
const QUERY_DELAYS_MS = [10, 30, 100, 300, 600, 1_000, 1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** From this query on, about a second after the change, a delay is stored and NOTIFY is sent again. */
export const QUERIES_BEFORE_NUDGE = 6;
const ANSWER_TIMEOUT_MS = 2_000;
const MAX_CONCURRENT_QUERIES = 100;
/** After this number of unanswered queries, the nameserver counts as unreachable. */
const UNREACHABLE_AFTER = 5;
const UNREACHABLE_PROBE_MS = 1_000;
/** Further zones stay in the database until there is room. */
const MAX_OPEN = 20_000;

/** Watches the zones that one nameserver does not have yet. An unreachable nameserver gets one query a second. */
export class WatchedNameserver {
  readonly nameserver: Nameserver;
  readonly #dnsClient: DnsClient;
  readonly #onFinding: (finding: Finding) => void;
  readonly #gate = new Semaphore(MAX_CONCURRENT_QUERIES, Number.POSITIVE_INFINITY);
  readonly #open = new Map<string, Open>();
  #unanswered = 0;
  #turnedAway = false;
  #probeTimer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(nameserver: Nameserver, dnsClient: DnsClient, onFinding: (finding: Finding) => void) {
    this.nameserver = nameserver;
    this.#dnsClient = dnsClient;
    this.#onFinding = onFinding;
  }

  get isUnreachable(): boolean {
    return this.#unanswered >= UNREACHABLE_AFTER;
  }

  get behindCount(): number {
    return this.#open.size;
  }

  get hasCapacity(): boolean {
    return this.#open.size < MAX_OPEN;
  }

  /** True once after zones were rejected for lack of room and there is room again. */
  takesMore(): boolean {
    if (!this.#turnedAway || this.#open.size > MAX_OPEN / 2) return false;
    this.#turnedAway = false;
    return true;
  }

  /** Start time of the oldest missing change. */
  oldestMs(): number | undefined {
    let oldest: number | undefined;
    for (const { watch } of this.#open.values()) oldest = Math.min(oldest ?? watch.sinceMs, watch.sinceMs);
    return oldest;
  }

  isWatching(zoneId: string, serial: number): boolean {
    return this.#open.get(zoneId)?.watch.serial === serial;
  }

  /** `oldDelayMs`: for an older change. The first query, after this delay, decides whether NOTIFY is sent again. */
  watch(watch: Watch, oldDelayMs?: number): void {
    this.discard(watch.zoneId);
    this.#turnedAway ||= !this.hasCapacity;
    if (!this.hasCapacity || this.#isStopped) return;
    const open: Open = { watch, queries: oldDelayMs === undefined ? 0 : QUERIES_BEFORE_NUDGE - 1, timer: undefined };
    this.#open.set(watch.zoneId, open);
    if (this.isUnreachable) this.#reportUnanswered(open);
    else open.timer = setTimeout(() => this.#scheduleQuery(open), oldDelayMs ?? QUERY_DELAYS_MS[0]).unref();
  }

  discard(zoneId: string): void {
    const open = this.#open.get(zoneId);
    clearTimeout(open?.timer);
    this.#open.delete(zoneId);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#probeTimer);
    for (const zoneId of [...this.#open.keys()]) this.discard(zoneId);
  }

  #schedule(open: Open): void {
    // While the nameserver is unreachable, all zones wait for its return.
    if (this.isUnreachable) return;
    const delayMs = QUERY_DELAYS_MS[Math.min(open.queries, QUERY_DELAYS_MS.length - 1)]!;
    open.timer = setTimeout(() => this.#scheduleQuery(open), delayMs).unref();
  }

  #scheduleQuery(open: Open): void {
    this.#gate
      .run(async () => {
        if (this.#open.get(open.watch.zoneId) !== open || this.isUnreachable) return;
        const { watch } = open;
        const result = await probeZone(this.#dnsClient, this.nameserver, watch.name, ANSWER_TIMEOUT_MS);
        this.#classify(open, result);
      })
      .catch(() => this.#schedule(open));
  }

  #classify(open: Open, result: ProbeResult): void {
    if (this.#open.get(open.watch.zoneId) !== open || this.#isStopped) return;
    this.#recordAnswer(result);
    open.queries++;
    const { watch, queries } = open;
    const isPublished = result.state === 'serial' && !serialIsNewer(watch.serial, result.serial);
    if (isPublished) this.discard(watch.zoneId);
    else this.#schedule(open);
    this.#onFinding({ watch, nameserver: this.nameserver, result, isPublished, queries });
  }

  #reportUnanswered({ watch, queries }: Open): void {
    this.#onFinding({ watch, nameserver: this.nameserver, result: { state: 'silent' }, isPublished: false, queries });
  }

  #recordAnswer(result: ProbeResult): void {
    const wasUnreachable = this.isUnreachable;
    this.#unanswered = result.state === 'silent' ? this.#unanswered + 1 : 0;
    if (this.isUnreachable && !wasUnreachable) {
      for (const open of this.#open.values()) this.#reportUnanswered(open);
      this.#probeLater();
    }
    if (wasUnreachable && !this.isUnreachable) {
      clearTimeout(this.#probeTimer);
      for (const open of this.#open.values()) {
        clearTimeout(open.timer);
        open.queries = Math.max(open.queries, QUERIES_BEFORE_NUDGE - 1);
        this.#scheduleQuery(open);
      }
    }
  }

  #probeLater(): void {
    this.#probeTimer = setTimeout(() => {
      const [first] = this.#open.values();
      if (!first || this.#isStopped) {
        this.#unanswered = 0;
        return;
      }
      probeZone(this.#dnsClient, this.nameserver, first.watch.name, ANSWER_TIMEOUT_MS)
        .then((result) => {
          if (result.state !== 'silent') this.#recordAnswer(result);
          if (this.isUnreachable && !this.#isStopped) this.#probeLater();
        })
        .catch(() => this.#probeLater());
    }, UNREACHABLE_PROBE_MS).unref();
  }
}
