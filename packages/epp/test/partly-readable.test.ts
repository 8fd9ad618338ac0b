import { afterEach, expect, test } from 'vitest';
import { createEppPool, encodeFrame, type ObjectRequest, writeResponse } from '../src/index.ts';
import { TEST_PROFILE } from './support/registry.ts';
import { scriptedRegistry } from './support/scripted.ts';

const NS = TEST_PROFILE.namespaces;
const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The answer of a registry that writes this after its result. */
async function ask(request: ObjectRequest, code: number, behind: string) {
  const there = await scriptedRegistry((clTRID) => {
    const xml = writeResponse({ results: [{ code }] }, { clTRID, svTRID: 'SV-1' }, NS);
    return encodeFrame(xml.replace('<trID>', `${behind}<trID>`));
  });
  const pool = createEppPool({
    endpoint: { host: '127.0.0.1', port: there.port, servername: 'registry.test', ca: there.ca },
    credentials: { clID: 'us', pw: 'secret-1' },
    profile: TEST_PROFILE,
  });
  closing.push(
    () => pool.close(),
    () => there.close(),
  );
  return pool.send(request);
}

const data = (xml: string) => `<resData>${xml.replace('>', ` xmlns:d="${NS.domain}">`)}</resData>`;
const name = 'a.com';
const create = { object: 'domain', verb: 'create', name, authInfo: { pw: 'secret-123' } } as const;

test('returns the id of a message that cannot be read', async () => {
  const queue = '<msgQ count="three" id="m1"><qDate>soon</qDate></msgQ>';
  const answer = await ask(
    { object: 'poll', verb: 'request' },
    1301,
    `${queue}${data('<d:trnData><d:name>a.com</d:name></d:trnData>')}`,
  );
  expect(answer).toMatchObject({ kind: 'done', msgQ: { id: 'm1', count: 1 }, unreadable: expect.any(String) });
});

test('returns done for a transform, whatever else the answer contains', async () => {
  const answer = await ask(
    create,
    1000,
    data('<d:creData><d:name>a.com</d:name><d:crDate>today</d:crDate></d:creData>'),
  );
  expect(answer).toMatchObject({ kind: 'done', code: 1000, unreadable: expect.stringContaining('crDate') });
  expect(answer).not.toHaveProperty('data.crDate');
});

test('returns no result for a query with a partly unreadable answer', async () => {
  const shown = '<d:infData><d:name>a.com</d:name><d:roid>X-1</d:roid><d:clID>us</d:clID></d:infData>';
  const info = { object: 'domain', verb: 'info', name } as const;
  const keys = `<extension><s:infData xmlns:s="${NS.secDNS}"><s:dsData><s:keyTag>x</s:keyTag></s:dsData></s:infData></extension>`;
  expect(await ask(info, 1000, data(shown))).toMatchObject({ kind: 'done' });
  expect(await ask(info, 1000, data(shown) + keys)).toMatchObject({ kind: 'unknown', why: 'unreadable-answer' });
  const query = { object: 'domain', verb: 'transfer', op: 'query', name } as const;
  expect(await ask(query, 1000, data('<d:trnData><d:name>a.com</d:name></d:trnData>'))).toMatchObject({
    kind: 'unknown',
  });
});

test('does not accept an answer about another object, or none', async () => {
  const info = { object: 'domain', verb: 'info', name } as const;
  const unreadable = (what: string) => ({
    kind: 'unknown',
    why: 'unreadable-answer',
    text: expect.stringContaining(what),
  });
  const made = (of: string) => data(`<d:creData>${of}<d:crDate>2026-11-16T10:00:00Z</d:crDate></d:creData>`);
  expect(await ask(create, 1000, made('<d:name>b.com</d:name>'))).toMatchObject(unreadable('about b.com'));
  expect(await ask(create, 1000, made(''))).toMatchObject(unreadable('about nothing'));
  expect(await ask(create, 1000, made('<d:name>A.com.</d:name>'))).toMatchObject({ kind: 'done' });
  const shown = '<d:infData><d:name>b.com</d:name><d:roid>X-1</d:roid><d:clID>us</d:clID></d:infData>';
  expect(await ask(info, 1000, data(shown))).toMatchObject(unreadable('about b.com'));
  const renewed = '<d:renData><d:name>b.com</d:name><d:exDate>2028-11-16T10:00:00Z</d:exDate></d:renData>';
  const renew = {
    object: 'domain',
    verb: 'renew',
    name,
    curExpDate: '2027-11-16',
    period: { value: 1, unit: 'y' },
  } as const;
  expect(await ask(renew, 1000, data(renewed))).toMatchObject(unreadable('about b.com'));
  // The U-label form is the same name.
  const idn = { ...create, name: 'xn--bcher-kva.com' };
  expect(await ask(idn, 1000, made('<d:name>b\u00fccher.com</d:name>'))).toMatchObject({ kind: 'done' });
});

test('does not accept a message without an id', async () => {
  const poll = { object: 'poll', verb: 'request' } as const;
  for (const queue of ['', '<msgQ count="1"/>', '<msgQ count="1" id=""/>'])
    expect(await ask(poll, 1301, queue)).toMatchObject({ kind: 'unknown', why: 'unreadable-answer' });
});
