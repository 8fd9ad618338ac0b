import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../../core/alarms/alarm.ts';
import type { AppContext } from '../../core/app-context.ts';
import { trimCatalog } from '../../core/nameservers/catalog.sql.ts';
import { type Nameserver, readsCatalog, takesTransfers } from '../../core/nameservers/nameserver.ts';
import { behindRows, purgePublications } from '../../core/nameservers/publication.sql.ts';
import { type ZoneHead, zoneHead } from '../../core/zones/publish/zone-head.sql.ts';
import type { NameserverMetrics } from '../metrics.ts';
import { CatalogKeeper } from './catalog-keeper.ts';
import type { DnsClient } from './dns-client.ts';
import { Notifier } from './notifier.ts';
import { ObservationWriter } from './observation-writer.ts';
import { sweep } from './sweep.ts';
import { type Finding, QUERIES_BEFORE_NUDGE, type Watch, WatchedNameserver } from './watched-nameserver.ts';

interface PublisherOptions {
  readonly ctx: AppContext;
  readonly dnsClient: DnsClient;
  readonly metrics: NameserverMetrics;
  /** False while zones are loading; checks of older delays start after that. */
  readonly isLoaded: () => boolean;
}

/**
 * Interval of scans for zones that are behind and not watched. Scans also run at the start and for a new nameserver; the interval covers
 * lost notifications.
 */
const RESCAN_MS = 300_000;
const RESCAN_PAGE = 5_000;
const LOADING_MS = 100;
/** Older delays are checked one by one, so that current changes never wait behind them. */
const OLD_QUERY_SPACING_MS = 1;
const ALARM_CHECK_MS = 5_000;
/** One NOTIFY of the catalog serves all zones that a nameserver does not serve yet. */
const CATALOG_NUDGE_MS = 2_000;
const SWEEP_MS = 86_400_000;
const FIRST_SWEEP_MS = 600_000;
const CATALOG_JOURNAL_MS = 30 * 86_400_000;

