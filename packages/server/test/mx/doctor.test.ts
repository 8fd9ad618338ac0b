import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decode, encode, type PacketAnswer } from 'dns-packet';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../test/support/ports.ts';
import { probeEdge } from '../../src/embedded/edge-probes.ts';
import { probeOutwards, probeResolver } from '../../src/embedded/mail-host-probes.ts';
import { probeMail } from '../../src/embedded/mail-probes.ts';
import { type ProtocolServer, serveProtocol } from '../../src/mx/protocol-server.ts';
import { socketmap } from '../../src/mx/socketmap.ts';

const records: Record<string, PacketAnswer['data']> = {
  'TXT forward.example': ['v=spf1 mx -all'],
  'A mx1.service.example': '127.0.0.1',
  'AAAA mx1.service.example': '2001:db8::25',
  'PTR 5.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': 'mx1.service.example',
  'A mx2.service.example': '127.0.0.2',
  'PTR 1.0.0.127.in-addr.arpa': 'MX1.service.example',
  'PTR 2.0.0.127.in-addr.arpa': 'vps-2.provider.example',
  'MX service.example': { preference: 10, exchange: 'mail.service.example' },
  'A mail.service.example': '127.0.0.2',
  'MX closed.example': { preference: 10, exchange: 'mail.closed.example' },
  'A mail.closed.example': '127.0.0.3',
  'MX own.example': { preference: 10, exchange: 'MX1.service.example' },
};
const environment = {
  abuseAddress: 'operator@service.example',
  postconf: [],
  postqueue: [],
  mxSmtp: { host: '127.0.0.1', port: 25 },
  mxCertificateFile: undefined,
};
const dns = createSocket('udp4');
const secure = new SMTPServer({ authOptional: true, closeTimeout: 100 });
const plain = new SMTPServer({ authOptional: true, closeTimeout: 100, disabledCommands: ['STARTTLS'] });
let maps: ProtocolServer;
let isValidating = true;
let dnsPort: number;
let smtpPort: number;

