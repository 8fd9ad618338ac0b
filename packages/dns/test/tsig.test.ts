import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CLASS,
  findTsig,
  parseRecord,
  query,
  RCODE,
  readMessage,
  refusalAnswer,
  reply,
  signMessage,
  TSIG_ALGORITHMS,
  type TsigAlgorithm,
  TsigStreamSigner,
  TsigStreamVerifier,
  tsigKey,
  verifyMessage,
  writeMessage,
} from '../src/index.ts';
import { client, type Listening, serve } from './loopback.ts';

const NOW = 1_700_000_000;
const SECRET = Buffer.alloc(32, 5).toString('base64');
const key = tsigKey('Key.Example', 'hmac-sha256', SECRET);
const find = (name: string) => (name === key.name ? key : undefined);
const request = writeMessage(query(0x1234, 'example.com.', 'SOA'));
const sign = (timeSeconds = NOW) => signMessage(request, key, { timeSeconds });

describe('TSIG signing', () => {
  it('computes the HMAC of RFC 8945, section 4.3', () => {
    const variables = Buffer.concat([
      Buffer.from('\u0003key\u0007example\u0000', 'latin1'),
      Buffer.from('00ff00000000', 'hex'),
      Buffer.from('\u000bhmac-sha256\u0000', 'latin1'),
      Buffer.from(`0000${NOW.toString(16)}`, 'hex'),
      Buffer.from('012c00000000', 'hex'),
    ]);
    const mac = createHmac('sha256', Buffer.alloc(32, 5)).update(request).update(variables).digest();
    expect(Buffer.from(sign().mac).equals(mac)).toBe(true);
    const signed = findTsig(sign().octets);
    expect(signed?.record).toMatchObject({
      keyName: 'key.example.',
      algorithmName: 'hmac-sha256.',
      timeSigned: NOW,
      fudgeSeconds: 300,
      originalId: 0x1234,
    });
    expect(Buffer.from(signed!.unsigned).equals(request)).toBe(true);
    expect(readMessage(sign().octets).additional.at(-1)?.type).toBe('TSIG');
  });

  it.each(Object.keys(TSIG_ALGORITHMS) as TsigAlgorithm[])('verifies what it signs with %s', (algorithm) => {
    const other = tsigKey('k.', algorithm, SECRET);
    const signed = signMessage(request, other, { timeSeconds: NOW });
    expect(signed.mac.length).toBe(TSIG_ALGORITHMS[algorithm].macOctets);
    expect(verifyMessage(signed.octets, () => other, { nowSeconds: NOW + 299 }).state).toBe('valid');
  });

  it('verifies after a forwarder changed the id', () => {
    const octets = Uint8Array.from(sign().octets);
    octets[0] = 0x99;
    expect(verifyMessage(octets, find, { nowSeconds: NOW }).state).toBe('valid');
  });
});

