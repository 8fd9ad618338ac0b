import {
  query,
  RCODE,
  readMessage,
  rrText,
  signMessage,
  soaSerial,
  type Transfer,
  type TsigKey,
  tsigKey,
  writeMessage,
} from '@namehold/dns';
import { allTenants } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askUdp, talkTcp, until } from '../../../../test/nameservers/support/ask.ts';
import { Lab, type LabDomain } from '../../../../test/nameservers/support/lab.ts';
import { fetchZone } from '../../../../test/nameservers/support/transfer.ts';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { addNameserver } from '../../src/core/nameservers/add.ts';
import { activeNameservers } from '../../src/core/nameservers/list.ts';
import { nameserverRows } from '../../src/core/nameservers/nameserver.sql.ts';
import { removeNameserver } from '../../src/core/nameservers/remove.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let lab: Lab;
let at: { address: string; port: number };
let key: TsigKey;
let domain: LabDomain;
const catalog = 'catalog.namehold.invalid.';

const peer = (more: object) => ({
  id: 'peer1',
  engine: 'other' as const,
  address: '127.0.0.1',
  port: 9,
  tsig: { name: 'peer1.key' },
  allowUnsigned: false,
  isPublic: true,
  ...more,
});

beforeAll(async () => {
  database = await migratedDatabase();
  at = { address: '127.0.0.1', port: await freePort() };
  lab = await Lab.start(database.url, {
    NAMEHOLD_PRIMARY_PORT: String(at.port),
    NAMEHOLD_PUBLISH_ALARM_SECONDS: '1',
  });
  await addNameserver(lab.ctx, lab.actor, peer({ port: await freePort() }));
  key = (await activeNameservers(lab.ctx)).find((one) => one.id === 'peer1')!.key!;
  domain = await lab.domain('moved.example');
  await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  await until('the key is known', () => fetched('moved.example.'), Boolean);
});

afterAll(async () => {
  await lab?.close();
  await database?.drop();
});

const fetched = (zone: string) =>
  fetchZone(at, zone, key).then(
    (transfer) => transfer,
    () => undefined,
  );
const texts = (transfer: Transfer) => (transfer.kind === 'full' ? transfer.records.map(rrText).sort() : []);
const refusal = (transfer: Promise<Transfer>) =>
  transfer.then(
    () => undefined,
    (error: { rcode?: number }) => error.rcode,
  );

test('sends a signed peer the whole zone first and only the changes afterwards', async () => {
  const first = await fetchZone(at, 'moved.example.', key);
  expect(texts(first)).toContain('www.moved.example. 300 A 192.0.2.1');
  const held = { serial: soaSerial(first.soa), soa: first.soa.rdata };
  expect((await fetchZone(at, 'moved.example.', key, held)).kind).toBe('up_to_date');
  await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.2'] }]);
  await lab.patch(domain, [{ name: 'new', type: 'TXT', ttl: 300, records: ['here'] }]);
  const steps = await fetchZone(at, 'moved.example.', key, held);
  if (steps.kind !== 'incremental') throw new Error(steps.kind);
  expect(steps.steps.map((step) => [step.deleted.map(rrText), step.added.map(rrText)])).toEqual([
    [['www.moved.example. 300 A 192.0.2.1'], ['www.moved.example. 300 A 192.0.2.2']],
    [[], ['new.moved.example. 300 TXT "here"']],
  ]);
  const unknown = await fetchZone(at, 'moved.example.', key, { serial: 5, soa: serialFive(first.soa.rdata) });
  expect(unknown.kind).toBe('full');
});

function serialFive(soa: Uint8Array): Uint8Array {
  const changed = Buffer.from(soa);
  changed.writeUInt32BE(5, changed.length - 20);
  return changed;
}

test('refuses transfers without a key, with a wrong key, and from an address that is not listed', async () => {
  expect(await refusal(fetchZone(at, 'moved.example.', undefined))).toBe(RCODE.REFUSED);
  const stranger = tsigKey('stranger.key', 'hmac-sha256', Buffer.alloc(32, 1).toString('base64'));
  expect(await refusal(fetchZone(at, 'moved.example.', stranger))).toBe(RCODE.NOTAUTH);
  const wrong = { ...key, secret: new Uint8Array(32) };
  expect(await refusal(fetchZone(at, 'moved.example.', wrong))).toBe(RCODE.NOTAUTH);
  // The right key from the wrong address, and a signature with a validity of a day.
  expect(await refusal(fetchZone({ ...at, localAddress: '127.0.0.9' }, 'moved.example.', key))).toBe(RCODE.NOTAUTH);
  const old = { timeSeconds: Math.floor(Date.now() / 1_000) - 400, fudgeSeconds: 65_535 };
  const [late] = await talkTcp(at, [signMessage(writeMessage(query(3, 'moved.example.', 'SOA')), key, old).octets], 1);
  expect(readMessage(late!).rcode).toBe(RCODE.NOTAUTH);
  expect((await askUdp(at, 'moved.example.', 'SOA'))!.rcode).toBe(RCODE.REFUSED);
  expect(await refusal(fetchZone(at, 'other.example.', key))).toBe(RCODE.NOTAUTH);
});

