import { EppReadError } from './errors.ts';

/** RFC 5734 section 4: four bytes, big-endian; the length includes them. */
export const HEADER_BYTES = 4;
/** Header and at least one byte of XML. */
const MIN_FRAME_BYTES = HEADER_BYTES + 1;
export const DEFAULT_MAX_FRAME_BYTES = 2 * 1024 * 1024;

export function encodeFrame(xml: string | Uint8Array, maxFrameBytes: number = DEFAULT_MAX_FRAME_BYTES): Buffer {
  const bodyBytes = typeof xml === 'string' ? Buffer.byteLength(xml, 'utf8') : xml.byteLength;
  const frameBytes = bodyBytes + HEADER_BYTES;
  if (frameBytes < MIN_FRAME_BYTES) throw new EppReadError('frame', 'an empty frame cannot be sent');
  if (frameBytes > maxFrameBytes) {
    throw new EppReadError('frame', `a frame of ${frameBytes} bytes is over the limit of ${maxFrameBytes}`);
  }
  const frame = Buffer.allocUnsafe(frameBytes);
  frame.writeUInt32BE(frameBytes, 0);
  if (typeof xml === 'string') frame.write(xml, HEADER_BYTES, 'utf8');
  else frame.set(xml, HEADER_BYTES);
  return frame;
}

/** Splits a byte stream into frames, whatever pieces it arrives in. Holds at most one frame and the last piece. */
export class FrameDecoder {
  readonly #maxFrameBytes: number;
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  #wantedBytes = 0;
  #fault: EppReadError | undefined;

  constructor(maxFrameBytes: number = DEFAULT_MAX_FRAME_BYTES) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  /** Bytes of an incomplete frame. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Throws if the bytes after the returned frames are invalid. */
  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** Takes one piece and returns the bodies of the frames that it completes, also those before a fault, which `check` reports. */
  push(piece: Uint8Array): Buffer[] {
    if (this.#fault !== undefined) throw new EppReadError('frame', 'the stream is already invalid');
    this.#pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    this.#heldBytes += piece.byteLength;
    const frames: Buffer[] = [];
    for (;;) {
      if (this.#wantedBytes === 0) {
        if (this.#heldBytes < HEADER_BYTES) return frames;
        this.#wantedBytes = this.#readLength();
        if (this.#fault !== undefined && frames.length > 0) return frames;
        this.check();
      }
      if (this.#heldBytes < this.#wantedBytes) return frames;
      const all = this.#joined();
      frames.push(all.subarray(HEADER_BYTES, this.#wantedBytes));
      const rest = all.subarray(this.#wantedBytes);
      this.#pieces = rest.length === 0 ? [] : [rest];
      this.#heldBytes = rest.length;
      this.#wantedBytes = 0;
    }
  }

  #readLength(): number {
    const length = this.#joined().readUInt32BE(0);
    if (length < MIN_FRAME_BYTES || length > this.#maxFrameBytes) {
      this.#pieces = [];
      this.#heldBytes = 0;
      this.#fault = new EppReadError(
        'frame',
        `a frame length of ${length} is outside ${MIN_FRAME_BYTES}..${this.#maxFrameBytes}`,
      );
    }
    return length;
  }

  #joined(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0] ?? Buffer.alloc(0);
  }
}
