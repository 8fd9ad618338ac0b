import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findTsig,
  query,
  RCODE,
  readMessage,
  readZoneFile,
  rrText,
  ServedZone,
  writeMessage,
  ZoneTable,
} from '@namehold/dns';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startResponder } from '../../packages/server/src/nameservers/responder.ts';
import type { Endpoint } from '../../packages/server/src/nameservers/sockets/endpoint.ts';
import { plainAnswering } from './support/answering.ts';
import { hostileQuestions } from './support/hostile-questions.ts';
import { type StaticPeer, startStatic } from './support/static-engines.ts';

const soa = '@ 3600 SOA ns1.other.test. h.other.test. 1 7200 3600 1209600 100\n';
const zones = {
  'zone.test.': `$TTL 300
${soa}@ NS ns1
@ NS ns.other.test.
@ MX 10 mail
ns1 A 192.0.2.1
www A 192.0.2.2
www A 192.0.2.3
www AAAA 2001:db8::2
alias CNAME www
alias2 CNAME alias
outside CNAME www.other.test.
across CNAME a.second.test.
dangling CNAME nothing
intocut CNAME x.cut
atcut CNAME cut
loop1 CNAME loop2
loop2 CNAME loop1
deep.empty.ent A 192.0.2.4
*.wild TXT "wild"
*.wcname CNAME www
cut NS ns.cut
cut NS ns.other.test.
cut DS 1 13 2 ${'AB'.repeat(32)}
child NS ns.other.test.
child DS 1 13 2 ${'CD'.repeat(32)}
ns.cut A 192.0.2.6
ns.cut AAAA 2001:db8::6
ren DNAME www
near DNAME target
h.target A 192.0.2.8
far DNAME other.test.
intozone DNAME second.test.
mail A 192.0.2.7
srv SRV 1 2 3 www
srv NAPTR 1 2 "u" "x" "" www
srv MX 5 mail
srv RP mail www
srv AFSDB 1 mail
srv KX 1 mail
`,
  'second.test.': `$TTL 60\n${soa}@ NS ns.other.test.\na A 192.0.2.9\n`,
  'child.zone.test.': `$TTL 60\n${soa}@ NS ns.other.test.\nwww A 192.0.2.10\n`,
};

const folder = mkdtempSync(join(tmpdir(), 'namehold-hostile-'));
let responder: Endpoint;
let peers: StaticPeer[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  const table = new ZoneTable();
  for (const [origin, text] of Object.entries(zones))
    table.put(new ServedZone(origin, readZoneFile(text, { origin }).rrsets));
  responder = await startResponder({
    host: '127.0.0.1',
    port: 0,
    zones: table,
    answering: plainAnswering,
    cookies: { secrets: [new Uint8Array(16)] },
    onError: (error) => errors.push(error),
  });
  peers = await Promise.all((['knot', 'nsd', 'bind'] as const).map((id) => startStatic(folder, id, zones)));
});

afterAll(async () => {
  await responder?.close();
  await Promise.all(peers.map((peer) => peer.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** A server that answers the next query but not this one ignored it on purpose. */
function ask(port: number, octets: Buffer): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    let found: Buffer | undefined;
    const next = writeMessage(query(0x4321, 'zone.test.', 'SOA'));
    const timer = setInterval(() => socket.send(next, port, '127.0.0.1'), 1_000);
    socket.on('message', (answer) => {
      if (answer.readUInt16BE(0) !== 0x4321) found = answer;
      else {
        clearInterval(timer);
        socket.close();
        resolve(found);
      }
    });
    socket.send(octets, port, '127.0.0.1', () => socket.send(next, port, '127.0.0.1'));
  });
}

const tsigError = (octets: Buffer) => {
  try {
    const record = findTsig(octets)?.record;
    return record && `${record.keyName} error ${record.error} mac ${record.mac.length}`;
  } catch {
    return 'unreadable';
  }
};

/** The compared parts: everything except the order of records, glue, and choices of an implementation in OPT. */
function view(octets: Buffer | undefined, isAny: boolean): Record<string, string> {
  if (!octets) return { rcode: 'silence' };
  const message = readMessage(octets);
  const name = Object.entries(RCODE).find(([, code]) => code === message.rcode)?.[0];
  const flags = Object.entries(message.flags).filter(([, on]) => on);
  const sets = (list: typeof message.answer) => list.map(rrText).sort().join(' | ');
  return {
    rcode: name ?? String(message.rcode),
    flags: flags.map(([flag]) => flag).join(' '),
    questions: String(message.question.length),
    // RFC 8482: an implementation may choose the RRset that answers ANY.
    answer: isAny && message.answer.length > 0 ? 'some' : sets(message.answer),
    authority: isAny ? '' : sets(message.authority),
    edns: String(message.edns !== undefined),
    tsig: tsigError(octets) ?? 'none',
  };
}

const parts = ['rcode', 'flags', 'questions', 'answer', 'authority', 'edns', 'tsig'];

test('answers hostile queries like two of three peers', async () => {
  const differences: string[] = [];
  let agreed = 0;
  for (const [what, octets] of hostileQuestions()) {
    const isAny = what.endsWith(' ANY');
    const ports = [responder.port, ...peers.map(({ port }) => port)];
    const answers = await Promise.all(ports.map((port) => ask(port, octets)));
    const [ours, ...theirs] = answers.map((answer) => view(answer, isAny));
    for (const part of parts) {
      const found = theirs.map((one) => one[part] ?? 'silence');
      // If the three do not agree, any readable answer is accepted.
      const common = found.find((one, at) => found.indexOf(one) !== at);
      if (common === undefined) continue;
      agreed++;
      if ((ours![part] ?? 'silence') === common) continue;
      const shown = peers.map(({ id }, at) => `${id} ${found[at]}`).join('; ');
      differences.push(`${what}: ${part} is "${ours![part]}", not "${common}" (${shown})`);
    }
  }
  expect(differences).toEqual([]);
  expect(errors).toEqual([]);
  expect(agreed).toBeGreaterThan(1_000);
});
