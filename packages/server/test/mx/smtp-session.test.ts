import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MailRoutes } from '../../src/core/mail-forwarding/routes.ts';
import { MailCounter } from '../../src/mx/mail-counter.ts';
import { MailPolicy } from '../../src/mx/mail-policy.ts';
import { lookupIn } from '../../src/mx/maps.ts';
import { MessageLimits } from '../../src/mx/message-limits.ts';
import { policy } from '../../src/mx/policy.ts';
import { type ProtocolServer, serveProtocol } from '../../src/mx/protocol-server.ts';
import { socketmap } from '../../src/mx/socketmap.ts';
import { Srs } from '../../src/mx/srs.ts';
import { addressesAtIps } from './addresses-at-ips.ts';

const mailDomain = 'forward.example';
const leaveToMap = 'reject_unlisted_recipient';
let time = Date.parse('2026-11-16T12:00:00Z');
const now = () => new Date(time);
const srs = new Srs(mailDomain, ['one-secret-of-ours'], now);
const routes = new MailRoutes('operator@service.example');
const to = (...addresses: string[]) => ({ kind: 'targets', addresses, spam: 'refuse' }) as const;
routes.put({
  domain_id: '7',
  name: 'shop.example',
  refused: null,
  routes: [
    ['info', to('a@home.example', 'b@home.example')],
    ['later', { kind: 'wait', why: 'nobody has confirmed' }],
    ['never', { kind: 'refused', why: 'takes no mail\r\nat all' }],
    ['all', { ...to('c@home.example'), spam: 'mark' }],
  ],
});
routes.put({
  domain_id: '8',
  name: 'whole.example',
  refused: null,
  routes: [
    ['own', to('d@home.example')],
    ['', { ...to('e@home.example'), isCatchAll: true }],
  ],
});
let isComplete = true;
let hasBegun = true;
let mailPolicy: MailPolicy;
let counts: MailCounter;
let limits: MessageLimits;
let maps: ProtocolServer;
let policyServer: ProtocolServer;

beforeAll(async () => {
  const parts = {
    routes,
    srs,
    mailDomain,
    mailHosts: ['mx.service.example'],
    postmaster: 'op@service.example',
  };
  maps = await serveProtocol(
    socketmap(lookupIn({ ...parts, hasBegun: () => hasBegun, isComplete: () => isComplete })),
    '127.0.0.1',
    0,
  );
  policyServer = await serveProtocol(
    policy((attributes) => mailPolicy.decide(attributes)),
    '127.0.0.1',
    0,
  );
});
beforeEach(() => {
  counts = new MailCounter();
  limits = new MessageLimits({ perHour: 3, perDay: 5 });
  mailPolicy = new MailPolicy({
    routes,
    isComplete: () => isComplete,
    srs,
    mailDomain,
    mailHosts: ['mx.service.example'],
    writtenDomains: ['service.example', mailDomain],
    limits,
    counts,
    now,
  });
});
afterAll(async () => {
  await maps.close();
  await policyServer.close();
});

