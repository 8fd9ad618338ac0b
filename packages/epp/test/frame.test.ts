import { describe, expect, test } from 'vitest';
import { DEFAULT_MAX_FRAME_BYTES, EppReadError, encodeFrame, FrameDecoder, HEADER_BYTES } from '../src/index.ts';

const header = (length: number) => {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32BE(length);
  return bytes;
};
const texts = (bodies: readonly Buffer[]) => bodies.map((body) => body.toString());

describe('writing a frame', () => {
  test('counts its own header, big-endian, in bytes and not characters', () => {
    expect([...encodeFrame('<a/>')]).toEqual([0, 0, 0, 8, 0x3c, 0x61, 0x2f, 0x3e]);
    expect(encodeFrame('é').readUInt32BE(0)).toBe(HEADER_BYTES + 2);
    expect(encodeFrame('x'.repeat(300)).subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 48]));
  });

  test('uses the given bytes, wherever they are in their buffer', () => {
    const whole = Buffer.from('before<a/>after');
    expect(encodeFrame(whole.subarray(6, 10))).toEqual(encodeFrame('<a/>'));
  });

  test('accepts a frame of the limit and none larger', () => {
    expect(encodeFrame('x'.repeat(60), 64)).toHaveLength(64);
    expect(() => encodeFrame('x'.repeat(61), 64)).toThrow('a frame of 65 bytes is over the limit of 64');
    expect(encodeFrame('x'.repeat(DEFAULT_MAX_FRAME_BYTES - HEADER_BYTES))).toHaveLength(DEFAULT_MAX_FRAME_BYTES);
    expect(() => encodeFrame('x'.repeat(DEFAULT_MAX_FRAME_BYTES - HEADER_BYTES + 1))).toThrow(EppReadError);
  });

  test('refuses an empty frame and accepts one byte', () => {
    expect(() => encodeFrame('')).toThrow('an empty frame');
    expect(() => encodeFrame(new Uint8Array())).toThrow('an empty frame');
    expect(encodeFrame('x')).toHaveLength(5);
  });
});

describe('reading frames', () => {
  test('reads several in one piece and the start of the next', () => {
    const decoder = new FrameDecoder();
    const piece = Buffer.concat([encodeFrame('<a/>'), encodeFrame('<b/>'), encodeFrame('<c/>').subarray(0, 6)]);
    expect(texts(decoder.push(piece))).toEqual(['<a/>', '<b/>']);
    expect(decoder.heldBytes).toBe(6);
    expect(texts(decoder.push(encodeFrame('<c/>').subarray(6)))).toEqual(['<c/>']);
    expect(decoder.heldBytes).toBe(0);
  });

  test('reads a header that arrives byte by byte', () => {
    const decoder = new FrameDecoder();
    const bytes = encodeFrame('x');
    for (const [at, byte] of bytes.entries()) {
      const last = at === bytes.length - 1;
      expect(texts(decoder.push(Buffer.from([byte])))).toEqual(last ? ['x'] : []);
      expect(decoder.heldBytes).toBe(last ? 0 : at + 1);
    }
  });

  test('ignores an empty piece', () => {
    const decoder = new FrameDecoder();
    expect(decoder.push(new Uint8Array())).toEqual([]);
    decoder.push(encodeFrame('<a/>').subarray(0, 5));
    expect(decoder.push(new Uint8Array())).toEqual([]);
    expect(decoder.heldBytes).toBe(5);
  });

  test('reads a view into a larger buffer from its offset', () => {
    const whole = Buffer.concat([Buffer.from('noise'), encodeFrame('<a/>'), Buffer.from('noise')]);
    expect(texts(new FrameDecoder().push(new Uint8Array(whole.buffer, whole.byteOffset + 5, 8)))).toEqual(['<a/>']);
  });

  test('accepts the smallest and the largest length, and no other', () => {
    expect(texts(new FrameDecoder(64).push(encodeFrame('x')))).toEqual(['x']);
    expect(texts(new FrameDecoder(64).push(encodeFrame('x'.repeat(60))))).toEqual(['x'.repeat(60)]);
    expect(() => new FrameDecoder(64).push(header(4))).toThrow('a frame length of 4 is outside 5..64');
    expect(() => new FrameDecoder(64).push(header(65))).toThrow('a frame length of 65 is outside 5..64');
  });

  test('checks a length before its bytes arrive', () => {
    const decoder = new FrameDecoder(64);
    expect(decoder.push(header(1000).subarray(0, 3))).toEqual([]);
    expect(() => decoder.push(header(1000).subarray(3))).toThrow(EppReadError);
  });

  test('returns complete frames before an invalid one, in whatever pieces they arrive', () => {
    const decoder = new FrameDecoder(64);
    expect(texts(decoder.push(Buffer.concat([encodeFrame('<a/>'), header(65)])))).toEqual(['<a/>']);
    expect(() => decoder.check()).toThrow('a frame length of 65 is outside 5..64');
    expect(() => decoder.push(encodeFrame('<b/>'))).toThrow(EppReadError);
    expect(decoder.heldBytes).toBe(0);
    expect(() => new FrameDecoder(64).check()).not.toThrow();
  });

  test('keeps refusing an invalid stream and keeps no bytes of it', () => {
    const decoder = new FrameDecoder(64);
    expect(() => decoder.push(Buffer.concat([header(0), Buffer.alloc(40)]))).toThrow(EppReadError);
    expect(decoder.heldBytes).toBe(0);
    expect(() => decoder.push(encodeFrame('<a/>'))).toThrow('already invalid');
  });
});
