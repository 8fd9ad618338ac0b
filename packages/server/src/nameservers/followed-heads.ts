import { allTenants, type Database, type Tx } from '@namehold/postgres';
import { wholeZonesById } from '../core/zones/publish/zone-content.sql.ts';
import type { ZoneHead } from '../core/zones/publish/zone-head.sql.ts';
import { type FollowedZones, type HeldZone, isSame } from './zone-follower.ts';

const NO_CONTENT = -1;

/** Names and serials of zones for the publisher. Their content stays in the database. */
export class FollowedHeads implements FollowedZones {
  readonly #held = new Map<string, HeldZone>();
  #isComplete = false;

  ids(): Iterable<string> {
    return this.#held.keys();
  }

  remove(id: string): void {
    this.#held.delete(id);
  }

  /** The first read reports no changes; the publisher finds older delays itself. */
  async fill(_tx: Tx, heads: readonly ZoneHead[]): Promise<ZoneHead[]> {
    const changed = this.#changed(heads);
    return this.#isComplete ? changed : [];
  }

  complete(): void {
    this.#isComplete = true;
  }

  async read(db: Database, ids: readonly string[]): Promise<ZoneHead[]> {
    const heads = (await wholeZonesById(db.as(allTenants), ids, NO_CONTENT)).map(({ head }) => head);
    const found = new Set(heads.map(({ id }) => id));
    for (const id of ids) if (!found.has(id)) this.remove(id);
    return this.#changed(heads);
  }

  #changed(heads: readonly ZoneHead[]): ZoneHead[] {
    return heads.filter((head) => {
      if (head.state !== 'active') {
        this.remove(head.id);
        return true;
      }
      const isNew = !isSame(this.#held.get(head.id), head);
      this.#held.set(head.id, { name: head.name, serial: head.serial });
      return isNew;
    });
  }
}