/** Everything received until the connection is closed, or up to a length. */
function exchange(
  server: ProtocolServer,
  pieces: readonly (string | Buffer)[],
  enough = Number.POSITIVE_INFINITY,
): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(server.port, '127.0.0.1', async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((wait) => setTimeout(wait, 2));
      }
    });
    socket.on('data', (piece) => {
      text += piece.toString();
      if (text.length >= enough) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

const netstring = (text: string) => `${Buffer.byteLength(text)}:${text},`;
async function lookUp(map: string, key: string): Promise<string> {
  const reply = await exchange(maps, [netstring(`${map} ${key}`)], 1);
  return /^\d+:(.*),$/s.exec(reply)![1]!;
}
const rcpt = (recipient: string, more: Record<string, string> = {}) =>
  `${Object.entries({ request: 'smtpd_access_policy', protocol_state: 'RCPT', recipient, instance: '1', ...more })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')}\n`;
const decide = async (recipient: string, more?: Record<string, string>) =>
  /^action=(.*)\n\n$/.exec(await exchange(policyServer, [rcpt(recipient, more)], 1))![1]!;

test('returns destinations from the maps, and not found for unknown keys', async () => {
  expect(await lookUp('domain', 'Shop.example')).toBe('OK shop.example');
  expect(await lookUp('domain', mailDomain)).toBe(`OK ${mailDomain}`);
  expect(await lookUp('domain', 'other.example')).toBe('NOTFOUND ');
  isComplete = false;
  expect(await lookUp('domain', 'other.example')).toMatch(/^TEMP /);
  expect(await lookUp('domain', 'shop.example')).toBe('OK shop.example');
  expect(await decide('a@other.example')).toMatch(/^450 4\.3\.0 /);
  // With only the copy loaded, outgoing senders are rewritten.
  expect(await lookUp('route', 'a@other.example')).toBe('NOTFOUND ');
  hasBegun = false;
  expect(await lookUp('route', 'a@other.example')).toMatch(/^TEMP /);
  [hasBegun, isComplete] = [true, true];
  expect(await lookUp('route', 'Info+x@shop.example')).toBe('OK a@home.example,b@home.example');
  expect(await lookUp('route', 'later@shop.example')).toBe('TEMP nobody has confirmed');
  for (const key of ['never@shop.example', 'nobody@shop.example', 'info', '@shop.example', 'a@other.example', ''])
    expect(await lookUp('route', key), key).toBe('NOTFOUND ');
  expect(await lookUp('route', 'abuse@shop.example')).toBe('OK operator@service.example');
  expect(await lookUp('route', `Postmaster@${mailDomain}`)).toBe('OK op@service.example');
  expect(await lookUp('srs_out', 'Sari@author.example')).toBe(`OK ${srs.forward('Sari@author.example')}`);
  // Nothing proves that the service wrote these.
  for (const claimed of ['notices@service.example', 'doctor@mx.service.example'])
    expect(await lookUp('srs_out', claimed)).toBe(`OK ${srs.forward(claimed)}`);
  expect(await lookUp('srs_out', 'Sari@author.example.')).toBe(`OK ${srs.forward('Sari@author.example')}`);
  for (const own of [`a@${mailDomain}`, 'double-bounce@MX.service.example', '', '""'])
    expect(await lookUp('srs_out', own)).toBe('NOTFOUND ');
  expect(await lookUp('srs_in', srs.forward('Sari@author.example')!)).toBe('OK Sari@author.example');
  expect(await lookUp('srs_in', `SRS0=AAAAAAAA=AA=author.example=sari@${mailDomain}`)).toBe('NOTFOUND ');
  for (const map of ['constructor', 'nothing']) expect(await lookUp(map, 'a')).toMatch(/^PERM /);
  expect(await lookUp('', 'a')).toMatch(/^PERM /);
});

test("returns the spam setting of a message's recipients to rspamd", async () => {
  for (const [recipients, wanted] of [
    ['info@shop.example', 'OK refuse'],
    ['All+x@SHOP.example', 'OK mark'],
    ['all@shop.example info@shop.example', 'OK refuse'],
    ['guessed@whole.example', 'OK catch_all'],
    ['guessed@whole.example other@whole.example', 'OK catch_all'],
    ['guessed@whole.example own@whole.example', 'OK refuse'],
    ['all@shop.example guessed@whole.example', 'OK refuse'],
    ['nobody@shop.example all@shop.example', 'OK mark'],
    [`nobody@shop.example later@shop.example a@other.example postmaster@${mailDomain}`, 'NOTFOUND '],
    ['', 'NOTFOUND '],
    [`${'a'.repeat(64)}@whole.example `.repeat(50).trim(), 'OK catch_all'],
  ] as const)
    expect(await lookUp('spam', recipients), recipients).toBe(wanted);
});

test('defers a recipient with another spam setting, so that it gets a separate copy', async () => {
  const send = (recipient: string, instance: string) => decide(recipient, { instance });
  expect(await send('info@shop.example', 'a')).toBe('OK');
  expect(await send('all@shop.example', 'a')).toMatch(/^452 4\.5\.3 /);
  expect(await send('guessed@whole.example', 'a')).toBe('OK');
  expect(await send('all@shop.example', 'b')).toBe('OK');
  expect(await send('info@shop.example', 'b')).toMatch(/^452 4\.5\.3 /);
  for (const instance of ['a', 'b'])
    await decide('', { instance, protocol_state: 'END-OF-MESSAGE', queue_id: instance });
  const rows = mailPolicy.takeCounts().map(({ domain_id, outcome, messages }) => `${domain_id} ${outcome} ${messages}`);
  expect(rows.sort()).toEqual(['7 forwarded 2', '8 forwarded 1']);
});

test('does not count mail that rspamd refused or never saw against the limit', async () => {
  const completeMove = async (id: string) => {
    const reply = await decide('info@shop.example', { instance: id });
    await decide('', { instance: id, protocol_state: 'END-OF-MESSAGE', queue_id: id });
    return reply;
  };
  const counted = () => mailPolicy.takeCounts().map(({ outcome, messages }) => `${outcome} ${messages}`);
  // No rspamd has reported here.
  expect([await completeMove('a'), counted()]).toEqual(['OK', ['forwarded 1']]);
  const results = ['spam', 'refused', 'deferred', 'taken'] as const;
  for (const [at, word] of results.entries()) {
    expect(await completeMove(`b${at}`), word).toBe('OK');
    expect([
      mailPolicy.recordResult(`b${at} ${word}`),
      mailPolicy.recordResult(`b${at} ${word}`),
      mailPolicy.recordResult(`unknown ${word}`),
    ]).toEqual([true, true, true]);
  }
  for (const word of ['', 'b1', 'b1 constructor', ' ']) expect(mailPolicy.recordResult(word)).toBe(false);
  expect(counted()).toEqual(['spam 1', 'refused 1', 'deferred 1', 'forwarded 1']);
  // Two of three were accepted. One more has no result yet, so there is no room until then.
  expect(await completeMove('c')).toBe('OK');
  expect(await completeMove('d')).toMatch(/^450 4\.7\.1 /);
  expect(counted()).toEqual(['limited 1']);
  time += 119_000;
  expect(counted()).toEqual([]);
  time += 1_000;
  expect(counted()).toEqual(['deferred 1']);
  expect(await completeMove('e')).toBe('OK');
});

test('accepts many requests on a connection, in pieces or at once', async () => {
  const one = netstring('domain shop.example');
  const answer = netstring('OK shop.example');
  expect(await exchange(maps, [...one], answer.length)).toBe(answer);
  expect(await exchange(maps, [one.repeat(5_000)], 5_000 * answer.length)).toBe(answer.repeat(5_000));
});

test('closes the connection after invalid input', async () => {
  for (const bytes of [
    'GET / HTTP/1.1\r\n\r\n',
    '-1:,',
    '01:a,',
    '99999:a',
    '16001:a',
    '100000:',
    '3:abcd',
    '9'.repeat(10_000),
    Buffer.from([0xff, 0, 1, 2]),
  ])
    expect(await exchange(maps, [bytes])).toBe('');
  expect(await exchange(policyServer, ['x'.repeat(20_000)])).toBe('');
  expect(await exchange(policyServer, ['no attribute\n\n'])).toBe('');
  expect(await exchange(policyServer, [`${'a=b\n'.repeat(200)}\n`])).toBe('');
});

test('returns the reason to a refused recipient in one line', async () => {
  expect(await decide('info@shop.example')).toBe('OK');
  expect(await decide('nobody@SHOP.example')).toMatch(/^550 5\.1\.1 /);
  expect(await decide('later@shop.example')).toBe('450 4.2.1 nobody has confirmed');
  expect(await decide('never@shop.example')).toBe('550 5.2.1 takes no mail at all');
  // Cases that the policy leaves to the map.
  for (const other of ['a@other.example', 'nobody', '', `postmaster@${mailDomain}`])
    expect(await decide(other), other).toBe(leaveToMap);
  expect(await decide('info@shop.example', { protocol_state: 'DATA' })).toBe('DUNNO');
  expect(counts.take().map(({ outcome, messages }) => `${outcome} ${messages}`)).toEqual(['refused 2', 'deferred 1']);
});

test('refuses a sender that cannot be rewritten, and one in our own domain', async () => {
  const decideFor = (sender: string) => decide('info@shop.example', { sender });
  for (const sender of ['', 'a.b+c=d@sender.example', srs.forward('x@sender.example')!, 'notices@service.example'])
    expect(await decideFor(sender), sender).toBe('OK');
  for (const sender of ['"a b"@sender.example', 'a b@sender.example', 'a@b@sender.example', 'x, y@sender.example'])
    expect(await decideFor(sender), sender).toMatch(/^553 5\.1\.7 /);
  for (const sender of [`ceo@${mailDomain}`, `SRS0=AAAAAAAA=AA=x.example=y@${mailDomain}`, 'x@Namehold.invalid'])
    expect(await decideFor(sender), sender).toMatch(/^550 5\.7\.1 /);
});

test('refuses senders with an IP address in any form in place of a domain, and rewrites none of them', async () => {
  for (const sender of addressesAtIps) {
    expect(await decide('info@shop.example', { sender }), sender).toMatch(/^553 5\.1\.7 .* IP address/);
    expect(srs.forward(sender), sender).toBeUndefined();
    expect(await lookUp('srs_out', sender), sender).toBe('NOTFOUND ');
  }
  for (const sender of ['x@1.2.3.example', 'x@4711.example', 'x@0x7f.example', 'x@fe80.example', 'x@bücher.example'])
    expect(await decide('info@shop.example', { sender }), sender).toBe('OK');
});

test('refuses senders that would be forwarded without a return address of ours', async () => {
  const decideFor = (sender: string, more: Record<string, string> = {}) =>
    decide('info@shop.example', { sender, ...more });
  for (const sender of [
    'x@[1.2.3.4]',
    'x@[IPv6:2001:db8::1]',
    'ceo',
    'ceo@',
    '@sender.example',
    'x@.',
    `${'x'.repeat(485)}@sender.example`,
  ])
    expect(await decideFor(sender), sender).toMatch(/^553 5\.1\.7 /);
  const forged = [`anyone@${mailDomain.toUpperCase()}.`, `notices@${mailDomain}`, 'Double-Bounce@mx.service.example.'];
  for (const sender of forged)
    expect(await decideFor(sender, { client_address: '203.0.113.5' }), sender).toMatch(/^550 5\.7\.1 /);
  for (const proof of [{ client_address: '127.0.0.1' }, { client_address: '203.0.113.5', sasl_username: 'service' }])
    expect(await decideFor(`notices@${mailDomain}`, proof)).toBe('OK');
});

test('accepts an address that leads through ten others, and refuses one through more', async () => {
  for (let place = 1; place <= 12; place++)
    routes.put({
      domain_id: String(100 + place),
      name: `chain-${place}.example`,
      refused: null,
      routes: [['a', to(place === 12 ? 'z@home.example' : `a@chain-${place + 1}.example`)]],
    });
  expect(await decide('a@chain-3.example')).toBe('OK');
  expect(await decide('a@chain-2.example')).toBe('550 5.4.6 This address is forwarded more than 10 times');
  for (let place = 1; place <= 12; place++) routes.remove(String(100 + place));
});

test('limits messages of a domain by hour and day', async () => {
  const send = async (instance: string) => {
    const reply = await decide('info@shop.example', { instance });
    if (reply !== 'OK') return reply;
    // A second recipient of the same message counts once.
    await decide('info+b@shop.example', { instance });
    return decide('', { instance, protocol_state: 'END-OF-MESSAGE' });
  };
  // Requests without a message do not count.
  for (let at = 0; at < 10; at++) expect(await decide('info@shop.example', { instance: `x${at}` })).toBe('OK');
  for (const each of ['1', '2', '3']) expect(await send(each)).toBe('DUNNO');
  expect(await send('4')).toMatch(/^450 4\.7\.1 /);
  time += 3_600_000;
  for (const each of ['5', '6']) expect(await send(each)).toBe('DUNNO');
  expect(await send('7')).toMatch(/^450 4\.7\.1 /);
  time += 86_400_000;
  expect(await send('8')).toBe('DUNNO');
  // Counts of other mail hosts are added; later messages of this one are kept.
  limits.restore({ domain_id: '7', in_hour: '0', in_day: '0' }, now());
  limits.restore({ domain_id: '7', in_hour: '2', in_day: '2' }, now());
  expect(await send('9')).toBe('DUNNO');
  expect(await send('10')).toMatch(/^450 4\.7\.1 /);
  time += 3_600_000;
  limits.restore({ domain_id: '7', in_hour: '0', in_day: '5' }, now());
  expect(await send('11')).toMatch(/^450 4\.7\.1 /);
  const rows = mailPolicy.takeCounts();
  const sum = (wanted: string) => rows.filter(({ outcome }) => outcome === wanted).reduce((n, r) => n + r.messages, 0);
  expect([sum('forwarded'), sum('limited'), rows.every((row) => row.domain_id === '7')]).toEqual([7, 4, true]);
  counts.putBack(rows);
  expect(counts.take()).toEqual(rows);
});

test('checks the hash of return addresses, and accepts sixty returns a minute', async () => {
  const address = srs.forward('sari@author.example')!;
  expect(await decide(address.replace('SRS0=', 'SRS0=X'))).toMatch(/^550 5\.1\.1 /);
  for (let at = 0; at < 60; at++)
    expect(
      mailPolicy.decide(
        new Map([
          ['protocol_state', 'RCPT'],
          ['recipient', address],
        ]),
      ),
    ).toBe(leaveToMap);
  expect(await decide(address)).toMatch(/^450 4\.7\.1 /);
  expect(await decide(srs.forward('other@author.example')!)).toBe(leaveToMap);
  time += 60_000;
  expect(await decide(address)).toBe(leaveToMap);
});
