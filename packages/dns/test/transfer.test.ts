import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answersNotify,
  axfrRecords,
  axfrRequest,
  CLASS,
  catalogRRsets,
  ixfrRecords,
  ixfrRequest,
  ixfrSoaOnly,
  type Message,
  notifyAnswer,
  notifyRequest,
  parseRecord,
  type RR,
  readMessage,
  refusalAnswer,
  rrsOf,
  signMessage,
  soaSerial,
  TRANSFER_MESSAGE_OCTETS,
  type Transfer,
  TransferError,
  TransferReader,
  TsigStreamSigner,
  TsigStreamVerifier,
  transferMessages,
  transferMessagesAsync,
  tsigKey,
  verifyMessage,
  writeMessage,
  writeZoneFile,
} from '../src/index.ts';
import { inFolder, kzonecheck, namedCheckzone } from './debian-tools.ts';
import { askTcp, client, type Listening, serve, startKnot } from './loopback.ts';
import { ORIGIN, zoneSets } from './zone-arbitrary.ts';

const nowSeconds = () => Math.floor(Date.now() / 1000);
const SECRET = Buffer.alloc(32, 9).toString('base64');
const key = tsigKey('xfr.', 'hmac-sha256', SECRET);

function rr(name: string, type: string, text: string): RR {
  return { name, type, class: CLASS.IN, ttl: 300, rdata: parseRecord(type, text).wire };
}
const soa = (serial: number) => rr('big.test.', 'SOA', `ns.big.test. h.big.test. ${serial} 3600 600 86400 60`);
const NS = rr('big.test.', 'NS', 'ns.other.test.');
const BIG = [
  NS,
  ...Array.from({ length: 3_000 }, (_, at) => rr(`host${at}.big.test.`, 'A', `10.0.${at >> 8}.${at & 255}`)),
];

function read(request: Message, stream: Iterable<Uint8Array>, heldSerial?: number): Transfer | undefined {
  const reader = new TransferReader(request, heldSerial);
  let result: Transfer | undefined;
  for (const octets of stream) result = reader.add(readMessage(octets));
  return result;
}

function recordsOf(transfer: Transfer | undefined): readonly RR[] {
  if (transfer?.kind !== 'full') throw new Error('no whole zone');
  return transfer.records;
}

const answerTo = (request: Message) => ({ id: request.id, question: request.question[0]!, timeSeconds: nowSeconds });

describe('AXFR', () => {
  const request = axfrRequest(77, 'big.test.');

  it('is sent in messages below 16 kB, with the question in the first only, and read completely', () => {
    const stream = [...transferMessages(answerTo(request), axfrRecords(soa(1), BIG))];
    expect(stream.length).toBeGreaterThan(3);
    expect(Math.max(...stream.map((octets) => octets.length))).toBeLessThanOrEqual(TRANSFER_MESSAGE_OCTETS);
    expect(stream.map((octets) => readMessage(octets).question.length)).toEqual([
      1,
      ...new Array(stream.length - 1).fill(0),
    ]);
    const transfer = read(request, stream);
    expect(transfer).toMatchObject({ kind: 'full' });
    expect(recordsOf(transfer)).toEqual(BIG);
  });

  it('accepts records from an asynchronous source', async () => {
    const stream: Uint8Array[] = [];
    for await (const octets of transferMessagesAsync(answerTo(request), axfrRecords(soa(1), BIG))) stream.push(octets);
    expect(recordsOf(read(request, stream)).length).toBe(BIG.length);
  });

  it('sends a record of nearly 64 kB in a message of its own', () => {
    const large = rr('large.big.test.', 'TXT', 'x'.repeat(63_000));
    const transfer = read(request, transferMessages(answerTo(request), axfrRecords(soa(1), [NS, large, NS])));
    expect(recordsOf(transfer)[1]).toEqual(large);
  });

  it('is refused if it is incomplete or invalid', () => {
    const stream = [...transferMessages(answerTo(request), axfrRecords(soa(1), BIG))];
    expect(read(request, stream.slice(0, -1))).toBeUndefined();
    expect(() => read(request, transferMessages(answerTo(request), [NS]))).toThrow(TransferError);
    expect(() => read(request, transferMessages(answerTo(request), [soa(1), rr('x.other.', 'A', '10.0.0.1')]))).toThrow(
      'not in the zone',
    );
    expect(() => read(request, transferMessages(answerTo(request), [soa(1), NS, soa(2)]))).toThrow('differs');
    expect(() => read({ ...request, id: 1 }, stream)).toThrow('not the answer');
  });
});

