import { type ServedZone, ZoneTable } from '@namehold/dns';

/** Zones in memory, by database id and by name. A domain name can pass from one id to another. */
export class ZoneStore {
  readonly table = new ZoneTable();
  readonly #byId = new Map<string, ServedZone>();

  get size(): number {
    return this.#byId.size;
  }

  find(id: string): ServedZone | undefined {
    return this.#byId.get(id);
  }

  adopt(id: string, served: ServedZone): void {
    const former = this.#byId.get(id);
    this.#byId.set(id, served);
    this.table.put(served);
    if (former && former.key !== served.key) this.#release(former);
  }

  remove(id: string): void {
    const served = this.#byId.get(id);
    if (!served) return;
    this.#byId.delete(id);
    this.#release(served);
  }

  /** Removes the name only if it has not passed to another id. */
  #release(served: ServedZone): void {
    if (this.table.get(served.origin) === served) this.table.remove(served.origin);
  }
}
