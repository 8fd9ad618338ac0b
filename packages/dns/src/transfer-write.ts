import { RCODE } from './code.ts';
import { type Message, type Question, reply, writeMessage } from './message.ts';
import { type RR, writeRR } from './rr.ts';
import type { TsigStreamSigner } from './tsig-stream.ts';
import { typeCode } from './type/type-code.ts';
import { MAX_MESSAGE_OCTETS, MessageFullError, Writer } from './wire.ts';

/** Compression pointers reach 16,383 octets, so larger messages compress worse (RFC 5936 2.2). */
export const TRANSFER_MESSAGE_OCTETS = 16_000;
const TSIG_RESERVE_OCTETS = 400;
const RESPONSE_AUTHORITATIVE = 0x8400;

interface TransferAnswer {
  readonly id: number;
  readonly question: Question;
  readonly signer?: TsigStreamSigner;
  /** The time for signatures, read for each message. */
  readonly timeSeconds: () => number;
}

/** One step of a journal: from one serial to a later one. */
export interface JournalStep {
  readonly oldSoa: RR;
  readonly newSoa: RR;
  /** Without the SOA. */
  readonly deleted: Iterable<RR>;
  readonly added: Iterable<RR>;
}

/** RFC 5936 2.2: SOA first, then all other records, then the same SOA. `rrs` must not contain the SOA. */
export function* axfrRecords(soa: RR, rrs: Iterable<RR>): Generator<RR> {
  yield soa;
  yield* rrs;
  yield soa;
}

/** RFC 1995 4: newest SOA, then for each step old SOA, deletions, new SOA, additions, then the newest SOA again. */
export function* ixfrRecords(newestSoa: RR, steps: Iterable<JournalStep>): Generator<RR> {
  yield newestSoa;
  for (const step of steps) {
    yield step.oldSoa;
    yield* step.deleted;
    yield step.newSoa;
    yield* step.added;
  }
  yield newestSoa;
}

/** The messages of a transfer, each ready for its two-octet length. Records are read as needed. */
export function* transferMessages(answer: TransferAnswer, rrs: Iterable<RR>): Generator<Uint8Array> {
  const stream = new TransferStream(answer);
  for (const rr of rrs) {
    const full = stream.add(rr);
    if (full) yield full;
  }
  yield stream.finish();
}

/** The same for asynchronous records, such as from a database cursor. */
export async function* transferMessagesAsync(
  answer: TransferAnswer,
  rrs: AsyncIterable<RR> | Iterable<RR>,
): AsyncGenerator<Uint8Array> {
  const stream = new TransferStream(answer);
  for await (const rr of rrs) {
    const full = stream.add(rr);
    if (full) yield full;
  }
  yield stream.finish();
}

class TransferStream {
  readonly #answer: TransferAnswer;
  #writer: Writer;
  #count = 0;

  constructor(answer: TransferAnswer) {
    this.#answer = answer;
    this.#writer = this.#open(true);
  }

  #open(first: boolean): Writer {
    const writer = new Writer(MAX_MESSAGE_OCTETS - TSIG_RESERVE_OCTETS);
    writer.u16(this.#answer.id);
    writer.u16(RESPONSE_AUTHORITATIVE);
    writer.u16(first ? 1 : 0);
    for (let at = 0; at < 3; at++) writer.u16(0);
    if (first) {
      writer.compressedName(this.#answer.question.name);
      writer.u16(typeCode(this.#answer.question.type));
      writer.u16(this.#answer.question.class);
    }
    return writer;
  }

  add(rr: RR): Uint8Array | undefined {
    const before = this.#writer.length;
    if (this.#write(rr)) return undefined;
    this.#writer.rewind(before);
    const full = this.#close();
    this.#writer = this.#open(false);
    if (!this.#write(rr)) throw new MessageFullError(MAX_MESSAGE_OCTETS, 0);
    return full;
  }

  /** False if the record must go into the next message. A single record may use the whole 64 kB. */
  #write(rr: RR): boolean {
    try {
      writeRR(rr, this.#writer);
    } catch (error) {
      if (error instanceof MessageFullError) return false;
      throw error;
    }
    if (this.#writer.length > TRANSFER_MESSAGE_OCTETS && this.#count > 0) return false;
    this.#count++;
    return true;
  }

  #close(): Uint8Array {
    this.#writer.patchU16(6, this.#count);
    this.#count = 0;
    const octets = this.#writer.finish();
    return this.#answer.signer ? this.#answer.signer.sign(octets, this.#answer.timeSeconds()) : octets;
  }

  finish(): Uint8Array {
    return this.#close();
  }
}

/** RFC 1995 4: the client is up to date, or requested over UDP more than fits: one SOA, the newest. */
export function ixfrSoaOnly(request: Message, newestSoa: RR): Uint8Array {
  const answer = reply(request, RCODE.NOERROR);
  return writeMessage({ ...answer, flags: { ...answer.flags, authoritative: true }, answer: [newestSoa] });
}