describe('TSIG verification', () => {
  const refused = (octets: Uint8Array, nowSeconds = NOW, lookup = find) =>
    verifyMessage(octets, lookup, { nowSeconds });

  it('reports an unsigned message as unsigned', () => expect(refused(request)).toEqual({ state: 'unsigned' }));
  it('returns BADKEY for an unknown key', () =>
    expect(refused(sign().octets, NOW, () => undefined)).toMatchObject({ reason: 'BADKEY' }));
  it('returns BADKEY for another algorithm', () => {
    const other = tsigKey('key.example', 'hmac-sha512', SECRET);
    expect(refused(sign().octets, NOW, () => other)).toMatchObject({ reason: 'BADKEY' });
  });
  it('returns BADTIME outside the fudge, before and after', () => {
    expect(refused(sign().octets, NOW + 301)).toMatchObject({ reason: 'BADTIME' });
    expect(refused(sign().octets, NOW - 301)).toMatchObject({ reason: 'BADTIME' });
  });
  it("returns BADTIME by the smaller of the signer's fudge and ours", () => {
    const signed = (fudgeSeconds: number) => signMessage(request, key, { timeSeconds: NOW, fudgeSeconds }).octets;
    expect(refused(signed(30_000), NOW + 301)).toMatchObject({ reason: 'BADTIME' });
    expect(refused(signed(30_000), NOW + 300)).toMatchObject({ state: 'valid' });
    expect(refused(signed(10), NOW + 11)).toMatchObject({ reason: 'BADTIME' });
    expect(refused(signed(10), NOW - 10)).toMatchObject({ state: 'valid' });
  });
  it('returns BADSIG for every single flipped bit of the message', () => {
    const { octets } = sign();
    for (let at = 2; at < request.length; at++) {
      const broken = Uint8Array.from(octets);
      broken[at]! ^= 1;
      expect(['BADSIG', 'FORMERR']).toContain((refused(broken) as { reason?: string }).reason);
    }
  });
  it('returns BADTRUNC for a shortened MAC, and FORMERR for one of a few octets', () => {
    const shortened = (octets: number) => {
      const full = sign().octets;
      const macAt = full.length - 6 - 32;
      const cut = Buffer.concat([
        full.subarray(0, macAt - 2),
        Uint8Array.of(0, octets),
        full.subarray(macAt, macAt + octets),
        full.subarray(-6),
      ]);
      const lengthAt = request.length + 13 + 8;
      cut.writeUInt16BE(cut.readUInt16BE(lengthAt) - (32 - octets), lengthAt);
      return cut;
    };
    expect(refused(shortened(16))).toMatchObject({ reason: 'BADTRUNC' });
    // RFC 8945 5.2.2.1: never less than half of it.
    expect(refused(shortened(15))).toMatchObject({ reason: 'FORMERR' });
    expect(refused(shortened(4))).toMatchObject({ reason: 'FORMERR' });
  });
  it('returns FORMERR if the TSIG is not last', () => {
    const { octets } = sign();
    const twice = Buffer.concat([octets, octets.subarray(request.length)]);
    twice.writeUInt16BE(2, 10);
    expect(refused(twice)).toMatchObject({ reason: 'FORMERR' });
  });

  it('answers BADKEY and BADSIG unsigned, and BADTIME signed with our time', () => {
    const badKey = refused(sign().octets, NOW, () => undefined);
    const badTime = refused(sign().octets, NOW + 1000);
    if (badKey.state !== 'refused' || badTime.state !== 'refused') throw new Error('not refused');
    const first = refusalAnswer(sign().octets, badKey, NOW)!;
    expect(readMessage(first).rcode).toBe(RCODE.NOTAUTH);
    expect(findTsig(first)?.record).toMatchObject({ error: RCODE.BADKEY });
    expect(findTsig(first)?.record.mac.length).toBe(0);
    const second = refusalAnswer(sign().octets, badTime, NOW + 1000)!;
    expect(readMessage(second).rcode).toBe(RCODE.NOTAUTH);
    expect(findTsig(second)?.record).toMatchObject({ error: RCODE.BADTIME, timeSigned: NOW });
    expect(Buffer.from(findTsig(second)!.record.other).readUIntBE(0, 6)).toBe(NOW + 1000);
    expect(verifyMessage(second, find, { nowSeconds: NOW, requestMac: sign().mac })).toMatchObject({
      reason: 'PEER_ERROR',
    });
    expect(verifyMessage(first, find, { nowSeconds: NOW, requestMac: sign().mac })).toMatchObject({
      reason: 'PEER_ERROR',
    });
  });
});