/** The publishing process: numbers the catalog, sends NOTIFY, and watches until every nameserver has every zone. */
export class Publisher {
  readonly #ctx: AppContext;
  readonly #options: PublisherOptions;
  readonly #notifier: Notifier;
  readonly #catalog: CatalogKeeper;
  readonly #observations: ObservationWriter;
  readonly #watched = new Map<string, WatchedNameserver>();
  readonly #catalogNudges = new Map<string, number>();
  readonly #alarmed = new Map<string, boolean>();
  readonly #timers: NodeJS.Timeout[] = [];
  #isStopped = false;
  #rescanning: Promise<void> = Promise.resolve();

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#ctx = options.ctx;
    this.#notifier = new Notifier({
      dnsClient: options.dnsClient,
      wall: options.ctx.wall,
      count: (outcome) => options.metrics.notified(outcome),
    });
    this.#catalog = new CatalogKeeper(options.ctx, this.#notifier, () => this.#nameservers());
    this.#observations = new ObservationWriter(options.ctx);
    this.#every(RESCAN_MS, () => this.rescan());
    this.#every(ALARM_CHECK_MS, () => this.#checkAlarms());
    this.#timers.push(setTimeout(() => this.#daily().catch(this.#failed), FIRST_SWEEP_MS).unref());
    this.#every(SWEEP_MS, () => this.#daily());
  }

  #every(ms: number, work: () => Promise<void>): void {
    const timer = setInterval(() => {
      work().catch((error: unknown) => this.#failed(error));
    }, ms);
    this.#timers.push(timer.unref());
  }

  #failed = (error: unknown): void => {
    if (!this.#isStopped) this.#ctx.log.warn({ err: error }, 'publisher round failed');
  };

  #nameservers(): Nameserver[] {
    return [...this.#watched.values()].map(({ nameserver }) => nameserver);
  }

  /** Called at the start and after changes by the operator. */
  async setNameservers(nameservers: readonly Nameserver[]): Promise<void> {
    const added: Nameserver[] = [];
    for (const nameserver of nameservers) {
      const known = this.#watched.get(nameserver.id);
      if (known && JSON.stringify(known.nameserver) === JSON.stringify(nameserver)) continue;
      known?.stop();
      const watched = new WatchedNameserver(nameserver, this.#options.dnsClient, (finding) => this.#found(finding));
      this.#watched.set(nameserver.id, watched);
      added.push(nameserver);
    }
    const ids = new Set(nameservers.map(({ id }) => id));
    for (const [id, watched] of this.#watched) {
      if (ids.has(id)) continue;
      watched.stop();
      this.#watched.delete(id);
      this.#options.metrics.discard(id);
      if (this.#alarmed.delete(id)) await clearAlarm(this.#ctx, alarmKey(id));
    }
    await this.#catalog.begin();
    await this.#catalog.notify(added);
    await this.rescan();
  }

  /** Zones whose content or state has just changed. */
  changed(heads: readonly ZoneHead[]): void {
    const gone = heads.filter((head) => head.state !== 'active').map((head) => head.id);
    for (const head of heads) {
      for (const watched of this.#watched.values()) {
        if (head.state === 'active') this.#publish(watched, head);
        else watched.discard(head.id);
      }
    }
    this.#catalog.update().catch(this.#failed);
    if (gone.length > 0) this.#ctx.db.transaction(allTenants, (tx) => purgePublications(tx, gone)).catch(this.#failed);
  }

  #publish(watched: WatchedNameserver, head: ZoneHead): void {
    const { nameserver } = watched;
    // An unreachable nameserver is notified of everything after it returns.
    if (takesTransfers(nameserver) && !watched.isUnreachable) this.#notifier.notify(nameserver, head.soa);
    watched.watch({
      zoneId: head.id,
      name: head.name,
      serial: head.serial,
      sinceMs: since(nameserver, head.changedAt),
      soa: head.soa,
    });
  }

  #found({ watch, nameserver, result, isPublished, queries }: Finding): void {
    const at = this.#ctx.wall.now();
    const lagMs = Math.max(0, at.getTime() - watch.sinceMs);
    const base = { zoneId: watch.zoneId, nameserverId: nameserver.id, at };
    if (isPublished) {
      this.#options.metrics.published(nameserver.id, lagMs / 1_000);
      this.#observations.add({ ...base, serial: result.state === 'serial' ? result.serial : null, error: null, lagMs });
      return;
    }
    if (result.state !== 'silent' && queries < QUERIES_BEFORE_NUDGE) return;
    const serial = result.state === 'serial' ? result.serial : null;
    const error = result.state === 'serial' ? null : result.state === 'silent' ? 'no answer' : result.reason;
    this.#observations.add({ ...base, serial, error });
    if (result.state !== 'silent') this.#nudge(nameserver, watch, result.state === 'refused').catch(this.#failed);
  }

  /** It answers but is behind: send NOTIFY again, and for the catalog too if the zone is unknown there. */
  async #nudge(nameserver: Nameserver, watch: Watch, isUnknownThere: boolean): Promise<void> {
    if (!takesTransfers(nameserver)) return;
    if (isUnknownThere && readsCatalog(nameserver)) await this.#nudgeCatalog(nameserver);
    const soa = watch.soa ?? (await zoneHead(this.#ctx.db.as(allTenants), watch.zoneId))?.soa;
    if (soa) this.#notifier.notify(nameserver, soa);
  }

  async #nudgeCatalog(nameserver: Nameserver): Promise<void> {
    const now = performance.now();
    if (now - (this.#catalogNudges.get(nameserver.id) ?? Number.NEGATIVE_INFINITY) < CATALOG_NUDGE_MS) return;
    this.#catalogNudges.set(nameserver.id, now);
    await this.#catalog.notify([nameserver]);
  }

  /** Watches every zone that is behind at a nameserver, up to the limit. */
  rescan(): Promise<void> {
    this.#rescanning = this.#rescanning.then(() => this.#rescan()).catch(this.#failed);
    return this.#rescanning;
  }

  async #rescan(): Promise<void> {
    let afterZoneId = '0';
    if (!this.#options.isLoaded()) {
      this.#timers.push(setTimeout(() => this.rescan(), LOADING_MS).unref());
      return;
    }
    for (;;) {
      if (this.#isStopped || ![...this.#watched.values()].some((watched) => watched.hasCapacity)) return;
      const rows = await behindRows(this.#ctx.db.as(allTenants), afterZoneId, RESCAN_PAGE);
      for (const row of rows) {
        const watched = this.#watched.get(row.nameserver_id);
        const serial = Number(row.serial);
        if (!watched || watched.isWatching(row.zone_id, serial)) continue;
        const sinceMs = since(watched.nameserver, row.changed_at);
        const zone = { zoneId: row.zone_id, name: row.name, serial, sinceMs };
        watched.watch(zone, watched.behindCount * OLD_QUERY_SPACING_MS);
      }
      const last = rows.at(-1);
      if (!last || rows.length < RESCAN_PAGE) return;
      // A page may end within a zone, so its rows are read again with the next page.
      const whole = BigInt(last.zone_id) - 1n;
      afterZoneId = whole > BigInt(afterZoneId) ? String(whole) : last.zone_id;
    }
  }

  async #checkAlarms(): Promise<void> {
    const limitMs = this.#ctx.config.publishAlarmSeconds * 1_000;
    for (const [id, watched] of this.#watched) {
      const oldestMs = watched.oldestMs();
      this.#options.metrics.behind(id, watched.behindCount);
      const lateMs = oldestMs === undefined ? 0 : this.#ctx.wall.now().getTime() - oldestMs;
      const isLate = lateMs > limitMs;
      if (isLate) await raiseAlarm(this.#ctx, lateAlarm(watched, lateMs));
      else if (this.#alarmed.get(id) !== false) await clearAlarm(this.#ctx, alarmKey(id));
      this.#alarmed.set(id, isLate);
    }
    if ([...this.#watched.values()].some((watched) => watched.takesMore())) await this.rescan();
  }

  async #daily(): Promise<void> {
    const before = new Date(this.#ctx.clock.now().getTime() - CATALOG_JOURNAL_MS);
    await this.#ctx.db.transaction(allTenants, (tx) => trimCatalog(tx, before));
    await sweep(this.#ctx, this.#options.dnsClient, this.#nameservers());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#notifier.stop();
    for (const watched of this.#watched.values()) watched.stop();
    await this.#rescanning;
    await this.#observations.stop();
  }
}

/** A nameserver is only behind for changes after it was added. */
const since = (nameserver: Nameserver, changedAt: Date) =>
  Math.max(changedAt.getTime(), nameserver.createdAt.getTime());

const alarmKey = (nameserverId: string) => `nameserver-behind:${nameserverId}`;

function lateAlarm(watched: WatchedNameserver, lateMs: number) {
  const { nameserver, behindCount } = watched;
  return {
    key: alarmKey(nameserver.id),
    severity: 'critical' as const,
    sentence: `nameserver ${nameserver.id} lacks changes of ${behindCount} zones, the oldest for ${Math.round(lateMs / 1_000)} seconds`,
    facts: { nameserver: nameserver.id, zones: behindCount, is_away: watched.isUnreachable },
  };
}
