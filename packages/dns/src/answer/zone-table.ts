import type { Name } from '../name.ts';
import { type NameKey, nameKey, parentKey, ROOT_KEY } from './name-key.ts';
import { type ServedZone, zonesChanged } from './served-zone.ts';

/** The zones that one responder serves. */
export class ZoneTable {
  readonly #zones = new Map<NameKey, ServedZone>();

  get size(): number {
    return this.#zones.size;
  }

  put(zone: ServedZone): void {
    zonesChanged();
    this.#zones.set(zone.key, zone);
  }

  remove(origin: Name): boolean {
    zonesChanged();
    return this.#zones.delete(nameKey(origin));
  }

  get(origin: Name): ServedZone | undefined {
    return this.#zones.get(nameKey(origin));
  }

  zones(): IterableIterator<ServedZone> {
    return this.#zones.values();
  }

  /** The zone closest above the name, itself included. */
  find(key: NameKey): ServedZone | undefined {
    let at = key;
    for (;;) {
      const zone = this.#zones.get(at);
      if (zone || at === ROOT_KEY) return zone;
      at = parentKey(at);
    }
  }
}
