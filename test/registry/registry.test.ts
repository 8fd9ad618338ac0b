import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, FarRegistry } from './far-registry.ts';
import { feeOf, loginOf, newContact, newDomain, ofDomain, Registrar, secret } from './registrar.ts';

const dayMs = 86_400_000;
let far: FarRegistry;
let us: Registrar;
let other: Registrar;

beforeAll(async () => {
  far = await FarRegistry.start(['far']);
  us = await Registrar.login(far, accounts.ours);
  other = await Registrar.login(far, accounts.other);
  expect((await us.say(newContact('us-ada')))?.code).toBe(1000);
});
afterAll(async () => {
  us?.close();
  other?.close();
  await far?.stop();
});

const code = async (command: string, who = us): Promise<number | undefined> => (await who.say(command))?.code;
const info = (name: string) => ofDomain('info', `<d:name>${name}</d:name>`);
const transfer = (name: string, op: string, auth = '') =>
  ofDomain(
    'transfer',
    `<d:name>${name}</d:name>${auth ? `<d:authInfo><d:pw>${auth}</d:pw></d:authInfo>` : ''}`,
    '',
    op,
  );
const charges = async (name: string, client = accounts.ours.id) =>
  (await far.statement(client))
    .filter((line) => line.domain === name)
    .map((line) => [line.kind, line.command, line.cents]);

test('lists no host objects and no RFC after 5734 except fees in the greeting', async () => {
  const { registrar, greeting } = await Registrar.reach(far);
  expect(greeting.match(/<(objURI|extURI)>[^<]+/g)?.map((each) => each.replace(/.*ns:/, ''))).toEqual([
    'domain-1.0',
    'contact-1.0',
    'secDNS-1.1',
    'rgp-1.0',
    'epp:fee-1.0',
  ]);
  expect(await code(info('a.far'), registrar)).toBe(2002);
  const host = 'urn:ietf:params:xml:ns:host-1.0';
  expect(await code(loginOf(accounts.ours, [host]), registrar)).toBe(2307);
  expect(await code(loginOf(accounts.ours, undefined, ['urn:ietf:params:xml:ns:epp:loginSec-1.0']), registrar)).toBe(
    2103,
  );
  for (const wanted of [2200, 2200, 2501])
    expect(await code(loginOf({ ...accounts.ours, password: 'wrong.1' }), registrar)).toBe(wanted);
  await expect.poll(() => registrar.isClosed).toBe(true);
});

test('validates frames against the schemas', async () => {
  const created = newDomain('shape.far', 'us-ada');
  for (const [wanted, frame] of [
    [
      2001,
      created
        .replace('<d:period unit="y">1</d:period>', '')
        .replace('</d:registrant>', '</d:registrant><d:period unit="y">1</d:period>'),
    ],
    [2001, created.replace('<d:registrant>', '<d:owner/><d:registrant>')],
    [2001, created.replace('unit="y"', 'unit="y" more="1"')],
    [2003, created.replace(/<d:authInfo>.*<\/d:authInfo>/, '')],
    [2003, created.replace(' unit="y"', '')],
    [2003, created.replace(/<d:contact type="tech">.*?<\/d:contact>/, '')],
    [2003, newDomain('shape.far', 'us-ada', { auth: '' })],
    [2004, newDomain('shape.far', 'us-ada', { auth: 'ab3.de' })],
    [2004, newDomain('shape.far', 'us-ada', { auth: 'ab3.defghijklmnop' })],
    [2306, newDomain('shape.far', 'us-ada', { auth: 'abcdefgh1' })],
    [2004, created.replace('>1</d:period>', '>11</d:period>')],
    [2005, created.replace('>1</d:period>', '>0</d:period>')],
    [2005, newDomain('-shape.far', 'us-ada')],
    [2306, newDomain('shape.near', 'us-ada')],
    [2303, newDomain('shape.far', 'nobody')],
    [2102, newDomain('shape.far', 'us-ada', { ns: '<d:ns><d:hostObj>ns1.example.org</d:hostObj></d:ns>' })],
    [2103, `${created}<extension><x xmlns="urn:x"/></extension>`],
    [2307, '<check><h:check xmlns:h="urn:ietf:params:xml:ns:host-1.0"><h:name>a.b</h:name></h:check></check>'],
    [
      2101,
      '<transfer op="query"><c:transfer xmlns:c="urn:ietf:params:xml:ns:contact-1.0"><c:id>us-ada</c:id></c:transfer></transfer>',
    ],
  ] as const)
    expect([wanted, await code(frame), frame]).toEqual([wanted, wanted, frame]);
  expect((await us.raw('<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><command>'))?.code).toBe(2001);
  expect(await far.name('shape.far')).toBeUndefined();
  expect(await charges('shape.far')).toEqual([]);
});

test('creates and charges a domain once, and hides it from other registrars', async () => {
  expect(await code(newDomain('own.far', 'us-ada'))).toBe(1000);
  expect(await code(newDomain('own.far', 'us-ada'))).toBe(2302);
  expect(await code(info('own.far'))).toBe(1000);
  expect(await code(info('own.far'), other)).toBe(2201);
  expect(await code(info('free.far'), other)).toBe(2303);
  expect(await charges('own.far')).toEqual([['charge', 'create', 810]]);
  expect(await code(ofDomain('delete', '<d:name>own.far</d:name>'))).toBe(1000);
  expect(await charges('own.far')).toEqual([
    ['charge', 'create', 810],
    ['refund', 'create', 810],
  ]);
});

