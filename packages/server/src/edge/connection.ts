import type { Duplex, Writable } from 'node:stream';

const headEnd = '\r\n\r\n';
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** The error of the parser, with the packet that caused it. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

interface HeadLimits {
  readonly bytes: number;
  readonly ms: number;
}

/**
 * One connection beside Node's parser: tracks unanswered requests, and reads on where the parser failed. The parser reports only the
 * packet of the error. Earlier packets are not stored: a listener for them would take Node's fast path from every request.
 */
export class Connection {
  readonly #socket: Duplex;
  readonly #limits: HeadLimits;
  #latest: Writable | undefined;
  #stopReading: (() => void) | undefined;
  #hadBody = false;

  constructor(socket: Duplex, limits: HeadLimits) {
    this.#socket = socket;
    this.#limits = limits;
  }

  /** Node sends responses in the order of their requests: when the latest is finished, all are. */
  noteResponse(response: Writable): void {
    this.#latest = response;
  }

  /** After a body, the start of the next request is known only to the parser, so later refusals are not read here. */
  noteBody(): void {
    this.#hadBody = true;
  }

  /** RFC 9112 9.3.2: responses are sent in the order of their requests. */
  afterAnswers(work: () => void): void {
    const latest = this.#latest;
    if (!latest || latest.writableFinished || latest.destroyed) work();
    else latest.once('close', () => this.#socket.writable && work());
  }

  /**
   * If the parser failed in a request line that began in this packet, reads the rest of the head without it. `done` gets the head from
   * its first byte, or undefined if the rest does not arrive. False: the error is elsewhere.
   */
  readRefused(error: ParserError, done: (head: Buffer | undefined) => void): boolean {
    const begun = this.#refusedHead(error);
    if (!begun) return false;
    this.#readOn(begun, done);
    return true;
  }

  /** The connection ended or timed out while a head was read: calls `done` with undefined. False: no head was being read. */
  stopReading(): boolean {
    const stop = this.#stopReading;
    stop?.();
    return stop !== undefined;
  }

  #refusedHead({ code, rawPacket, bytesParsed }: ParserError): Buffer | undefined {
    if (code !== 'HPE_INVALID_URL' || !rawPacket || bytesParsed === undefined || this.#hadBody) return undefined;
    const parsed = rawPacket.subarray(0, bytesParsed);
    const before = parsed.lastIndexOf(headEnd);
    let start = before < 0 ? 0 : before + headEnd.length;
    // RFC 9112 2.2: empty lines before a request are skipped.
    while (rawPacket[start] === carriageReturn || rawPacket[start] === lineFeed) start += 1;
    return parsed.indexOf('\r\n', start) < 0 ? rawPacket.subarray(start) : undefined;
  }

  #readOn(begun: Buffer, done: (head: Buffer | undefined) => void): void {
    let all = begun;
    const finish = (head: Buffer | undefined) => {
      this.#stopReading = undefined;
      clearTimeout(timer);
      this.#socket.removeAllListeners('data');
      // Further input is discarded until the response is sent.
      this.#socket.resume();
      done(head);
    };
    const check = () => {
      const end = all.indexOf(headEnd);
      if (end >= 0 && end <= this.#limits.bytes) finish(all);
      else if (all.length > this.#limits.bytes) finish(undefined);
    };
    const timer = setTimeout(() => finish(undefined), this.#limits.ms);
    this.#stopReading = () => finish(undefined);
    // Node's own listener would pass further packets to the parser, which refuses all of them.
    this.#socket.removeAllListeners('data');
    this.#socket.on('data', (chunk: Buffer) => {
      all = Buffer.concat([all, chunk]);
      check();
    });
    this.#socket.once('close', () => this.stopReading());
    check();
  }
}