test('identifies a peer without a key by its address', async () => {
  const unsigned = peer({ id: 'unsigned1', address: '127.0.0.7', tsig: undefined, allowUnsigned: true });
  await addNameserver(lab.ctx, lab.actor, unsigned);
  const from = { ...at, localAddress: '127.0.0.7' };
  await until(
    'the address is known',
    () => refusal(fetchZone(from, 'moved.example.', undefined)),
    (rcode) => rcode === undefined,
  );
  expect(await refusal(fetchZone(at, 'moved.example.', undefined))).toBe(RCODE.REFUSED);
  await removeNameserver(lab.ctx, lab.actor, 'unsigned1');
  await until(
    'the address is forgotten',
    () => refusal(fetchZone(from, 'moved.example.', undefined)),
    (rcode) => rcode === RCODE.REFUSED,
  );
});

test('answers a signed SOA query over TCP and UDP, and refuses other queries', async () => {
  const ask = async (type: string) => {
    const signed = signMessage(writeMessage(query(3, 'moved.example.', type)), key, {
      timeSeconds: Math.floor(Date.now() / 1_000),
    });
    const [answer] = await talkTcp(at, [signed.octets], 1);
    return readMessage(answer!);
  };
  expect((await ask('SOA')).answer.map((rr) => rr.type)).toEqual(['SOA']);
  expect((await ask('A')).rcode).toBe(RCODE.REFUSED);
});

test('lists the zones in the catalog zone, which has its own serial and increments', async () => {
  const before = await until(
    'catalog',
    () => fetched(catalog),
    (found) => found !== undefined && texts(found).some((text) => text.endsWith('PTR moved.example.')),
  );
  expect(texts(before!)).toContain(`version.${catalog} 0 TXT "2"`);
  const more = await lab.domain('joined.example');
  await lab.patch(more, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  const held = { serial: soaSerial(before!.soa), soa: before!.soa.rdata };
  const joined = await until(
    'join',
    () => fetchZone(at, catalog, key, held),
    (found) => found.kind === 'incremental',
  );
  if (joined.kind !== 'incremental') throw new Error(joined.kind);
  expect(joined.steps[0]!.added.map(rrText)).toEqual([
    expect.stringMatching(/^z\d+\.zones\.catalog.* PTR joined\.example\.$/),
  ]);
  const after = { serial: soaSerial(joined.soa), soa: joined.soa.rdata };
  await lab.deleteZone(more);
  const left = await until(
    'leave',
    () => fetchZone(at, catalog, key, after),
    (found) => found.kind === 'incremental',
  );
  if (left.kind !== 'incremental') throw new Error(left.kind);
  expect(left.steps[0]!.deleted.map(rrText)).toEqual(joined.steps[0]!.added.map(rrText));
  // A peer that missed both changes only gets the new serial.
  const both = await fetchZone(at, catalog, key, held);
  expect(both.kind === 'incremental' && both.steps.map((step) => step.added.length + step.deleted.length)).toEqual([0]);
});

test('raises an alarm for an unreachable nameserver, clears it on removal, and encrypts TSIG secrets', async () => {
  const alarms = async () => (await openAlarms(lab.ctx)).map((alarm) => alarm.key);
  await until('the alarm', alarms, (keys) => keys.includes('nameserver-behind:peer1'));
  const [row] = (await nameserverRows(lab.ctx.db.as(allTenants))).filter((one) => one.id === 'peer1');
  expect(row!.tsig_secret_sealed).not.toContain(Buffer.from(key.secret).toString('base64'));
  await removeNameserver(lab.ctx, lab.actor, 'peer1');
  await until('the alarm goes', alarms, (keys) => !keys.includes('nameserver-behind:peer1'));
  await until(
    'the key goes',
    () => refusal(fetchZone(at, 'moved.example.', key)),
    (rcode) => rcode === RCODE.NOTAUTH,
  );
});