test('prices a premium domain in parts without a class, and requires a fee agreement', async () => {
  const checkFrame =
    '<check xmlns="urn:ietf:params:xml:ns:epp:fee-1.0"><command name="create"><period unit="y">1</period></command></check>';
  const { xml } = (await us.say(ofDomain('check', '<d:name>gold.far</d:name><d:name>tin.far</d:name>', checkFrame)))!;
  expect(xml.match(/<(fee|credit) [^>]*>[^<]*/g)?.map((each) => each.replace(/.*>/, ''))).toEqual([
    '500.00',
    '20.00',
    '-20.00',
    '8.10',
  ]);
  expect(xml).not.toMatch(/<class>|standard=/);
  expect(await code(newDomain('gold.far', 'us-ada'))).toBe(2003);
  expect(await code(newDomain('gold.far', 'us-ada', { extension: feeOf('create', '8.10') }))).toBe(2004);
  expect(await code(newDomain('gold.far', 'us-ada', { extension: feeOf('create', '500.00') }))).toBe(1000);
  expect(await charges('gold.far')).toEqual([['charge', 'create', 50_000]]);
});

test('closes the connection for a repeated clTRID and for a session above the limit', async () => {
  const third = await Registrar.login(far, accounts.other);
  expect((await third.say(info('a.far'), 'the-same-again'))?.code).toBe(2303);
  expect(await third.say(info('b.far'), 'the-same-again')).toBeUndefined();
  await far.capabilities({ max_sessions: 1 });
  const { registrar } = await Registrar.reach(far);
  expect(await code(loginOf(accounts.other), registrar)).toBe(2502);
  await far.capabilities({ max_sessions: 4 });
  await expect.poll(() => registrar.isClosed).toBe(true);
});

test('executes a command whose answer is truncated, dropped or late', async () => {
  for (const [at, fault] of [
    [3, { do: 'cut', at: 3 }],
    [60, { do: 'cut', at: 60 }],
    [0, { do: 'drop' }],
  ] as const) {
    const one = await Registrar.login(far, accounts.ours);
    await far.fault({ on: 'domain:create', ...fault });
    expect(await one.say(newDomain(`cut${at}.far`, 'us-ada'))).toBeUndefined();
    expect(one.rest.length).toBe(at);
    expect(await charges(`cut${at}.far`)).toEqual([['charge', 'create', 810]]);
  }
  const before = performance.now();
  await far.fault({ on: 'domain:info', do: 'delay', ms: 80 });
  expect(await code(info('cut0.far'))).toBe(1000);
  expect(performance.now() - before).toBeGreaterThan(70);
});

test('supports transfers, auto-renewals with a charge, deletions and restores', async () => {
  for (const name of ['yes.far', 'silent.far', 'gone.far']) expect(await code(newDomain(name, 'us-ada'))).toBe(1000);
  expect(await code(transfer('yes.far', 'request', 'wrong.123'), other)).toBe(2202);
  for (const name of ['yes.far', 'silent.far']) expect(await code(transfer(name, 'request', secret), other)).toBe(1001);
  const { xml } = (await us.say('<poll op="req"/>'))!;
  expect(xml).toMatch(/code="1301".*Transfer requested.*<d:name>yes\.far.*pending/s);
  expect(await code(`<poll op="ack" msgID="${/id="([^"]+)"/.exec(xml)![1]}"/>`)).toBe(1000);
  expect(await code(transfer('yes.far', 'approve'))).toBe(1000);
  await far.moveClock(6 * dayMs);
  expect(await charges('yes.far', accounts.other.id)).toEqual([['charge', 'transfer', 890]]);
  expect(await charges('silent.far', accounts.other.id)).toEqual([['charge', 'transfer', 890]]);
  expect(await far.waiting(accounts.other.id)).toEqual(['Transfer clientApproved.', 'Transfer serverApproved.']);

  expect(await code(ofDomain('delete', '<d:name>gone.far</d:name>'))).toBe(1001);
  const restore = (op: string, report = '') =>
    ofDomain(
      'update',
      '<d:name>gone.far</d:name><d:chg/>',
      `<r:update xmlns:r="urn:ietf:params:xml:ns:rgp-1.0"><r:restore op="${op}">${report}</r:restore></r:update>`,
    );
  expect(await code(restore('request'))).toBe(1000);
  expect(await code(restore('report', '<r:report><r:preData/></r:report>'))).toBe(2003);
  const report =
    '<r:report><r:preData>a</r:preData><r:postData>b</r:postData><r:delTime>2026-01-01T00:00:00Z</r:delTime><r:resTime>2026-01-02T00:00:00Z</r:resTime><r:resReason>error</r:resReason><r:statement>one</r:statement><r:statement>two</r:statement></r:report>';
  expect(await code(restore('report', report))).toBe(1000);
  await far.moveClock(365 * dayMs);
  expect(await charges('gone.far')).toEqual([
    ['charge', 'create', 810],
    ['charge', 'restore', 4400],
    ['charge', 'autorenew', 935],
  ]);
});