beforeAll(async () => {
  dns.on('message', (message, from) => {
    const { id, questions } = decode(message);
    const [{ name, type }] = questions as [{ name: string; type: string }];
    const data = records[`${type} ${name.toLowerCase()}`];
    const answers = data === undefined ? [] : [{ type, name, ttl: 60, data }];
    const flags = 0x0180 | (data === undefined ? 3 : 0) | (isValidating ? 0x20 : 0);
    dns.send(encode({ type: 'response', id: id!, flags, questions: questions!, answers }), from.port, from.address);
  });
  [dnsPort, smtpPort] = [await freePort(), await freePort()];
  await new Promise<void>((resolve) => dns.bind(dnsPort, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => secure.listen(smtpPort, '127.0.0.1', () => resolve()));
  await new Promise<void>((resolve) => plain.listen(smtpPort, '127.0.0.2', () => resolve()));
  maps = await serveProtocol(
    socketmap((_map, key) => ({ kind: 'ok', data: key })),
    '127.0.0.1',
    0,
  );
});
afterAll(async () => {
  dns.close();
  for (const server of [secure, plain]) await new Promise<void>((resolve) => server.close(() => resolve()));
  await maps.close();
});

const mailProbes = async (mailDomain: string | undefined, mailHosts: string[], mxPort: number) =>
  (
    await probeMail(
      { ...environment, mailDomain, mailHosts, resolvers: [`127.0.0.1:${dnsPort}`], mxHost: '127.0.0.1', mxPort },
      { snippetOf: () => [], presentedCertificate: async () => 'none', sendsMail: false, smtpPort },
    )
  ).map(({ name, ok, text }) => `${ok ? 'ok' : 'BAD'} ${name}: ${text}`);

test('checks mail hosts from outside', async () => {
  expect(await mailProbes('forward.example', ['mx1.service.example'], maps.port)).toEqual([
    'ok mail SPF: forward.example: v=spf1 mx -all',
    'ok namehold mx: answers',
    'ok mail host mx1.service.example: 127.0.0.1, 2001:db8::25, and back',
    'ok SMTP at mx1.service.example: answers, with TLS',
  ]);
  const unusedPort = await freePort();
  expect(await mailProbes('other.example', ['mx2.service.example', 'mx3.service.example'], unusedPort)).toEqual([
    'BAD mail SPF: other.example has 0 SPF records',
    `ok namehold mx: does not run on this machine (127.0.0.1:${unusedPort})`,
    'BAD mail host mx2.service.example: 127.0.0.2 has no matching PTR record',
    'BAD SMTP at mx2.service.example: answers without TLS',
    'BAD mail host mx3.service.example: has no address',
    `BAD SMTP at mx3.service.example: does not answer at port ${smtpPort}`,
  ]);
  expect(await mailProbes(undefined, [], unusedPort)).toEqual([]);
});

test('requires a validating resolver and outgoing mail on a mail host', async () => {
  const server = `127.0.0.1:${dnsPort}`;
  expect(await probeResolver([server])).toMatchObject({ ok: true, text: `${server} validates` });
  isValidating = false;
  expect(await probeResolver([server])).toMatchObject({ ok: false, text: `${server} does not validate (no AD bit)` });
  expect(await probeResolver([])).toMatchObject({ ok: false, fix: expect.stringContaining('unbound') });
  const resolver = new Resolver();
  resolver.setServers([server]);
  const outwards = (abuseAddress: string) =>
    probeOutwards(
      { ...environment, abuseAddress, mailDomain: 'f.example', mailHosts: ['mx1.service.example'] },
      resolver,
      smtpPort,
    );
  expect(await outwards('operator@service.example')).toMatchObject({ ok: true, text: 'mail.service.example answers' });
  expect(await outwards('operator@closed.example')).toMatchObject({
    ok: false,
    text: 'mail.closed.example cannot be reached: no mail leaves this machine',
    fix: expect.stringContaining('request outgoing port 25'),
  });
  for (const none of ['operator@own.example', 'operator@nowhere.example', ''])
    expect(await outwards(none)).toMatchObject({ ok: false, text: expect.stringContaining('no mail server to test') });
});

test('checks edges, and the certificate authority with its clock', async () => {
  let directory = '{"newOrder":"x"}';
  const server = createServer((request, response) => {
    if (request.url === '/late') response.setHeader('Date', 'Mon, 16 Nov 2020 12:00:00 GMT');
    response.end(directory);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const unusedPort = await freePort();
  const probe = async (path: string, address = '127.0.0.1') =>
    (
      await probeEdge(
        {
          redirectAddresses: [address],
          acmeDirectory: `http://127.0.0.1:${port}${path}`,
          acmeSecondDirectory: undefined,
          acmeCaFile: undefined,
        },
        { http: port, https: unusedPort },
      )
    ).map(({ name, ok, text }) => `${ok ? 'ok' : 'BAD'} ${name}: ${text}`);
  const untrusted = [
    `BAD edge at 127.0.0.1: port ${port} answers, but is not the edge (200)`,
    `BAD edge HTTPS at 127.0.0.1: nothing listens at port ${unusedPort}`,
  ];
  const authority = `certificate authority 127.0.0.1:${port}`;
  expect(await probe('/')).toEqual([
    ...untrusted,
    `ok ${authority}: answers`,
    expect.stringMatching(/^ok clock and .*: differ by [0-5] s$/),
  ]);
  expect((await probe('/late')).at(-1)).toMatch(/^BAD clock and .*: differ by \d{9} s$/);
  directory = 'hello';
  expect((await probe('/', '127.0.0.9')).slice(0, 3)).toEqual([
    `BAD edge at 127.0.0.9: does not answer at port ${port}`,
    `BAD edge HTTPS at 127.0.0.9: nothing listens at port ${unusedPort}`,
    `BAD ${authority}: returns 200 and no ACME directory`,
  ]);
  server.close();
});
