import { createHash } from 'node:crypto';
import { base32 } from '@namehold/base';

/** Business time of all examples, long ago, so that no wall clock can show it. */
export const examplesBegin = new Date('2025-03-01T09:00:00Z');
const slotMs = 900_000;
const hourMs = 3_600_000;

interface NormaliserFacts {
  /** Machine-dependent values and their replacements in the pages. */
  readonly replace: readonly (readonly [found: string, shown: string])[];
  readonly wallAtStart: Date;
}

/** Makes two runs equal: ids, keys, serials and times are replaced by stable ones of the same form. */
export class Normaliser {
  readonly #facts: NormaliserFacts;
  readonly #ids = new Map<string, string>();
  /** The number of replaced ids of an example, so that a new example does not change the others. */
  readonly #places = new Map<string, number>();
  readonly #serials = new Map<string, string>();
  readonly #events = new Map<string, string>();

  constructor(facts: NormaliserFacts) {
    this.#facts = facts;
  }

  apply(name: string, text: string): string {
    let out = text;
    for (const [found, shown] of this.#facts.replace) out = out.replaceAll(found, shown);
    out = out.replace(/\bnh_[\w-]{43}\b/g, `nh_${'x'.repeat(43)}`).replace(/\bnh_[\w-]{4}\.\.\./g, 'nh_xxxx...');
    out = out.replace(/\breq_[0-9a-f]{32}\b/g, (id) => this.#stable(name, id, 'req_0195', 'hex', 28));
    out = out.replace(/\b(op|quo|key|inv|doc|ntc|fwd|nh|NH)_[0-9a-z]{26}\b/g, (id, prefix: string) =>
      this.#stable(name, id, `${prefix}_06a5`, 'base32', 22),
    );
    out = out.replace(/\bnh[0-9a-z]{12}\b/g, (id) => this.#stable(name, id, 'nh', 'base32', 12));
    // Uses of keys are stored every few seconds, so a slow machine shows one that a fast one does not.
    out = out.replace(/("last_used_(?:at|address)": )"[^"]*"/g, '$1null');
    // Whether the command was sent by the time of an immediate answer depends on milliseconds.
    if (name === 'register-async') out = out.replace(/("operation_state": )"sent"/, '$1"intended"');
    // Publishing runs concurrently with the examples, so numbers of events may differ; their order does not.
    out = out.replace(/\bevt_\d{16}\b/g, (id) => this.#event(id));
    out = out.replace(/"default";r=\d+;t=\d+/g, '"default";r=1499;t=60');
    out = out.replace(/\b(\d{4}-\d{2}-\d{2})([ T])(\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z?)/g, (_all, day, gap, time, zone) => {
      const shown = this.#instant(new Date(`${day}T${time}Z`)).toISOString();
      return `${shown.slice(0, 10)}${gap}${shown.slice(11, 19)}${zone}`;
    });
    return out.replace(/\b\d{10}\b/g, (digits) => this.#serial(digits));
  }

  /** Business times are near nine o'clock of their day; wall-clock times are moved there. */
  #instant(at: Date): Date {
    const { wallAtStart } = this.#facts;
    const isWall = [0, 24 * hourMs].some((away) => Math.abs(at.getTime() - wallAtStart.getTime() - away) < hourMs);
    // Rounded to seconds, events at the start may appear to be before it.
    const moved = isWall ? at.getTime() - wallAtStart.getTime() + 1_000 + examplesBegin.getTime() : at.getTime();
    return new Date(Math.floor(moved / slotMs) * slotMs);
  }

  /** Zone serials follow the wall clock. */
  #serial(digits: string): string {
    if (Math.abs(Number(digits) * 1_000 - this.#facts.wallAtStart.getTime()) > 2 * hourMs) return digits;
    let shown = this.#serials.get(digits);
    if (shown === undefined) {
      shown = String(examplesBegin.getTime() / 1_000 + this.#serials.size);
      this.#serials.set(digits, shown);
    }
    return shown;
  }

  #event(id: string): string {
    let shown = this.#events.get(id);
    if (shown === undefined) {
      shown = `evt_${String(this.#events.size + 1).padStart(16, '0')}`;
      this.#events.set(id, shown);
    }
    return shown;
  }

  #stable(name: string, id: string, prefix: string, alphabet: 'hex' | 'base32', length: number): string {
    let shown = this.#ids.get(id);
    if (shown === undefined) {
      const place = (this.#places.get(name) ?? 0) + 1;
      this.#places.set(name, place);
      const digest = createHash('sha256').update(`${name} ${prefix} ${place}`).digest();
      shown = prefix + (alphabet === 'hex' ? digest.toString('hex') : base32(digest)).slice(0, length);
      this.#ids.set(id, shown);
    }
    return shown;
  }
}
