import { createSocket } from 'node:dgram';
import { decode, encode, type PacketAnswer } from 'dns-packet';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../test/nameservers/support/ports.ts';
import { probeMail } from '../../src/embedded/mail-probes.ts';
import { socketmap } from '../../src/mx/socketmap.ts';
import { serveTalk, type TalkServer } from '../../src/mx/talk-server.ts';

const records: Record<string, PacketAnswer['data']> = {
  'TXT forward.example': ['v=spf1 mx -all'],
  'A mx1.house.example': '127.0.0.1',
  'AAAA mx1.house.example': '2001:db8::25',
  'PTR 5.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': 'mx1.house.example',
  'A mx2.house.example': '127.0.0.2',
  'PTR 1.0.0.127.in-addr.arpa': 'MX1.house.example',
  'PTR 2.0.0.127.in-addr.arpa': 'vps-2.provider.example',
};
const dns = createSocket('udp4');
const secure = new SMTPServer({ authOptional: true, closeTimeout: 100 });
const plain = new SMTPServer({ authOptional: true, closeTimeout: 100, disabledCommands: ['STARTTLS'] });
let maps: TalkServer;
let dnsPort: number;
let smtpPort: number;

beforeAll(async () => {
  dns.on('message', (message, from) => {
    const { id, questions } = decode(message);
    const [{ name, type }] = questions as [{ name: string; type: string }];
    const data = records[`${type} ${name.toLowerCase()}`];
    const answers = data === undefined ? [] : [{ type, name, ttl: 60, data }];
    const flags = 0x0180 | (data === undefined ? 3 : 0);
    dns.send(encode({ type: 'response', id: id!, flags, questions: questions!, answers }), from.port, from.address);
  });
  [dnsPort, smtpPort] = [await freePort(), await freePort()];
  await new Promise<void>((resolve) => dns.bind(dnsPort, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => secure.listen(smtpPort, '127.0.0.1', () => resolve()));
  await new Promise<void>((resolve) => plain.listen(smtpPort, '127.0.0.2', () => resolve()));
  maps = await serveTalk(
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

const look = async (mailDomain: string | undefined, mailHosts: string[], mxPort: number) =>
  (
    await probeMail(
      { mailDomain, mailHosts, resolvers: [`127.0.0.1:${dnsPort}`], mxHost: '127.0.0.1', mxPort },
      smtpPort,
    )
  ).map(({ name, ok, text }) => `${ok ? 'ok' : 'BAD'} ${name}: ${text}`);

test('namehold doctor looks at mail hosts as others see them', async () => {
  expect(await look('forward.example', ['mx1.house.example'], maps.port)).toEqual([
    'ok mail SPF: forward.example: v=spf1 mx -all',
    'ok namehold mx: answers',
    'ok mail host mx1.house.example: 127.0.0.1, 2001:db8::25, and back',
    'ok SMTP at mx1.house.example: answers, with TLS',
  ]);
  const nobody = await freePort();
  expect(await look('other.example', ['mx2.house.example', 'mx3.house.example'], nobody)).toEqual([
    'BAD mail SPF: other.example has 0 SPF records',
    `ok namehold mx: does not run on this machine (127.0.0.1:${nobody})`,
    'BAD mail host mx2.house.example: 127.0.0.2 does not lead back to the name',
    'BAD SMTP at mx2.house.example: answers without TLS',
    'BAD mail host mx3.house.example: has no address',
    `BAD SMTP at mx3.house.example: does not answer at port ${smtpPort}`,
  ]);
  expect(await look(undefined, [], nobody)).toEqual([]);
});