describe('IXFR', () => {
  const request = ixfrRequest(78, 'big.test.', soa(1).rdata);
  const a = rr('a.big.test.', 'A', '10.0.0.1');
  const b = rr('b.big.test.', 'A', '10.0.0.2');

  it('sends the steps of a journal', () => {
    const steps = [
      { oldSoa: soa(1), newSoa: soa(2), deleted: [a], added: [b] },
      { oldSoa: soa(2), newSoa: soa(5), deleted: [], added: [a] },
    ];
    expect(read(request, transferMessages(answerTo(request), ixfrRecords(soa(5), steps)), 1)).toEqual({
      kind: 'incremental',
      soa: soa(5),
      steps: [
        { oldSerial: 1, newSerial: 2, deleted: [a], added: [b] },
        { oldSerial: 2, newSerial: 5, deleted: [], added: [a] },
      ],
    });
  });

  it('falls back to the whole zone, or reports that nothing is new', () => {
    expect(read(request, transferMessages(answerTo(request), axfrRecords(soa(5), [NS, a])), 1)).toMatchObject({
      kind: 'full',
      records: [NS, a],
    });
    expect(read(request, [ixfrSoaOnly(request, soa(1))], 1)).toMatchObject({ kind: 'up_to_date' });
    expect(soaSerial(readMessage(writeMessage(request)).authority[0]!)).toBe(1);
  });
});

describe('NOTIFY', () => {
  it('is unchanged after writing and reading, as is its answer', () => {
    const request = notifyRequest(5, 'big.test.', soa(9));
    const seen = readMessage(writeMessage(request));
    expect(seen).toEqual(request);
    expect(answersNotify(request, readMessage(writeMessage(notifyAnswer(seen))))).toBe(true);
    expect(answersNotify({ ...request, id: 6 }, notifyAnswer(seen))).toBe(false);
    // A message that comes back unchanged is an echo, not an answer.
    expect(answersNotify(request, seen)).toBe(false);
  });
});

describe('catalog zones', () => {
  it('load in BIND and Knot, with stable labels', async () => {
    const members = [{ zone: 'a.test.' }, { zone: 'b.test.', label: 'fixed1' }];
    const sets = [...catalogRRsets({ origin: 'cat.invalid.', serial: 7, members })];
    const text = writeZoneFile('cat.invalid.', sets);
    expect(text).toContain('fixed1.zones\tIN\tPTR\tb.test.');
    expect(text).toContain('version\tIN\tTXT\t"2"');
    const later = [{ zone: 'A.TEST.' }, members[1]!];
    expect([...catalogRRsets({ origin: 'cat.invalid.', serial: 8, members: later })][3]).toEqual(sets[3]);
    for (const check of [await namedCheckzone('cat.invalid', text), await kzonecheck('cat.invalid', text)])
      expect(check.ok, check.output).toBe(true);
  });
});

