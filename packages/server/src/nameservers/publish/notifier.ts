import type { Clock } from '@namehold/base';
import { answersNotify, notifyRequest, type RRset, readMessage, rrsOf, signMessage, writeMessage } from '@namehold/dns';
import type { Nameserver } from '../../core/nameservers/nameserver.ts';
import type { DnsClient } from './dns-client.ts';

/** One NOTIFY for each burst of changes: the first is sent at once, one more at the end of this time. */
const BURST_MS = 75;
const ANSWER_TIMEOUT_MS = 500;
const MAX_TIMEOUT_MS = 30_000;
/** After these attempts the watcher takes over, which checks the zone and requests another NOTIFY. */
const ZONE_TRIES = 4;

interface NotifierOptions {
  readonly dnsClient: DnsClient;
  readonly wall: Clock;
  count?(outcome: 'answered' | 'unanswered'): void;
}

interface Pending {
  readonly nameserver: Nameserver;
  soa: RRset;
  /** A newer SOA arrived during the last NOTIFY. */
  isStale: boolean;
  readonly untilAnswered: boolean;
}

/** Sends signed NOTIFY messages (RFC 1996) for new serials until they are acknowledged. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #pauses = new Set<() => void>();
  #isStopped = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** `untilAnswered`: for the catalog, which cannot be watched by public queries. */
  notify(nameserver: Nameserver, soa: RRset, untilAnswered = false): void {
    const key = `${nameserver.id} ${soa.name}`;
    const known = this.#pending.get(key);
    if (known) {
      known.soa = soa;
      known.isStale = true;
      return;
    }
    const pending: Pending = { nameserver, soa, isStale: false, untilAnswered };
    this.#pending.set(key, pending);
    this.#notify(pending)
      .catch(() => undefined)
      .finally(() => this.#pending.delete(key));
  }

  stop(): void {
    this.#isStopped = true;
    for (const end of this.#pauses) end();
  }

  async #notify(pending: Pending): Promise<void> {
    for (let tries = 1; !this.#isStopped; tries++) {
      pending.isStale = false;
      const sentAt = performance.now();
      const timeoutMs = Math.min(ANSWER_TIMEOUT_MS * 2 ** (tries - 1), MAX_TIMEOUT_MS);
      const isAnswered = await this.#send(pending, timeoutMs);
      this.#options.count?.(isAnswered ? 'answered' : 'unanswered');
      await this.#pause(BURST_MS - (performance.now() - sentAt));
      if (pending.isStale) tries = 0;
      else if (isAnswered || (!pending.untilAnswered && tries >= ZONE_TRIES)) return;
    }
  }

  /** Any response is an acknowledgement. REFUSED means that the zone is still unknown there; the catalog will add it. */
  async #send({ nameserver, soa }: Pending, timeoutMs: number): Promise<boolean> {
    const [soaRR] = rrsOf(soa);
    const request = (id: number) => notifyRequest(id, soa.name, soaRR);
    const answer = await this.#options.dnsClient.exchange(
      nameserver,
      (id) => this.#signed(nameserver, request(id)),
      timeoutMs,
    );
    if (!answer) return false;
    try {
      return answersNotify(request(answer.readUInt16BE(0)), readMessage(answer));
    } catch {
      return false;
    }
  }

  #signed(nameserver: Nameserver, message: ReturnType<typeof notifyRequest>): Uint8Array {
    const octets = writeMessage(message);
    if (!nameserver.key) return octets;
    const timeSeconds = Math.floor(this.#options.wall.now().getTime() / 1_000);
    return signMessage(octets, nameserver.key, { timeSeconds }).octets;
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#isStopped) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms).unref();
      this.#pauses.add(end);
    });
  }
}
