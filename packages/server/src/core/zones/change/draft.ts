import type { Name } from '@namehold/dns';
import type { Tx } from '@namehold/postgres';
import {
  type ManagingService,
  namesAbove,
  type RRsetMap,
  type SoaFields,
  type StoredRRset,
  type Zone,
} from '../../model/zone.ts';
import type { ZoneWarning } from '../../model/zone-task.ts';
import { allRRsets, rrsetsAt } from '../rrsets/rrset.sql.ts';
import { type Rewrite, rrsetMap, rrsetsOf } from './diff.ts';

interface Edit {
  readonly name: Name;
  readonly type: string;
  readonly after: StoredRRset | undefined;
  readonly field: string;
  /** The service that makes it; undefined: the owner. */
  readonly by?: ManagingService | undefined;
}

const keyOf = (name: Name, type: string) => `${name} ${type}`;

/** A locked zone with pending edits. It reads only the requested names, unless the whole zone is requested. */
export class ZoneDraft {
  readonly tx: Tx;
  readonly zone: Zone;
  soa: SoaFields;
  readonly warnings: ZoneWarning[] = [];
  #before: RRsetMap = new Map();
  readonly #edits = new Map<string, Edit>();
  readonly #released = new Set<string>();
  #isWhole = false;

  constructor(tx: Tx, zone: Zone) {
    this.tx = tx;
    this.zone = zone;
    const { rname, refresh, retry, expire, minimum } = zone;
    this.soa = { rname, refresh, retry, expire, minimum };
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Loads these names, the names above them and the apex in one round trip, because the rules depend on all of them. */
  async load(names: Iterable<Name>): Promise<void> {
    if (this.#isWhole) return;
    const origin = this.zone.name;
    const wanted = new Set([origin, ...[...names].flatMap((name) => [name, ...namesAbove(name, origin)])]);
    const missing = [...wanted].filter((name) => !this.#before.has(name));
    if (missing.length === 0) return;
    for (const [name, sets] of rrsetMap(await rrsetsAt(this.tx, this.zone.id, missing), missing))
      this.#before.set(name, sets);
  }

  async loadAll(): Promise<void> {
    this.#before = rrsetMap(await allRRsets(this.tx, this.zone.id));
    this.#isWhole = true;
  }

  /** The RRset after the edits. The name must have been loaded. */
  rrset(name: Name, type: string): StoredRRset | undefined {
    const edit = this.#edits.get(keyOf(name, type));
    if (edit) return edit.after;
    const sets = this.#before.get(name);
    if (!sets && !this.#isWhole) throw new Error(`${name} was not loaded`);
    return sets?.get(type);
  }

  /** By the owner. */
  isEdited(name: Name, type: string): boolean {
    const edit = this.#edits.get(keyOf(name, type));
    return edit !== undefined && edit.by === undefined;
  }

  /** A service ends at a name with this change, so the owner may write there. */
  release(name: Name, service: ManagingService): void {
    this.#released.add(keyOf(name, service));
  }

  isReleased(name: Name, service: ManagingService): boolean {
    return this.#released.has(keyOf(name, service));
  }

  /** `field` is the field of the request that contains the edit; problems that are found later are reported there. */
  put(rrset: StoredRRset, field: string, by?: ManagingService): void {
    const after = rrset.records.length > 0 ? rrset : undefined;
    this.#edits.set(keyOf(rrset.name, rrset.type), { name: rrset.name, type: rrset.type, after, field, by });
  }

  remove(name: Name, type: string, field: string, by?: ManagingService): void {
    this.#edits.set(keyOf(name, type), { name, type, after: undefined, field, by });
  }

  /** Reverts the edit. */
  leave(name: Name, type: string): void {
    this.#edits.delete(keyOf(name, type));
  }

  edits(): Edit[] {
    return [...this.#edits.values()];
  }

  /** Removes everything that is not in `kept`. The whole zone must have been loaded. */
  removeAllBut(kept: (name: Name, type: string) => boolean, field: string): void {
    for (const set of rrsetsOf(this.#before)) if (!kept(set.name, set.type)) this.remove(set.name, set.type, field);
  }

  fieldOf(name: Name, type: string): string | undefined {
    const exact = this.#edits.get(keyOf(name, type));
    if (exact) return exact.field;
    for (const edit of this.#edits.values()) if (edit.name === name) return edit.field;
    return undefined;
  }

  rewrites(): Rewrite[] {
    return [...this.#edits.values()].map(({ name, type, after, by }) => ({
      before: this.#before.get(name)?.get(type),
      after,
      by,
    }));
  }

  before(): RRsetMap {
    return this.#before;
  }

  /** All loaded names with the edits applied. */
  after(): RRsetMap {
    const map: RRsetMap = new Map([...this.#before].map(([name, sets]) => [name, new Map(sets)]));
    for (const { name, type, after } of this.#edits.values()) {
      const sets = map.get(name) ?? new Map<string, StoredRRset>();
      map.set(name, sets);
      if (after) sets.set(type, after);
      else sets.delete(type);
    }
    return map;
  }
}
