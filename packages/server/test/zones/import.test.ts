import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { makeDomain, patch, recordsAt } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

/** The raw bytes, because `t.call` would send text. */
async function put(id: string, octets: Uint8Array | string) {
  const response = await fetch(`${t.url}/v1/domains/${id}/zone/file`, {
    method: 'PUT',
    headers: {
      Authorization: `Basic ${Buffer.from(t.demo).toString('base64')}`,
      'Content-Type': 'text/dns',
      'If-None-Match': '*',
    },
    body: Buffer.from(octets),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

test('keeps bytes unchanged, whatever the encoding of the file', async () => {
  const id = await makeDomain(t, 'octets.com');
  const latin1 = Buffer.from(
    '$TTL 300\n; Größe in alter Schrift\na TXT "Gr\u00f6\u00dfe" ; \u00fc\nb TXT "\\\u00e4"\n',
    'latin1',
  );
  const called = await put(id, latin1);
  expect(called.status, JSON.stringify(called.body)).toBe(200);
  expect(await recordsAt(t, id, 'a.octets.com.', 'TXT')).toEqual(['"Gr\\246\\223e"']);
  expect(await recordsAt(t, id, 'b.octets.com.', 'TXT')).toEqual(['"\\228"']);
  const other = await makeDomain(t, 'utf.com');
  await put(other, '$TTL 300\na TXT "Größe"\n');
  expect(await recordsAt(t, other, 'a.utf.com.', 'TXT')).toEqual(['"Gr\\195\\182\\195\\159e"']);
  const third = await makeDomain(t, 'badname.com');
  const refused = await put(third, Buffer.from('$TTL 300\nok A 192.0.2.1\nm\u00fcller A 192.0.2.1\n', 'latin1'));
  expect(refused.body.lines).toMatchObject([{ line: 3, field: 'name' }]);
});

test('limits timers to their range, with a warning', async () => {
  const id = await makeDomain(t, 'timers.com');
  const called = await put(
    id,
    '$TTL 300\n@ SOA ns1.example.net. dns.timers.com. 7 10800 3600 3600000 604800\nwww A 192.0.2.1\n',
  );
  expect(called.status, JSON.stringify(called.body)).toBe(200);
  const { body } = await t.call('GET', `/v1/domains/${id}/zone`);
  expect(body.soa).toMatchObject({ refresh: 10_800, retry: 3_600, expire: 2_419_200, minimum: 86_400 });
  const reasons = called.body.warnings.map((warning: { reason: string }) => warning.reason);
  expect(reasons).toContain('line 2, expire: 3600000 becomes 2419200 seconds');
  expect(reasons).toContain('line 2, minimum: 604800 becomes 86400 seconds');
});

test('drops records of a signer with a warning, and imports the rest', async () => {
  const id = await makeDomain(t, 'signed.com');
  const rrsig = 'A 13 3 300 20301231000000 20201231000000 1 signed.com. AAAA';
  const called = await put(
    id,
    `$TTL 300\nwww A 192.0.2.1\nwww RRSIG ${rrsig}\nwww NSEC signed.com. A RRSIG\nx RRSIG nonsense\n`,
  );
  expect(called.status, JSON.stringify(called.body)).toBe(200);
  const reasons = called.body.warnings.map((warning: { reason: string }) => warning.reason);
  expect(reasons).toContain('line 3, type: 2 RRSIG records dropped: the signer creates them again');
  expect(reasons).toContain('line 4, type: 1 NSEC record dropped: the signer creates them again');
});

test('names the lines of problems between RRsets', async () => {
  const id = await makeDomain(t, 'between.com');
  const called = await put(id, '$TTL 300\nwww A 192.0.2.1\n\nalias CNAME www\nalias TXT "x"\n@ MX 10 alias\n');
  expect(called.status).toBe(400);
  expect(called.body.lines.map(({ line }: { line: number }) => line).sort()).toEqual([4, 6]);
});

test('accepts names and values of RRsets that other providers accept', async () => {
  const id = await makeDomain(t, 'taken.com');
  const called = await patch(t, id, [
    { name: 'first\\.last', type: 'TXT', records: ['x'] },
    { name: 'a.*.b', type: 'TXT', records: ['x'] },
    { name: 'sub', type: 'NS', records: ['ns1.example.net.'] },
    { name: 'other', type: 'NS', records: ['ns.sub.taken.com.'] },
    { name: 'deep.sub', type: 'NS', records: ['ns.deep.sub.taken.com.'] },
    { name: '@', type: 'MX', records: ['10 mail.server'] },
    { name: 'one', type: 'NS', records: ['ns.sub'] },
    { name: 'dkim', type: 'TXT', records: ['v=DKIM1\\; k=rsa', 'a \\"quote\\" and a \\\\'] },
  ]);
  expect(called.status, called.text).toBe(200);
  const reasons = called.body.warnings.map(
    (warning: { name: string; reason: string }) => `${warning.name} ${warning.reason}`,
  );
  for (const expected of [
    /first\\.last.* characters that host names do not allow/,
    /a\.\*\.b.*leftmost/,
    /other.*no A or AAAA/,
    /"mail\.server" is read as a complete name; .*mail\.server\.taken\.com\./,
    /"ns\.sub" is read as a complete name/,
  ])
    expect(
      reasons.some((reason: string) => expected.test(reason)),
      `${expected}: ${reasons.join('\n')}`,
    ).toBe(true);
  expect(await recordsAt(t, id, 'dkim.taken.com.', 'TXT')).toEqual(['"v=DKIM1; k=rsa"', '"a \\"quote\\" and a \\\\"']);
  const path = await patch(t, id, [{ name: 'win', type: 'TXT', records: ['C:\\temp'] }]);
  expect(path.body.message).toMatch(/backslash/);
  const glue = await patch(t, id, [{ name: 'gl', type: 'NS', records: ['ns.gl.taken.com.'] }]);
  expect(glue.body.message).toMatch(/no A or AAAA/);
});
