import { type Message, plainEdns, query, signMessage, tsigKey, writeMessage } from '@namehold/dns';

/** Unusual and hostile queries, as octets. */

type Question = readonly [what: string, octets: Buffer];

const header = (bits: number, counts: readonly number[]) => {
  const octets = Buffer.alloc(12);
  octets.writeUInt16BE(0x1234, 0);
  octets.writeUInt16BE(bits, 2);
  for (const [at, count] of counts.entries()) octets.writeUInt16BE(count, 4 + 2 * at);
  return octets;
};

function plain(name: string, type: string | number, change: Partial<Message> = {}): Buffer {
  const text = typeof type === 'number' ? `TYPE${type}` : type;
  return Buffer.from(writeMessage({ ...query(0x1234, name, text), ...change }));
}

/** An OPT record written octet by octet, so that it can be invalid. */
function opt(options: { payload?: number; version?: number; flags?: number; rdata?: Buffer; length?: number } = {}) {
  const { payload = 1232, version = 0, flags = 0, rdata = Buffer.alloc(0) } = options;
  const fixed = Buffer.alloc(11);
  fixed.writeUInt16BE(41, 1);
  fixed.writeUInt16BE(payload, 3);
  fixed[6] = version;
  fixed.writeUInt16BE(flags, 7);
  fixed.writeUInt16BE(options.length ?? rdata.length, 9);
  return Buffer.concat([fixed, rdata]);
}

const option = (code: number, octets: Buffer, length = octets.length) => {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(code, 0);
  head.writeUInt16BE(length, 2);
  return Buffer.concat([head, octets]);
};

function withExtra(octets: Buffer, ...records: Buffer[]): Buffer {
  const whole = Buffer.concat([octets, ...records]);
  whole.writeUInt16BE(octets.readUInt16BE(10) + records.length, 10);
  return whole;
}

const names: readonly (readonly [string, readonly (string | number)[]])[] = [
  ['www.zone.test.', ['A', 'AAAA', 'TXT', 'NSEC', 'RRSIG', 'ANY', 0, 65280, 65535]],
  ['zone.test.', ['SOA', 'NS', 'MX', 'DS', 'DNSKEY', 'NSEC3PARAM', 'SRV', 41, 249, 250, 251, 252, 253, 254]],
  ['WWW.ZoNe.TeSt.', ['A']],
  ['alias.zone.test.', ['A', 'CNAME', 'NSEC', 'RRSIG', 'TXT', 'DS', 'ANY']],
  ['alias2.zone.test.', ['A', 'MX']],
  ['dangling.zone.test.', ['A', 'CNAME']],
  ['loop1.zone.test.', ['A']],
  ['outside.zone.test.', ['A', 'ANY']],
  ['across.zone.test.', ['A', 'MX']],
  ['intocut.zone.test.', ['A', 'DS', 'NS']],
  ['atcut.zone.test.', ['A', 'DS', 'NS']],
  ['cut.zone.test.', ['A', 'NS', 'DS', 'SOA', 'ANY', 'NSEC', 'RRSIG']],
  ['a.b.cut.zone.test.', ['A', 'DS', 'CNAME', 'ANY']],
  ['ns.cut.zone.test.', ['A', 'AAAA']],
  ['ren.zone.test.', ['A', 'DNAME', 'CNAME', 'ANY']],
  ['a.ren.zone.test.', ['A', 'CNAME', 'DNAME', 'ANY', 'RRSIG', 'NSEC', 'DS']],
  ['x.far.zone.test.', ['A', 'CNAME']],
  ['h.near.zone.test.', ['A', 'CNAME', 'TXT']],
  ['a.intozone.zone.test.', ['A']],
  ['any.wild.zone.test.', ['TXT', 'A', 'ANY', 'CNAME']],
  ['*.wild.zone.test.', ['TXT']],
  ['x.*.wild.zone.test.', ['TXT']],
  ['q.wcname.zone.test.', ['A', 'CNAME', 'RRSIG', 'NSEC', 'TXT']],
  ['ent.zone.test.', ['A', 'NS', 'DS', 'NSEC']],
  ['nothing.zone.test.', ['A', 'NSEC', 'RRSIG', 'DS', 'ANY', 'CNAME']],
  ['a.second.test.', ['A', 'NS']],
  ['second.test.', ['DS', 'SOA']],
  ['child.zone.test.', ['DS', 'NS', 'SOA', 'A']],
  ['www.child.zone.test.', ['A', 'DS']],
  ['test.', ['A', 'DS']],
  ['.', ['NS', 'ANY', 'DNSKEY']],
  ['srv.zone.test.', ['SRV', 'NAPTR', 'MX', 'RP', 'AFSDB', 'KX']],
];

const bits = (octets: Buffer, value: number): Buffer => {
  octets.writeUInt16BE(value, 2);
  return octets;
};

