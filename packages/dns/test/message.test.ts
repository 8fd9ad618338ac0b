import { decode, encode } from 'dns-packet';
import { describe, expect, it } from 'vitest';
import {
  CLASS,
  type Message,
  NO_FLAGS,
  OPCODE,
  parseRecord,
  plainEdns,
  query,
  RCODE,
  type RR,
  readMessage,
  recordText,
  reply,
  WireError,
  writeMessage,
} from '../src/index.ts';

function rr(name: string, type: string, text: string, ttl = 300): RR {
  return { name, type, class: CLASS.IN, ttl, rdata: parseRecord(type, text).wire };
}

/** Messages that dns-packet can encode, in both libraries' forms. */
const PACKET_RECORDS: readonly (readonly [string, string, unknown])[] = [
  ['A', '192.0.2.1', '192.0.2.1'],
  ['AAAA', '2001:db8::1', '2001:db8::1'],
  ['CNAME', 'www.example.com.', 'www.example.com'],
  ['DNAME', 'www.example.com.', 'www.example.com'],
  ['NS', 'ns1.example.com.', 'ns1.example.com'],
  ['PTR', 'host.example.com.', 'host.example.com'],
  ['MX', '10 mail.example.com.', { preference: 10, exchange: 'mail.example.com' }],
  ['TXT', '"hello" "world"', [Buffer.from('hello'), Buffer.from('world')]],
  ['SRV', '1 2 3 sip.example.com.', { priority: 1, weight: 2, port: 3, target: 'sip.example.com' }],
  [
    'SOA',
    'ns1.example.com. h.example.com. 1 2 3 4 5',
    { mname: 'ns1.example.com', rname: 'h.example.com', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
  ],
  ['HINFO', '"CPU" "OS"', { cpu: 'CPU', os: 'OS' }],
  ['CAA', '128 issue "ca.example"', { flags: 128, tag: 'issue', value: 'ca.example', issuerCritical: true }],
  ['RP', 'a.example. b.example.', { mbox: 'a.example', txt: 'b.example' }],
  [
    'DS',
    `1 13 2 ${'AB'.repeat(32)}`,
    { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.from('ab'.repeat(32), 'hex') },
  ],
  ['SSHFP', `4 2 ${'AB'.repeat(32)}`, { algorithm: 4, hash: 2, fingerprint: 'AB'.repeat(32) }],
  [
    'TLSA',
    `3 1 1 ${'AB'.repeat(32)}`,
    { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('ab'.repeat(32), 'hex') },
  ],
  [
    'NAPTR',
    '1 2 "S" "SIP+D2U" "" _sip._udp.example.com.',
    { order: 1, preference: 2, flags: 'S', services: 'SIP+D2U', regexp: '', replacement: '_sip._udp.example.com' },
  ],
  [
    'DNSKEY',
    `257 3 13 ${Buffer.alloc(64, 1).toString('base64')}`,
    { flags: 257, algorithm: 13, key: Buffer.alloc(64, 1) },
  ],
  ['NSEC', 'b.example.com. A MX', { nextDomain: 'b.example.com', rrtypes: ['A', 'MX'] }],
];

describe('messages of dns-packet', () => {
  it.each(PACKET_RECORDS)('are read with their %s', (type, text, data) => {
    const octets = encode({
      id: 7,
      type: 'response',
      questions: [{ name: 'x.example.com', type }],
      answers: [{ name: 'x.example.com', type, ttl: 300, class: 'IN', data }],
    });
    const message = readMessage(octets);
    expect(message.answer[0]).toMatchObject({ name: 'x.example.com.', type, ttl: 300 });
    expect(recordText(type, message.answer[0]!.rdata)).toBe(text);
  });

  it.each(PACKET_RECORDS)('are the same as ours for %s, compressed names included', (type, text, data) => {
    const message = { ...reply(query(7, 'x.example.com.', type), 0), answer: [rr('x.example.com.', type, text)] };
    const packet = decode(Buffer.from(writeMessage(message)));
    expect(packet.answers?.[0]).toMatchObject({ name: 'x.example.com', type, ttl: 300 });
    expect(packet.answers?.[0]?.data).toMatchObject(data as object);
  });
});

describe('messages', () => {
  it('carry EDNS and an extended rcode', () => {
    const edns = { ...plainEdns(4096), dnssecOk: true, options: [{ code: 10, octets: Uint8Array.of(1, 2) }] };
    const message = { ...query(1, 'a.', 'A'), edns, rcode: RCODE.BADVERS };
    const back = readMessage(writeMessage(message));
    expect(back).toEqual(message);
    expect(() => writeMessage({ ...query(1, 'a.', 'A'), rcode: RCODE.BADVERS })).toThrow('needs EDNS');
  });

  it('refuse two OPT records and trailing octets', () => {
    const octets = writeMessage({ ...query(1, 'a.', 'A'), edns: plainEdns() });
    const opt = octets.slice(-11);
    const two = Buffer.concat([octets, opt]);
    two.writeUInt16BE(2, 10);
    expect(() => readMessage(two)).toThrow(WireError);
    expect(() => readMessage(Buffer.concat([octets, Buffer.of(0)]))).toThrow('too many');
    for (let length = 0; length < octets.length; length++)
      expect(() => readMessage(octets.slice(0, length))).toThrow(WireError);
  });

  it('are truncated at RRset borders, with TC', () => {
    const answer = Array.from({ length: 100 }, (_, at) =>
      rr(`h${Math.floor(at / 10)}.example.com.`, 'A', `192.0.2.${at}`),
    );
    const message: Message = { ...reply(query(1, 'h.example.com.', 'A'), 0), answer, edns: plainEdns() };
    const octets = writeMessage(message, { maxOctets: 512 });
    const back = readMessage(octets);
    expect(octets.length).toBeLessThanOrEqual(512);
    expect(back.flags.truncated).toBe(true);
    expect(back.answer.length % 10).toBe(0);
    expect(back.answer.length).toBeGreaterThan(0);
    expect(back.edns).toBeDefined();
  });

  it('omit additional data without TC', () => {
    const additional = Array.from({ length: 100 }, (_, at) => rr(`h${at}.example.com.`, 'A', `192.0.2.${at}`));
    const back = readMessage(
      writeMessage({ ...reply(query(1, 'h.example.com.', 'A'), 0), additional }, { maxOctets: 512 }),
    );
    expect(back.flags.truncated).toBe(false);
    expect(back.additional.length).toBeLessThan(100);
  });

  it('are read as an UPDATE with deletions that have no rdata', () => {
    const update: Message = {
      ...query(9, 'example.com.', 'SOA'),
      opcode: OPCODE.UPDATE,
      flags: NO_FLAGS,
      answer: [{ name: 'a.example.com.', type: 'ANY', class: CLASS.NONE, ttl: 0, rdata: new Uint8Array(0) }],
      authority: [
        { name: 'a.example.com.', type: 'MX', class: CLASS.ANY, ttl: 0, rdata: new Uint8Array(0) },
        { name: 'a.example.com.', type: 'A', class: CLASS.NONE, ttl: 0, rdata: Uint8Array.of(192, 0, 2, 1) },
        rr('b.example.com.', 'TXT', '"x"'),
      ],
    };
    expect(readMessage(writeMessage(update))).toEqual(update);
  });
});
