import { setTimeout as sleep } from 'node:timers/promises';
import { clearAlarm, raiseAlarm } from '../core/alarms/alarm.ts';
import type { House } from '../core/house.ts';

export const loginAlarmLimits = { retryMs: 5_000 };

/** Our login at one registry: raised when logins stop, cleared when one works. What cannot be stored now is stored later. */
export class LoginAlarm {
  readonly #house: House;
  readonly #registryId: string;
  readonly #key: string;
  /** The code that stopped the logins; null: they work. */
  #wanted: number | null = null;
  #stored: number | null | undefined;
  #isWriting = false;
  #isClosed = false;

  constructor(house: House, registryId: string) {
    this.#house = house;
    this.#registryId = registryId;
    this.#key = `registry:${registryId}:login`;
  }

  stopped(code: number): void {
    this.#wanted = code;
    void this.#write();
  }

  worked(): void {
    this.#wanted = null;
    void this.#write();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (!this.#isClosed && this.#stored !== this.#wanted) {
      const code = this.#wanted;
      try {
        await (code === null ? clearAlarm(this.#house, this.#key) : this.#raise(code));
        this.#stored = code;
      } catch (error) {
        this.#house.log.error({ err: error, alarm: this.#key }, 'an alarm could not be stored; it is tried again');
        await sleep(loginAlarmLimits.retryMs, undefined, { ref: false });
      }
    }
    this.#isWriting = false;
  }

  #raise(code: number): Promise<void> {
    return raiseAlarm(this.#house, {
      key: this.#key,
      severity: 'critical',
      sentence: `registry ${this.#registryId} refuses our login (${code}); no further login is tried until the credentials are renewed`,
    });
  }
}
