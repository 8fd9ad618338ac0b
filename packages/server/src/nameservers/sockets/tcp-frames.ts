const LENGTH_OCTETS = 2;

/** RFC 1035 4.2.2: a length of two bytes before each message. */
export function framed(message: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(LENGTH_OCTETS + message.length);
  out.writeUInt16BE(message.length, 0);
  out.set(message, LENGTH_OCTETS);
  return out;
}

/** Splits a stream into messages. Buffers at most one incomplete message of 64 kB and the last chunk. */
export class TcpFrames {
  #held: Buffer = Buffer.alloc(0);

  *take(chunk: Buffer): Generator<Buffer> {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (;;) {
      if (this.#held.length < LENGTH_OCTETS) return;
      const end = LENGTH_OCTETS + this.#held.readUInt16BE(0);
      if (this.#held.length < end) return;
      const message = this.#held.subarray(LENGTH_OCTETS, end);
      this.#held = this.#held.subarray(end);
      yield message;
    }
  }
}