function headers(): Question[] {
  const example = () => plain('www.zone.test.', 'A');
  // Without NOTIFY and UPDATE, which the others support.
  const opcodes = [1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
  return [
    ['RD', bits(example(), 0x0100)],
    ['CD', bits(example(), 0x0010)],
    ['AD', bits(example(), 0x0020)],
    ['AD and CD with DO', withExtra(bits(example(), 0x0030), opt({ flags: 0x8000 }))],
    ['Z', bits(example(), 0x0040)],
    ['RA', bits(example(), 0x0080)],
    ['TC', bits(example(), 0x0200)],
    ['AA', bits(example(), 0x0400)],
    ['rcode in a question', bits(example(), 0x000f)],
    ['an answer', bits(example(), 0x8000)],
    ...opcodes.map((code): Question => [`opcode ${code}`, bits(example(), code << 11)]),
    ...opcodes.map((code): Question => [`opcode ${code} for the apex`, bits(plain('zone.test.', 'SOA'), code << 11)]),
    ...opcodes.map((code): Question => [`opcode ${code} without a question`, header(code << 11, [0, 0, 0, 0])]),
    ['no question', header(0, [0, 0, 0, 0])],
    ['one octet', Buffer.from([1])],
    ['eleven octets', header(0, [1]).subarray(0, 11)],
    ['a header that promises a question', header(0, [1])],
    ['two questions', Buffer.concat([header(0, [2]), example().subarray(12), example().subarray(12)])],
    ['65535 questions', Buffer.concat([header(0, [65535]), example().subarray(12)])],
    ['octets behind the end', Buffer.concat([example(), Buffer.from([1, 2, 3])])],
    ['a record that is promised only', Buffer.concat([header(0, [1, 0, 0, 1]), example().subarray(12)])],
    ['class CH', Buffer.from(example().fill(3, example().length - 1))],
    ['class HS', Buffer.from(example().fill(4, example().length - 1))],
    ['class NONE', Buffer.from(example().fill(254, example().length - 1))],
    ['class 255', Buffer.from(example().fill(255, example().length - 1))],
    ['class 0', Buffer.from(example().fill(0, example().length - 1))],
  ];
}

const question = (name: readonly number[], count = 1) =>
  Buffer.concat([header(0, [count]), Buffer.from(name), Buffer.from([0, 1, 0, 1])]);

function brokenNames(): Question[] {
  const long = Array.from({ length: 130 }, () => [1, 120]).flat();
  return [
    ['a name that points to itself', question([0xc0, 12])],
    ['a name that points beyond the end', question([0xff, 0xff])],
    ['a name that points into the header', question([0xc0, 0])],
    ['a reserved kind of label', question([0x41, 1, 2, 0])],
    ['a label of 63 that is not there', question([63, 1, 2])],
    ['a name of 260 octets', question([...long, 0])],
    ['a label with a zero octet', question([3, 0, 0, 0, 4, 122, 111, 110, 101, 4, 116, 101, 115, 116, 0])],
    ['a label with a dot', question([3, 97, 46, 98, 4, 122, 111, 110, 101, 4, 116, 101, 115, 116, 0])],
  ];
}

function edns(): Question[] {
  const ask = (...records: Buffer[]) => withExtra(plain('www.zone.test.', 'A'), ...records);
  const inAnswer = (octets: Buffer) => {
    octets.writeUInt16BE(1, 6);
    octets.writeUInt16BE(0, 10);
    return octets;
  };
  const rdata = (...options: Buffer[]) => opt({ rdata: Buffer.concat(options) });
  const cookie = (length: number) => rdata(option(10, Buffer.alloc(length, 7)));
  return [
    ['EDNS', ask(opt())],
    ['EDNS with payload 0', ask(opt({ payload: 0 }))],
    ['EDNS with DO', ask(opt({ flags: 0x8000 }))],
    ['EDNS with all flags', ask(opt({ flags: 0xffff }))],
    ['EDNS version 1', ask(opt({ version: 1 }))],
    ['EDNS version 255 for a foreign name', withExtra(plain('www.other.test.', 'A'), opt({ version: 255 }))],
    ['EDNS version 1 with a broken option', ask(opt({ version: 1, rdata: option(65001, Buffer.alloc(2), 9) }))],
    ['EDNS with an unknown option', ask(rdata(option(65001, Buffer.from('abc'))))],
    ['EDNS with an option that is too long', ask(rdata(option(65001, Buffer.alloc(2), 9)))],
    ['EDNS with half an option', ask(opt({ rdata: Buffer.from([0, 10, 0]) }))],
    ['EDNS with one octet', ask(opt({ rdata: Buffer.from([0]) }))],
    ['EDNS longer than the message', ask(opt({ length: 50 }))],
    ['two OPT', ask(opt(), opt())],
    ['OPT not at the root', ask(Buffer.concat([Buffer.from([0xc0, 12]), opt().subarray(1)]))],
    ['OPT in the answer section', inAnswer(ask(opt()))],
    ['cookie of 0', ask(cookie(0))],
    ['cookie of 7', ask(cookie(7))],
    ['cookie of 9', ask(cookie(9))],
    ['cookie of 15', ask(cookie(15))],
    ['cookie of 41', ask(cookie(41))],
    ['keepalive over UDP', ask(rdata(option(11, Buffer.alloc(0))))],
    ['padding', ask(rdata(option(12, Buffer.alloc(20))))],
    ['opcode 9 with EDNS version 1', bits(ask(opt({ version: 1 })), 9 << 11)],
  ];
}

function signed(): Question[] {
  const key = tsigKey('stranger.key', 'hmac-sha256', Buffer.alloc(32, 1).toString('base64'));
  const sign = (octets: Buffer, fudgeSeconds = 300) =>
    Buffer.from(signMessage(octets, key, { timeSeconds: Math.floor(Date.now() / 1_000), fudgeSeconds }).octets);
  const ordinary = sign(plain('www.zone.test.', 'A'));
  return [
    ['TSIG of a stranger', ordinary],
    ['TSIG of a stranger for a foreign zone', sign(plain('www.other.test.', 'A'))],
    ['TSIG of a stranger, with EDNS', sign(withExtra(plain('www.zone.test.', 'A'), opt()))],
    ['TSIG that is cut', ordinary.subarray(0, ordinary.length - 3)],
    ['TSIG that is not last', withExtra(ordinary, opt())],
  ];
}

export function hostileQuestions(): Question[] {
  const ordinary = names.flatMap(([name, types]) =>
    types.map((type): Question => [`${name} ${type}`, plain(name, type, { edns: plainEdns() })]),
  );
  return [...ordinary, ...headers(), ...brokenNames(), ...edns(), ...signed()];
}
