import { expect, it } from 'vitest';
import { sipHash24 } from '../src/answer/siphash.ts';
import {
  answerQuery,
  buildRRset,
  isOwnCookie,
  makeCookie,
  plainEdns,
  query,
  RateLimiter,
  RCODE,
  readMessage,
  ServedZone,
  writeMessage,
  ZoneTable,
} from '../src/index.ts';

const octets = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

it('computes SipHash-2-4 like the reference implementation', () => {
  const key = Uint8Array.from({ length: 16 }, (_, at) => at);
  const message = (length: number) => Uint8Array.from({ length }, (_, at) => at);
  expect(hex(sipHash24(key, message(0)))).toBe('310e0edd47db6f72');
  expect(hex(sipHash24(key, message(1)))).toBe('fd67dc93c539f874');
  expect(hex(sipHash24(key, message(15)))).toBe('e545be4961ca29a1');
});

it('computes the cookies of RFC 9018, appendix A', () => {
  const secret = octets('e5e973e5a6b2a43f48e7dc849e37bfcf');
  const client = octets('2464c4abcf10c957');
  const made = makeCookie({ secrets: [secret] }, client, '198.51.100.100', 1_559_731_985);
  expect(hex(made)).toBe('2464c4abcf10c957010000005cf79f111f8130c3eee29480');
  const other = octets('dd3bdf9344b678b185a6f5cb60fca715');
  const rolled = octets('445536bcd2513298075a5d379663c962');
  const ipv6 = '2001:db8:220:1:59de:d0f4:8769:82b8';
  const theirs = octets('22681ab97d52c298010000005cf7c57926556bd0934c72f8');
  expect(isOwnCookie({ secrets: [other] }, theirs, ipv6, 1_559_741_961)).toBe(true);
  // The secret was changed; the old one is still accepted.
  expect(isOwnCookie({ secrets: [rolled, other] }, theirs, ipv6, 1_559_741_961)).toBe(true);
  expect(isOwnCookie({ secrets: [rolled] }, theirs, ipv6, 1_559_741_961)).toBe(false);
  expect(isOwnCookie({ secrets: [other] }, theirs, '2001:db8::1', 1_559_741_961)).toBe(false);
  expect(isOwnCookie({ secrets: [other] }, theirs, ipv6, 1_559_741_817 + 3_601)).toBe(false);
  expect(isOwnCookie({ secrets: [other] }, theirs, ipv6, 1_559_741_817 - 301)).toBe(false);
});

const zones = new ZoneTable();
const set = (type: string, records: string[]) =>
  buildRRset({ name: '@', type, ttl: 300, records }, { origin: 'a.test.' }).rrset;
zones.put(new ServedZone('a.test.', [set('SOA', ['a. b. 1 7200 3600 1209600 300']), set('A', ['192.0.2.1'])]));

function asker(address: string, rate: RateLimiter, nowSeconds = 1_000) {
  const cookies = { secrets: [new Uint8Array(16)] };
  return (cookie?: Uint8Array, transport: 'udp' | 'tcp' = 'udp', name = 'a.test.') => {
    const options = cookie ? [{ code: 10, octets: cookie }] : [];
    const request = writeMessage({ ...query(1, name, 'A'), edns: { ...plainEdns(), options } });
    const answer = answerQuery(zones, request, { transport, address, nowSeconds, cookies, rate });
    return answer && readMessage(answer);
  };
}

