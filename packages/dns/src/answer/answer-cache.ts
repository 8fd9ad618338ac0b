/** One entry per slot: two questions with the same slot replace each other, so that a flood of names needs no more memory. */
const SLOTS = 65_536;
const REQUEST_OCTETS = 128;
const ANSWER_OCTETS = 384;
const SLOT_OCTETS = REQUEST_OCTETS + ANSWER_OCTETS;
const ID_OCTETS = 2;
const NAME_AT = 12;
const TYPE_AND_CLASS_OCTETS = 4;
const FNV_PRIME = 0x01000193;
const FNV_START = 0x811c9dc5 | 0;

/**
 * Caches whole answers by the octets of their question. Only answers that depend on the question and the zones alone are kept, so none
 * with a cookie. The case of the name is ignored, and an answer repeats the case and the id of its request.
 */
export class AnswerCache {
  readonly #octets = Buffer.alloc(SLOTS * SLOT_OCTETS);
  readonly #requestOctets = new Uint16Array(SLOTS);
  readonly #answerOctets = new Uint16Array(SLOTS);
  readonly #questionEnds = new Uint16Array(SLOTS);
  readonly #versions = new Float64Array(SLOTS);
  readonly #kinds = new Uint8Array(SLOTS);
  readonly #zones: string[] = new Array<string>(SLOTS).fill('');
  /** State of the last `find`. */
  #slot = 0;

  /** The zone and the kind of the answer that was found last. */
  get zone(): string {
    return this.#zones[this.#slot]!;
  }

  get kind(): number {
    return this.#kinds[this.#slot]!;
  }

  /** True if the answer is cached for this `version` of the zones. */
  find(request: Uint8Array, version: number): boolean {
    const length = request.length;
    if (length > REQUEST_OCTETS) return false;
    let hash = FNV_START;
    // The hash ignores letter case; other differences in that bit are detected below.
    for (let at = ID_OCTETS; at < length; at++) hash = Math.imul(hash ^ (request[at]! | 0x20), FNV_PRIME);
    this.#slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const slot = this.#slot;
    if (this.#versions[slot] !== version || this.#requestOctets[slot] !== length) return false;
    const nameEnd = this.#questionEnds[slot]! - TYPE_AND_CLASS_OCTETS;
    const start = slot * SLOT_OCTETS;
    for (let at = ID_OCTETS; at < length; at++) {
      const octet = request[at]!;
      const kept = this.#octets[start + at]!;
      if (octet === kept) continue;
      if (at < NAME_AT || at >= nameEnd || (octet | 0x20) !== (kept | 0x20) || !isLetter(octet)) return false;
    }
    return true;
  }

  /** Call directly after a successful `find`: a fresh copy for this request. */
  answer(request: Uint8Array): Buffer {
    const start = this.#slot * SLOT_OCTETS + REQUEST_OCTETS;
    const answer = Buffer.allocUnsafe(this.#answerOctets[this.#slot]!);
    this.#octets.copy(answer, 0, start, start + answer.length);
    answer[0] = request[0]!;
    answer[1] = request[1]!;
    const end = this.#questionEnds[this.#slot]!;
    for (let at = NAME_AT; at < end; at++) answer[at] = request[at]!;
    return answer;
  }

  /** Call directly after an unsuccessful `find`. */
  keep(
    request: Uint8Array,
    answer: Uint8Array,
    questionEnd: number,
    version: number,
    zone: string,
    kind: number,
  ): void {
    if (request.length > REQUEST_OCTETS || answer.length > ANSWER_OCTETS) return;
    const slot = this.#slot;
    this.#octets.set(request, slot * SLOT_OCTETS);
    this.#octets.set(answer, slot * SLOT_OCTETS + REQUEST_OCTETS);
    this.#requestOctets[slot] = request.length;
    this.#answerOctets[slot] = answer.length;
    this.#questionEnds[slot] = questionEnd;
    this.#versions[slot] = version;
    this.#kinds[slot] = kind;
    this.#zones[slot] = zone;
  }
}

function isLetter(octet: number): boolean {
  const lower = octet | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