describe('TSIG of a stream of messages', () => {
  const messages = Array.from({ length: 5 }, (_, at) => writeMessage(query(at, `m${at}.example.`, 'A')));

  it('is chained, and detects a missing, swapped or changed message', () => {
    const { mac } = sign();
    const signer = new TsigStreamSigner(key, mac);
    const stream = messages.map((message) => signer.sign(message, NOW));
    const verify = (list: readonly Uint8Array[]) => {
      const verifier = new TsigStreamVerifier(key, mac);
      return list.map((octets) => verifier.verify(octets, NOW).state);
    };
    expect(verify(stream)).toEqual(new Array(5).fill('valid'));
    expect(verify([stream[0]!, stream[2]!])).toEqual(['valid', 'refused']);
    expect(verify([stream[1]!])).toEqual(['refused']);
    expect(new TsigStreamVerifier(key, Uint8Array.of(1)).verify(stream[0]!, NOW).state).toBe('refused');
  });

  it('accepts unsigned messages in between, but not first', () => {
    const verifier = new TsigStreamVerifier(key, sign().mac);
    expect(verifier.verify(messages[0]!, NOW)).toMatchObject({ state: 'refused' });
    const signer = new TsigStreamSigner(key, sign().mac);
    expect(verifier.verify(signer.sign(messages[0]!, NOW), NOW).state).toBe('valid');
    expect(verifier.verify(messages[1]!, NOW).state).toBe('valid');
    expect(verifier.lastWasSigned).toBe(false);
  });

  it('accepts at most 99 unsigned messages in succession', () => {
    const verifier = new TsigStreamVerifier(key, sign().mac);
    expect(verifier.lastWasSigned).toBe(false);
    verifier.verify(new TsigStreamSigner(key, sign().mac).sign(messages[0]!, NOW), NOW);
    expect(verifier.lastWasSigned).toBe(true);
    const states = Array.from({ length: 100 }, () => verifier.verify(messages[1]!, NOW).state);
    expect(states.slice(0, 99)).toEqual(new Array(99).fill('valid'));
    expect(states[99]).toBe('refused');
  });

  it('requires one key, the same name and the current time', () => {
    const signed = new TsigStreamSigner(key, sign().mac).sign(messages[0]!, NOW);
    const verify = (name: string, at = NOW) =>
      new TsigStreamVerifier(tsigKey(name, 'hmac-sha256', SECRET), sign().mac).verify(signed, at);
    expect(verify('key.example').state).toBe('valid');
    expect(verify('other.example')).toEqual({ state: 'refused', reason: 'BADKEY' });
    expect(verify('key.example', NOW + 301)).toEqual({ state: 'refused', reason: 'BADTIME' });
    expect(new TsigStreamVerifier(key, sign().mac).verify(signed.subarray(0, 20), NOW)).toEqual({
      state: 'refused',
      reason: 'FORMERR',
    });
  });
});

describe('TSIG with kdig', () => {
  let server: Listening;
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const soa = {
    name: 'example.com.',
    type: 'SOA',
    class: CLASS.IN,
    ttl: 60,
    rdata: parseRecord('SOA', 'a. b. 1 2 3 4 5').wire,
  };
  const keys = new Map(
    (Object.keys(TSIG_ALGORITHMS) as TsigAlgorithm[]).map((algorithm) => [
      `${algorithm}-key.`,
      tsigKey(`${algorithm}-key.`, algorithm, SECRET),
    ]),
  );

  beforeAll(async () => {
    server = await serve((octets) => {
      const result = verifyMessage(octets, (name) => keys.get(name), { nowSeconds: nowSeconds() });
      if (result.state === 'refused') return [refusalAnswer(octets, result, nowSeconds())!];
      const answer = writeMessage({ ...reply(readMessage(octets), 0), answer: [soa] });
      if (result.state === 'unsigned') return [writeMessage(reply(readMessage(octets), RCODE.REFUSED))];
      return [signMessage(answer, result.key, { timeSeconds: nowSeconds(), requestMac: result.record.mac }).octets];
    });
  });
  afterAll(() => server.close());
  const kdig = (...args: string[]) =>
    client('kdig', ['@127.0.0.1', '-p', String(server.port), 'example.com', 'SOA', '+retry=0', ...args]);

  it.each(Object.keys(TSIG_ALGORITHMS))('verifies %s on both sides', async (algorithm) => {
    const output = await kdig('-y', `${algorithm}:${algorithm}-key:${SECRET}`);
    expect(output).toContain('NOERROR');
    expect(output).toContain('a. b. 1 2 3 4 5');
    expect(output).not.toMatch(/WARNING|ERROR:|failed/);
  });

  it('returns NOTAUTH for a wrong secret and an unknown key', async () => {
    const wrong = await kdig('-y', `hmac-sha256:hmac-sha256-key:${Buffer.alloc(32, 6).toString('base64')}`);
    expect(wrong).toMatch(/NOTAUTH|BADSIG/);
    expect(await kdig('-y', `hmac-sha256:stranger:${SECRET}`)).toMatch(/NOTAUTH|BADKEY/);
  });
});
