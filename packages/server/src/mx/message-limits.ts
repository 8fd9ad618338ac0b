import type { TakenRow } from '../core/mail-forwarding/counts.sql.ts';

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const minuteMs = 60_000;
const mostAddresses = 100_000;

export interface MessageLimitSettings {
  /** Limits of one domain. */
  readonly perHour: number;
  readonly perDay: number;
}

interface Share {
  hour: number;
  inHour: number;
  day: number;
  inDay: number;
}

/**
 * Limits messages of a domain over all mail hosts; counts of other hosts arrive some seconds late. There is at most one entry for each
 * domain.
 */
export class MessageLimits {
  readonly #settings: MessageLimitSettings;
  readonly #shares = new Map<string, Share>();

  constructor(settings: MessageLimitSettings) {
    this.#settings = settings;
  }

  isBelowLimit(domainId: string, now: Date): boolean {
    const { inHour, inDay } = this.#share(domainId, now);
    return inHour < this.#settings.perHour && inDay < this.#settings.perDay;
  }

  take(domainId: string, now: Date): void {
    const share = this.#share(domainId, now);
    share.inHour += 1;
    share.inDay += 1;
    this.#shares.set(domainId, share);
  }

  /** The message was not accepted: subtracts it from the hour and day in which it was counted. */
  giveBack(domainId: string, takenAt: Date, now: Date): void {
    const share = this.#share(domainId, now);
    if (Math.floor(takenAt.getTime() / hourMs) === share.hour) share.inHour = Math.max(0, share.inHour - 1);
    if (Math.floor(takenAt.getTime() / dayMs) === share.day) share.inDay = Math.max(0, share.inDay - 1);
  }

  /** Applies the stored total of all hosts up to `now`, if it is higher. Recent messages of this host follow with the next total. */
  restore({ domain_id: domainId, in_hour, in_day }: TakenRow, now: Date): void {
    const share = this.#share(domainId, now);
    share.inHour = Math.max(share.inHour, Number(in_hour));
    share.inDay = Math.max(share.inDay, Number(in_day));
    this.#shares.set(domainId, share);
  }

  #share(domainId: string, now: Date): Share {
    const [hour, day] = [Math.floor(now.getTime() / hourMs), Math.floor(now.getTime() / dayMs)];
    const known = this.#shares.get(domainId);
    if (!known) return { hour, inHour: 0, day, inDay: 0 };
    if (known.hour !== hour) Object.assign(known, { hour, inHour: 0 });
    if (known.day !== day) Object.assign(known, { day, inDay: 0 });
    return known;
  }
}

/** Limits returned messages to one address within a minute. */
export class ReturnLimits {
  readonly #perMinute: number;
  #minute = 0;
  #counts = new Map<string, number>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** False: the limit of this minute is reached. */
  take(address: string, now: Date): boolean {
    const minute = Math.floor(now.getTime() / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(address) ?? 0) + 1;
    if (this.#counts.has(address) || this.#counts.size < mostAddresses) this.#counts.set(address, count);
    return count <= this.#perMinute;
  }
}
