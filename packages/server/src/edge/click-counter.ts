import type { ClickRow } from '../core/forwarding/clicks.sql.ts';

/** Maximum number of unsaved counters. Beyond it, new combinations of rule and hour are not counted until a flush. */
const mostLines = 50_000;
const mostReferrers = 50;
const hourMs = 3_600_000;
const bot = /bot|crawl|spider|slurp|preview|monitor|scan|curl|wget|python|java\/|go-http|headless/i;
/** The host of the referrer. User names and IP addresses are not kept. */
const referringHost = /^https?:\/\/(?:[^/?#@]*@)?([a-z0-9_-]+(?:\.[a-z0-9_-]+){0,20})(?:[:/?#]|$)/i;
const address = /^[\d.]+$/;

export interface Click {
  readonly domainId: string;
  readonly rule: string;
  readonly status: number;
  readonly host: string;
  readonly userAgent: string | undefined;
  readonly referrer: string | undefined;
}

interface Line {
  readonly domainId: string;
  readonly hour: number;
  readonly rule: string;
  requests: number;
  bots: number;
  readonly codes: Map<string, number>;
  readonly referrers: Map<string, number>;
}

const grow = (counts: Map<string, number>, key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);

function countReferrer({ referrers }: Line, host: string, by: number): void {
  if (referrers.has(host) || referrers.size < mostReferrers) grow(referrers, host, by);
}

/** Counts requests by rule and hour. No data of the visitor is kept except the referring host. */
export class ClickCounter {
  #lines = new Map<string, Line>();

  count(click: Click, now: Date): void {
    const hour = Math.floor(now.getTime() / hourMs);
    const line = this.#line(click.domainId, hour, click.rule);
    if (!line) return;
    line.requests += 1;
    if (click.userAgent === undefined || bot.test(click.userAgent)) line.bots += 1;
    grow(line.codes, String(click.status), 1);
    const from = click.referrer === undefined ? undefined : referringHost.exec(click.referrer.slice(0, 300))?.[1];
    const host = from?.toLowerCase();
    if (host === undefined || host === click.host || host.length > 253 || address.test(host)) return;
    countReferrer(line, host, 1);
  }

  /** Returns all counters and resets them. */
  take(): ClickRow[] {
    const rows = [...this.#lines.values()].map((line) => ({
      domain_id: line.domainId,
      hour: new Date(line.hour * hourMs),
      rule: line.rule,
      requests: line.requests,
      bots: line.bots,
      codes: Object.fromEntries(line.codes),
      referrers: Object.fromEntries(line.referrers),
    }));
    this.#lines = new Map();
    return rows;
  }

  /** Adds counters back after a failed flush. */
  putBack(rows: readonly ClickRow[]): void {
    for (const row of rows) {
      const line = this.#line(row.domain_id, Math.floor(row.hour.getTime() / hourMs), row.rule);
      if (!line) continue;
      line.requests += row.requests;
      line.bots += row.bots;
      for (const [code, count] of Object.entries(row.codes)) grow(line.codes, code, count);
      for (const [host, count] of Object.entries(row.referrers)) countReferrer(line, host, count);
    }
  }

  #line(domainId: string, hour: number, rule: string): Line | undefined {
    const key = `${domainId} ${hour} ${rule}`;
    const known = this.#lines.get(key);
    if (known || this.#lines.size >= mostLines) return known;
    const made = { domainId, hour, rule, requests: 0, bots: 0, codes: new Map(), referrers: new Map() };
    this.#lines.set(key, made);
    return made;
  }
}
