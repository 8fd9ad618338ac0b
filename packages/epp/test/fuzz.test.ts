import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import {
  ALL_NAMESPACES,
  EppError,
  encodeFrame,
  FrameDecoder,
  loadSchemas,
  parseXml,
  readGreeting,
  readResponse,
  redactFrame,
  type Schemas,
  writeXml,
  type XmlElement,
} from '../src/index.ts';
import { screenFrame } from '../src/server/screen.ts';
import { mutate, seeded } from './support/mutate.ts';
import { mutateTree } from './support/mutate-tree.ts';
import { RawClient } from './support/raw.ts';
import { testRegistry } from './support/registry.ts';

const NS = ALL_NAMESPACES;
const FOLDER = fileURLToPath(new URL('../fixtures/', import.meta.url));
const CORPUS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.xml'))
  .sort()
  .map((file) => readFileSync(FOLDER + file));
/** A part of them in `npm test`, all in `npm run test:long`. */
const BROKEN_FRAMES = process.env.NAMEHOLD_TESTS === 'long' ? 50_000 : 5_000;
const OVER_TLS = 300;
const MAX_GROWTH_BYTES = 200 * 1024 * 1024;
const OFFERED = {
  svID: 'Fuzz',
  svDate: new Date(0),
  versions: ['1.0'],
  langs: ['en'],
  objURIs: [NS.domain, NS.contact, NS.host],
  extURIs: Object.values(NS),
};

let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

const TREES = CORPUS.map((frame) => parseXml(frame));

/** Alternately with changed bytes, and well-formed but invalid. */
function brokenFrame(number: number, random: () => number): Buffer {
  const at = number % CORPUS.length;
  if (random() < 0.5) return mutate(CORPUS[at] as Buffer, CORPUS, random);
  return Buffer.from(writeXml(mutateTree(TREES[at] as XmlElement, random), {}));
}

/** Only typed errors are allowed. */
function typed(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof EppError)) throw error;
  }
}

test(`refuses ${BROKEN_FRAMES} invalid frames with typed errors and bounded memory`, () => {
  const random = seeded(7);
  const validate = schemas.validator;
  let rssAtStart = 0;
  for (let number = 0; number < BROKEN_FRAMES; number += 1) {
    if (number === 1_000) rssAtStart = process.memoryUsage().rss;
    const frame = brokenFrame(number, random);
    // The schemas take most of the time, so only every tenth frame is validated.
    typed(() => void screenFrame(frame, NS, OFFERED, number % 10 === 0 ? validate : undefined));
    if (number % 3 === 0) {
      typed(() => void readResponse(parseXml(frame), NS));
      typed(() => void readGreeting(parseXml(frame), NS));
      redactFrame(frame.toString('utf8'));
    }
    typed(() => {
      const decoder = new FrameDecoder(64 * 1024);
      decoder.push(frame);
      if (frame.length > 0) decoder.push(encodeFrame(frame).subarray(0, frame.length));
      expect(decoder.heldBytes).toBeLessThanOrEqual(64 * 1024 * 2);
    });
  }
  expect(process.memoryUsage().rss - rssAtStart).toBeLessThan(MAX_GROWTH_BYTES);
});

test(`keeps the server running and answering after ${OVER_TLS} invalid frames over TLS`, async () => {
  const registry = await testRegistry();
  const random = seeded(11);
  for (let number = 0; number < OVER_TLS; number += 30) {
    const client = await RawClient.open(registry.port, registry.authority.ca);
    await client.next();
    for (let each = 0; each < 30 && !client.closed; each += 1) {
      const broken = mutate(CORPUS[(number + each) % CORPUS.length] as Buffer, CORPUS, random);
      if (broken.length === 0) continue;
      client.socket.write(each === 29 ? broken : encodeFrame(broken));
      if ((await client.next()) === undefined) break;
    }
    client.socket.destroy();
  }
  const last = await RawClient.open(registry.port, registry.authority.ca);
  expect(await last.next()).toContain('<greeting>');
  last.socket.destroy();
  await registry.server.close();
});