it('limits a flood to one network, not other networks, TCP or clients with a cookie', () => {
  const rate = new RateLimiter({ perSecond: 5, slip: 2, seed: 7 });
  const ask = asker('192.0.2.77', rate);
  const answers = Array.from({ length: 25 }, () => ask());
  const whole = answers.filter((answer) => answer?.answer.length === 1);
  const cut = answers.filter((answer) => answer?.flags.truncated);
  expect([whole.length, cut.length, answers.filter((answer) => !answer).length]).toEqual([5, 10, 10]);
  expect(asker('192.0.2.78', rate)()?.answer.length).not.toBe(1);
  expect(asker('192.0.3.77', rate)()?.answer.length).toBe(1);
  expect(asker('192.0.2.77', rate)(undefined, 'tcp')?.answer.length).toBe(1);
  // The cookie came with an answer over TCP, or with a truncated one.
  const first = cut.length > 0 && asker('192.0.2.77', rate)(new Uint8Array(8), 'tcp');
  const cookie = first ? first.edns!.options[0]!.octets : undefined;
  expect(cookie).toHaveLength(24);
  for (let count = 0; count < 20; count++) expect(ask(cookie)?.answer.length).toBe(1);
  const foreign = Uint8Array.from(cookie!);
  foreign[20]! ^= 1;
  expect(Array.from({ length: 20 }, () => ask(foreign)?.answer.length).filter(Boolean)).toEqual([]);
  expect(asker('192.0.2.77', rate, 1_100)()?.answer.length).toBe(1);
});

it('applies one limit to random names, and one to refusals', () => {
  const rate = new RateLimiter({ perSecond: 5, slip: 0, seed: 7 });
  const ask = asker('2001:db8:1:2::1', rate);
  const made = Array.from({ length: 20 }, (_, n) => ask(undefined, 'udp', `x${n}.a.test.`)?.rcode);
  expect(made.filter((rcode) => rcode === RCODE.NXDOMAIN)).toHaveLength(5);
  const foreign = Array.from({ length: 20 }, (_, n) => ask(undefined, 'udp', `x${n}.test.`)?.rcode);
  expect(foreign.filter((rcode) => rcode === RCODE.REFUSED)).toHaveLength(5);
  expect(asker('2001:db8:1:ff::1', rate)(undefined, 'udp', 'x.test.')).toBeUndefined();
  expect(asker('2001:db8:1:100::1', rate)(undefined, 'udp', 'x.test.')?.rcode).toBe(RCODE.REFUSED);
});

it('answers a cookie request without a question, and verifies a server cookie', () => {
  const header = octets('00070000000000000000000100002904d000000000000c000a0008');
  const request = Buffer.concat([header, octets('0102030405060708')]);
  const options = { address: '192.0.2.1', nowSeconds: 1_000, cookies: { secrets: [new Uint8Array(16)] } };
  for (const transport of ['udp', 'tcp'] as const) {
    const answer = readMessage(answerQuery(zones, request, { ...options, transport })!);
    expect([answer.id, answer.rcode, answer.question.length]).toEqual([7, RCODE.NOERROR, 0]);
    const cookie = answer.edns!.options.find(({ code }) => code === 10)!.octets;
    expect(cookie).toHaveLength(24);
    expect(isOwnCookie(options.cookies, cookie, options.address, options.nowSeconds)).toBe(true);
  }
  // RFC 7873 5.4: a server cookie is confirmed, or refused with a fresh one.
  const length = (octets: number) => Buffer.from([0, octets + 4, 0, 10, 0, octets]);
  const confirm = (cookie: Uint8Array, transport: 'udp' | 'tcp', address = options.address) => {
    const cookieRequest = Buffer.concat([header.subarray(0, -6), length(cookie.length), cookie]);
    const answer = readMessage(answerQuery(zones, cookieRequest, { ...options, address, transport })!);
    const given = answer.edns!.options.find(({ code }) => code === 10)!.octets;
    return [answer.rcode, answer.question.length, isOwnCookie(options.cookies, given, address, options.nowSeconds)];
  };
  const own = makeCookie(options.cookies, octets('0102030405060708'), options.address, options.nowSeconds);
  for (const transport of ['udp', 'tcp'] as const) {
    expect(confirm(own, transport)).toEqual([RCODE.NOERROR, 0, true]);
    expect(confirm(own, transport, '192.0.2.2')).toEqual([RCODE.BADCOOKIE, 0, true]);
    expect(confirm(octets('0102030405060708'.repeat(2)), transport)).toEqual([RCODE.BADCOOKIE, 0, true]);
  }
  // Neither a question nor a cookie.
  const empty = readMessage(answerQuery(zones, request.subarray(0, 12).fill(0, 10), { ...options, transport: 'udp' })!);
  expect(empty.rcode).toBe(RCODE.FORMERR);
});
