import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ALL_NAMESPACES,
  EppError,
  EppInputError,
  element,
  encodeFrame,
  FrameDecoder,
  parseXml,
  readCommand,
  readResponse,
  writeCommand,
  writeFragment,
  writeResponse,
} from '../src/index.ts';
import { anyRequest, anyResponse } from './support/arbitraries.ts';

const NS = ALL_NAMESPACES;
const SEED = 20261115;

test('reads a written request back equal', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const read = readCommand(parseXml(writeCommand(request, 'ABC-1', NS)), NS);
      expect(read).toMatchObject({ kind: 'command', clTRID: 'ABC-1' });
      if (read.kind === 'command') expect(read.request).toEqual(request);
    }),
    { seed: SEED, numRuns: 1500 },
  );
});

test('reads a written answer back equal', () => {
  fc.assert(
    fc.property(anyResponse, (spec) => {
      const read = readResponse(parseXml(writeResponse(spec, { svTRID: 'SV-1' }, NS, 'info')), NS);
      expect(read).toEqual({ ...spec, ext: spec.ext ?? {}, svTRID: 'SV-1' });
    }),
    { seed: SEED, numRuns: 1500 },
  );
});

test('preserves any text in elements and attributes, or refuses it with a typed error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      let xml: string;
      try {
        xml = writeFragment(element('urn:x', 'a', { b: text }, text), {});
      } catch (error) {
        expect(error).toBeInstanceOf(EppInputError);
        return;
      }
      const read = parseXml(xml);
      expect(read.attrs.b).toBe(text);
      expect(read.children.join('')).toBe(text);
    }),
    { seed: SEED, numRuns: 3000 },
  );
});

test('reads complete frames whatever pieces they arrive in', () => {
  const bodies = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(bodies, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (frames, cuts) => {
      const stream = Buffer.concat(frames.map((body) => encodeFrame(body)));
      const decoder = new FrameDecoder();
      const out: Buffer[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = cuts[turn % cuts.length] ?? 1;
        out.push(...decoder.push(stream.subarray(at, at + size)));
        at += size;
      }
      expect(out.map((body) => body.toString('hex'))).toEqual(frames.map((body) => Buffer.from(body).toString('hex')));
      expect(decoder.heldBytes).toBe(0);
    }),
    { seed: SEED, numRuns: 1000 },
  );
});

test('refuses a frame over the limit when writing and when reading', () => {
  expect(() => encodeFrame('x'.repeat(100), 64)).toThrow(EppError);
  expect(() => encodeFrame('', 64)).toThrow(EppError);
  for (const length of [0, 1, 4, 65, 0xffffffff]) {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(length);
    const decoder = new FrameDecoder(64);
    expect(() => decoder.push(header)).toThrow(EppError);
    expect(() => decoder.push(Buffer.from('x'))).toThrow(EppError);
    expect(decoder.heldBytes).toBe(0);
  }
});