describe('kdig as the client', () => {
  let server: Listening;
  beforeAll(async () => {
    server = await serve(function* (octets) {
      const verified = verifyMessage(octets, (name) => (name === key.name ? key : undefined), {
        nowSeconds: nowSeconds(),
      });
      if (verified.state === 'unsigned') return;
      if (verified.state === 'refused') {
        yield refusalAnswer(octets, verified, nowSeconds())!;
        return;
      }
      const request = readMessage(octets);
      const signer = new TsigStreamSigner(key, verified.record.mac);
      const question = request.question[0]!;
      const step = { oldSoa: soa(1), newSoa: soa(2), deleted: [BIG[1]!], added: [BIG[2]!] };
      const records = question.type === 'IXFR' ? ixfrRecords(soa(2), [step]) : axfrRecords(soa(2), BIG);
      yield* transferMessages({ id: request.id, question, signer, timeSeconds: nowSeconds }, records);
    });
  });
  afterAll(() => server.close());

  it('verifies a signed AXFR of many messages', async () => {
    const output = await client('kdig', [
      '@127.0.0.1',
      '-p',
      String(server.port),
      '-y',
      `hmac-sha256:xfr:${SECRET}`,
      'big.test',
      'AXFR',
    ]);
    expect(output).not.toMatch(/;; (?:WARNING|ERROR)/);
    expect(output.match(/\tA\t10\.0\./g)?.length).toBe(3_000);
    expect(output).toMatch(/TSIG/);
  });

  it('verifies a signed IXFR', async () => {
    const output = await client('kdig', [
      '@127.0.0.1',
      '-p',
      String(server.port),
      '-y',
      `hmac-sha256:xfr:${SECRET}`,
      'big.test',
      'IXFR=1',
    ]);
    expect(output).not.toMatch(/;; (?:WARNING|ERROR)/);
    expect(output.match(/\tSOA\t/g)?.length).toBe(4);
  });
});

describe('knotd as the primary', () => {
  it(
    'sends signed AXFRs of random zones that we read',
    () =>
      inFolder(async (folder) => {
        const sets = fc.sample(zoneSets, { seed: 5, numRuns: 1 })[0]!;
        const big = [soa(3), ...BIG].map((record) => ({
          name: record.name,
          type: record.type,
          ttl: 300,
          records: [{ wire: record.rdata, text: textOf(record) }],
        }));
        const zones = { [ORIGIN]: writeZoneFile(ORIGIN, sets), 'big.test.': writeZoneFile('big.test.', big) };
        const knot = await startKnot(folder, zones, { name: 'xfr', algorithm: 'hmac-sha256', secretBase64: SECRET });
        try {
          const small = await pull(knot.port, ORIGIN);
          const expected = sets.flatMap((set) => [...rrsOf(set)]).filter((record) => record.type !== 'SOA');
          expect(lines(small)).toEqual(lines(expected));
          expect(lines(await pull(knot.port, 'big.test.'))).toEqual(lines(BIG));
        } finally {
          await knot.close();
        }
      }),
    60_000,
  );
});

function textOf(record: RR): string {
  if (record.type === 'A') return [...record.rdata].join('.');
  return record.type === 'NS' ? 'ns.other.test.' : 'ns.big.test. h.big.test. 3 3600 600 86400 60';
}

function lines(records: readonly RR[]): string[] {
  return records
    .map((record) => `${record.name} ${record.ttl} ${record.type} ${Buffer.from(record.rdata).toString('hex')}`)
    .sort();
}

async function pull(port: number, zone: string): Promise<readonly RR[]> {
  const request = axfrRequest(4242, zone);
  const signed = signMessage(writeMessage(request), key, { timeSeconds: nowSeconds() });
  const verifier = new TsigStreamVerifier(key, signed.mac);
  const reader = new TransferReader(request);
  let result: Transfer | undefined;
  await askTcp(port, signed.octets, (octets) => {
    const verified = verifier.verify(octets, nowSeconds());
    if (verified.state !== 'valid') throw new Error(`refused: ${verified.reason}`);
    result = reader.add(readMessage(verified.unsigned));
    return result !== undefined;
  });
  expect(verifier.lastWasSigned).toBe(true);
  return recordsOf(result);
}
