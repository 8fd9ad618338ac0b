import { everyTenant, sql } from '@namehold/base';
import { IETF_NAMESPACES } from '@namehold/epp';
import { refusal } from '@namehold/epp/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { booksAgree } from '../../../../test/support/books.ts';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { systemActor } from '../../src/core/accounts/first-accounts.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { expireAuthCodes } from '../../src/core/domains/change/auth-code.ts';
import { readPoll } from '../../src/core/domains/compare/read-poll.ts';
import { showMessage } from '../../src/core/domains/compare/show-message.ts';
import { fundReseller } from '../../src/core/ledger/fund.ts';
import { decideOperation } from '../../src/core/operations/decide.ts';
import { setPrices } from '../../src/core/pricing/set-price.ts';
import { setRules } from '../../src/core/pricing/set-rules.ts';
import { connectRegistry } from '../../src/core/registries/connect.ts';
import { loadCatalogue } from '../../src/core/tlds/load.ts';
import { readProfile } from '../../src/registries/read-profile.ts';
import { testConnection } from '../../src/registries/test-connection.ts';
import { type StrangeRegistry, strangeRegistry } from './stranger.ts';

/** A registry that knows RFC 5730 to 5734 and nothing else, with the profile that has only what must be said: host attributes. */
let t: TestService;
let there: StrangeRegistry;
let parties: Record<string, string>;
const profile = {
  rules: { hostModel: 'attributes', maxPeriodYears: 3 },
  contacts: { withheld: ['street', 'sp', 'voice', 'fax'] },
  limits: { commandsPerSecond: 10_000 },
};
beforeAll(async () => {
  there = await strangeRegistry();
  t = await startTestService();
  await connectRegistry(t.house, {
    id: 'strange',
    profile: readProfile(JSON.stringify(profile), 'strange') as unknown as Parameters<
      typeof connectRegistry
    >[1]['profile'],
    host: '127.0.0.1',
    port: there.port,
    serverName: 'registry.test',
    caPem: there.ca,
    clientId: 'us',
    password: 'a-password',
    tlds: ['odd'],
  });
  await loadCatalogue(t.house, JSON.stringify([{ name: 'odd', rules: { nameservers: { min: 2 } } }]), 'file');
  const price = { tld: 'odd', years: 1, currency: 'USD' };
  const actions = ['create', 'renew', 'transfer', 'restore'];
  await setPrices(
    t.house,
    systemActor,
    'cost',
    actions.map((action) => ({ ...price, action, amount: '5.00' })),
  );
  await setPrices(
    t.house,
    systemActor,
    'reseller',
    actions.map((action) => ({ ...price, action, amount: '7.00' })),
  );
  await fundReseller(t.house, systemActor, t.demo.split(':')[0]!, { amount: '1000.00', description: 'for tests' });
  await setRules(t.house, systemActor, 'reseller', [{ kind: 'percent', percent: '15' }]);
  const customer = await makeCustomer(t);
  const contact = await makeContact(t, customer);
  parties = {
    customer_id: customer,
    registrant_contact_id: contact,
    admin_contact_id: contact,
    tech_contact_id: contact,
    billing_contact_id: contact,
    invoice_option: 'no_invoice',
  };
});
afterAll(async () => {
  await booksAgree(t, ['entries', 'operations', 'domains']);
  await t.stop();
  await there.close();
});

const order = (name: string, more: Record<string, string> = {}) =>
  t.call('POST', '/v1/domains', {
    form: { domain_name: name, ...parties, ns: 'ns1.host.test,ns2.host.test', ...more },
  });

const open = () =>
  t.house.db
    .as(everyTenant)
    .one<{ held: string }>(sql`select coalesce(sum(balance), 0)::text as held from ledger_account where kind = 'held'`);

/** What is offered is said in the greeting: sessions that are open know nothing of what came later. */
const reconnect = () => t.service.parts.registries.reload('strange');

test('a name is registered with the default profile: a secret on name and contacts, no host command', async () => {
  const called = await order('first.odd');
  expect(called.status, called.text).toBe(200);
  expect(there.names.get('first.odd')).toMatchObject({
    clID: 'us',
    statuses: ['clientTransferProhibited'],
    ns: { model: 'attributes', hosts: [{ name: 'ns1.host.test' }, { name: 'ns2.host.test' }] },
  });
  expect(there.seen.filter(({ object }) => object === 'host')).toEqual([]);
  // Parts of a contact that the profile keeps back.
  const [made] = there.seen.filter(({ object, verb }) => object === 'contact' && verb === 'create');
  expect(made).toMatchObject({ postal: [{ addr: { street: [] } }] });
  for (const part of ['voice', 'fax']) expect(made).not.toHaveProperty(part);
});

test('another code is set when one is wanted, as the registry takes them; when it has had its time nobody knows the next', async () => {
  const before = there.names.get('first.odd')!.pw;
  const called = await t.call('GET', '/v1/domains/first.odd/auth_code');
  expect(called.status, called.text).toBe(200);
  expect(there.names.get('first.odd')!.pw).toBe(called.body);
  expect(called.body).not.toBe(before);
  t.moveClock('+15d');
  await expireAuthCodes(t.house);
  const after = there.names.get('first.odd')!.pw;
  expect(after).toMatch(there.habits.secret);
  expect([before, called.body]).not.toContain(after);
});

test('nameservers below the name travel with its delegation', async () => {
  const form = { hostname: 'ns1.first.odd', ip_address: '192.0.2.1' };
  const made = await t.call('POST', '/v1/domains/first.odd/childns', { form });
  expect(made.status, made.text).toBe(200);
  const set = await t.call('PUT', '/v1/domains/first.odd/ns', { form: { ns: 'ns1.first.odd,ns2.host.test' } });
  expect(set.status, set.text).toBe(200);
  expect(there.names.get('first.odd')!.ns).toMatchObject({
    hosts: [{ name: 'ns2.host.test' }, { name: 'ns1.first.odd', addresses: [{ address: '192.0.2.1' }] }],
  });
  expect(there.seen.filter(({ object }) => object === 'host')).toEqual([]);
});

/** Between the check and the create another registrar takes it. */
const takenMeanwhile = (name: string) => {
  there.habits.meddle = (command) => {
    if (command.object === 'domain' && command.verb === 'create' && command.name === name) there.give(name);
    return undefined;
  };
};

test('taken by another whom the registry does not name: refused, the money free again, one create', async () => {
  takenMeanwhile('taken.odd');
  const called = await order('taken.odd');
  expect(called.body).toMatchObject({ code: 'domain_not_available' });
  expect(there.count('domain:create', 'taken.odd')).toBe(1);
  expect(await open()).toEqual({ held: '0' });
});

test("the answer to a create is lost and the name is another's: the refused question is the answer", async () => {
  there.habits.meddle = (command, session) => {
    if (command.object !== 'domain' || command.verb !== 'create') return undefined;
    there.give('lost.odd');
    session.destroy('cut');
    return undefined;
  };
  const called = await order('lost.odd');
  expect(called.body).toMatchObject({ code: 'domain_not_available' });
  expect(there.count('domain:create', 'lost.odd')).toBe(1);
  expect(await open()).toEqual({ held: '0' });
});

const operationOf = (name: string) =>
  t.house.db
    .as(everyTenant)
    .one<{ id: string; state: string; attention: { choices: string[] } | null }>(
      sql`select o.id, o.state, o.attention from operation o join domain d on d.id = o.domain_id where d.name = ${name} order by o.id desc limit 1`,
    );
const tryAgain = async (id: string, setbacks: number) => {
  await t.house.db
    .alone(everyTenant)
    .run(sql`update operation set setbacks = ${setbacks}, due_at = now() where id = ${id}`);
  await t.house.engine.start(id);
};

test('whose it is the registry will not say: no second create, after some attempts a person decides', async () => {
  there.habits.strangersGet = 2308;
  there.habits.meddle = (command, session) => {
    if (command.object !== 'domain' || command.verb !== 'create') return undefined;
    there.give('dark.odd');
    session.destroy('cut');
    return undefined;
  };
  const called = await t.call('POST', '/v1/domains', {
    form: { domain_name: 'dark.odd', ...parties, ns: 'ns1.host.test,ns2.host.test' },
    headers: { prefer: 'wait=0' },
  });
  expect([200, 202], called.text).toContain(called.status);
  await vi.waitFor(async () => expect((await operationOf('dark.odd')).state).toBe('unknown'), 300_000);
  const { id } = await operationOf('dark.odd');
  await tryAgain(id, 5);
  await vi.waitFor(async () => expect((await operationOf('dark.odd')).state).toBe('action_required'), 300_000);
  expect((await operationOf('dark.odd')).attention!.choices).toEqual(['done', 'refused', 'ask_again']);
  expect(there.count('domain:create', 'dark.odd')).toBe(1);
  expect(await open()).toEqual({ held: '700' });
  await decideOperation(t.house, systemActor, id, { says: 'ask_again', reason: 'once more' });
  await vi.waitFor(async () => expect((await operationOf('dark.odd')).state).toBe('action_required'), 300_000);
  await decideOperation(t.house, systemActor, id, { says: 'refused', reason: 'the registry told by telephone' });
  expect(await open()).toEqual({ held: '0' });
  expect(there.count('domain:create', 'dark.odd')).toBe(1);
  there.habits.strangersGet = 2201;
});

describe('what a person says is done, where the registry will not tell', () => {
  /** The registry carries it out, the line dies, and from then on it tells nothing of the name. */
  const inTheDark = (name: string, verb: string, act: () => void = () => undefined) => {
    let isDark = false;
    there.habits.meddle = (command, session) => {
      if (command.object !== 'domain' || !('name' in command) || command.name !== name) return undefined;
      if (command.verb === 'info' && isDark) return refusal(2308);
      if (command.verb !== verb || isDark) return undefined;
      if (command.verb === 'transfer' && command.op !== 'request') return undefined;
      isDark = true;
      act();
      session.destroy('cut');
      return undefined;
    };
  };
  /** Placed, lost, and in the end before a person. */
  const untold = async (name: string, method: string, path: string, form: Record<string, string>) => {
    const placed = await t.call(method, path, { form, headers: { prefer: 'wait=0' } });
    expect([200, 202], placed.text).toContain(placed.status);
    await vi.waitFor(async () => expect((await operationOf(name)).state).toMatch(/unknown|sent/), 300_000);
    const { id } = await operationOf(name);
    await vi.waitFor(async () => {
      await tryAgain(id, 5);
      expect((await operationOf(name)).state).toBe('action_required');
    }, 300_000);
    return id;
  };
  const settle = (id: string, decision: string) =>
    t.call('POST', `/v1/operator/operations/${id}/settle`, {
      json: { decision, reason: 'told by telephone' },
      as: t.operator,
    });
  const settled = async (id: string, decision = 'done') => {
    const called = await settle(id, decision);
    expect(called.status, called.text).toBe(200);
    expect(called.body.operation).toMatchObject({ state: decision });
    there.habits.meddle = () => undefined;
    expect(await open()).toEqual({ held: '0' });
  };
  /** `completed 700`: what was paid for an order. */
  const money = async (id: string) =>
    (
      await t.house.db
        .as(everyTenant)
        .many<{ line: string }>(
          sql`select status || ' ' || amount as line from ledger_transaction where operation_id = ${id} and reseller_id = ${t.demo.split(':')[0]} order by id`,
        )
    ).map(({ line }) => line);
  const row = (name: string) =>
    t.house.db
      .as(everyTenant)
      .one<{ state: string; end_date: Date | null; registry_expires_at: Date | null; nameservers: string[] }>(
        sql`select state, end_date, registry_expires_at, nameservers from domain where name = ${name} order by id desc limit 1`,
      );
  const bought = async (name: string) => {
    const called = await order(name);
    expect(called.status, called.text).toBe(200);
    return called.body.domain_id as string;
  };

  test('a renewal: one year, paid once', async () => {
    const domain = await bought('dark-renew.odd');
    const before = await row('dark-renew.odd');
    inTheDark('dark-renew.odd', 'renew');
    const date = before.end_date!.toISOString().slice(0, 10);
    const form = { years: '1', current_date: date, invoice_option: 'no_invoice' };
    const id = await untold('dark-renew.odd', 'POST', `/v1/domains/${domain}/renew`, form);
    expect(await open()).toEqual({ held: '700' });
    await settled(id);
    expect(await money(id)).toEqual(['completed 700']);
    const after = await row('dark-renew.odd');
    const shown = there.names.get('dark-renew.odd')!.expires;
    expect(after.end_date!.toISOString().slice(0, 10)).toBe(shown.toISOString().slice(0, 10));
    expect(there.count('domain:renew', 'dark-renew.odd')).toBe(1);
  });

  test('a renewal that is refused by hand costs nothing, and adds nothing here', async () => {
    const domain = await bought('dark-no.odd');
    const before = await row('dark-no.odd');
    inTheDark('dark-no.odd', 'renew');
    const date = before.end_date!.toISOString().slice(0, 10);
    const form = { years: '1', current_date: date, invoice_option: 'no_invoice' };
    const id = await untold('dark-no.odd', 'POST', `/v1/domains/${domain}/renew`, form);
    await settled(id, 'refused');
    expect(await money(id)).toEqual(['cancelled 700']);
    expect((await row('dark-no.odd')).end_date).toEqual(before.end_date);
    // As the one on the telephone said.
    there.names.get('dark-no.odd')!.expires = before.registry_expires_at!;
  });

  test('other nameservers', async () => {
    const domain = await bought('dark-ns.odd');
    inTheDark('dark-ns.odd', 'update');
    const form = { ns: 'ns3.host.test,ns4.host.test' };
    const id = await untold('dark-ns.odd', 'PUT', `/v1/domains/${domain}/ns`, form);
    await settled(id);
    expect((await row('dark-ns.odd')).nameservers.toSorted()).toEqual(['ns3.host.test', 'ns4.host.test']);
    expect(there.count('domain:update', 'dark-ns.odd')).toBe(2);
  });

  test('a delete: the name is gone, and was deleted once', async () => {
    const domain = await bought('dark-end.odd');
    inTheDark('dark-end.odd', 'delete');
    const id = await untold('dark-end.odd', 'DELETE', `/v1/domains/${domain}`, {});
    await settled(id);
    expect((await row('dark-end.odd')).state).toBe('removed');
    expect(there.count('domain:delete', 'dark-end.odd')).toBe(1);
  });

  test('a transfer: the name is ours, with the year that was paid', async () => {
    there.give('dark-in.odd');
    inTheDark('dark-in.odd', 'transfer', () => {
      const held = there.names.get('dark-in.odd')!;
      held.clID = 'us';
    });
    const form = { domain_name: 'dark-in.odd', ...parties, auth_code: 'Abcdefgh12345678' };
    const id = await untold('dark-in.odd', 'POST', '/v1/domains/transfer', form);
    expect(await open()).toEqual({ held: '700' });
    await settled(id);
    expect(await money(id)).toEqual(['completed 700']);
    expect((await row('dark-in.odd')).state).toBe('live');
  });

  test('where the registry tells, its word counts for more, and the sentence helps', async () => {
    const domain = await bought('dark-lie.odd');
    const date = (await row('dark-lie.odd')).end_date!.toISOString().slice(0, 10);
    inTheDark('dark-lie.odd', 'renew');
    const form = { years: '1', current_date: date, invoice_option: 'no_invoice' };
    const id = await untold('dark-lie.odd', 'POST', `/v1/domains/${domain}/renew`, form);
    // It tells again, and nothing was added.
    there.names.get('dark-lie.odd')!.expires = new Date(`${date}T00:00:00Z`);
    there.habits.meddle = () => undefined;
    const lied = await settle(id, 'done');
    expect(lied.status, lied.text).toBe(409);
    expect(lied.body.message).toMatch(
      /the registry does not show it: .*Ask again later, or refuse it and order it anew/,
    );
    expect(await open()).toEqual({ held: '700' });
    const asked = await settle(id, 'ask_again');
    expect(asked.status, asked.text).toBe(200);
    await vi.waitFor(async () => expect((await operationOf('dark-lie.odd')).state).toBe('done'), 300_000);
    expect(await money(id)).toEqual(['completed 700']);
    expect(await open()).toEqual({ held: '0' });
  });
});

test('"exists", and whose it is cannot be asked just now: the name is asked about later, not ordered again', async () => {
  takenMeanwhile('later.odd');
  const take = there.habits.meddle;
  let isSilent = true;
  there.habits.meddle = (command, session) => {
    if (command.object === 'domain' && command.verb === 'info' && isSilent) session.destroy('cut');
    return take(command, session);
  };
  void order('later.odd');
  await vi.waitFor(async () => expect((await operationOf('later.odd')).state).toBe('unknown'), 300_000);
  isSilent = false;
  await tryAgain((await operationOf('later.odd')).id, 0);
  await vi.waitFor(async () => expect((await operationOf('later.odd')).state).toBe('refused'), 300_000);
  expect(there.count('domain:create', 'later.odd')).toBe(1);
  there.habits.meddle = () => undefined;
  expect(await open()).toEqual({ held: '0' });
});

test('one session too many, told to a command: it was not looked at, leaves again later, and the alarm ends with the cause', async () => {
  const limits = async () => (await openAlarms(t.house)).filter(({ key }) => key === 'registry:strange:login');
  let isFull = true;
  there.habits.meddle = ({ object, verb }) =>
    isFull && object === 'domain' && verb === 'create' ? refusal(2502) : undefined;
  const placed = order('crowded.odd');
  await vi.waitFor(async () => expect(await limits()).toHaveLength(1), 300_000);
  expect((await limits())[0]).toMatchObject({ severity: 'warning', sentence: expect.stringContaining('2502') });
  isFull = false;
  // As if the pause were over.
  const { id } = await operationOf('crowded.odd');
  await vi.waitFor(async () => {
    await t.house.db.alone(everyTenant).run(sql`update registry_pace set paused_until = now()`);
    await reconnect();
    await tryAgain(id, 0);
    expect((await operationOf('crowded.odd')).state).toBe('done');
  }, 300_000);
  expect((await placed).status).toBeLessThan(300);
  expect(there.names.get('crowded.odd')).toMatchObject({ clID: 'us' });
  expect(await open()).toEqual({ held: '0' });
  const { n } = await t.house.db
    .as(everyTenant)
    .one<{ n: number }>(
      sql`select count(*)::integer as n from ledger_transaction where operation_id = ${id} and status = 'completed'`,
    );
  expect(n).toBe(1);
  await vi.waitFor(async () => expect(await limits()).toEqual([]), 300_000);
  there.habits.meddle = () => undefined;
});

test('messages that cannot be read are kept, acknowledged, told of, and hold up nobody', async () => {
  const domain = 'urn:ietf:params:xml:ns:domain-1.0';
  const bodies: Record<string, string> = {
    a1: `<d:trnData xmlns:d="${domain}"><d:name>first.odd</d:name><d:trStatus>pending</d:trStatus></d:trnData>`,
    a2: `<d:trnData xmlns:d="${domain}"><d:name>first.odd</d:name><d:trStatus>clientCancelled</d:trStatus><d:reID>other</d:reID><d:reDate>2027-03-18T08:02:14.00Z</d:reDate><d:acID>us</d:acID><d:acDate>2027-03-23 08:02:14</d:acDate><d:exDate>2028-11-16</d:exDate></d:trnData>`,
    a3: '<x:odd xmlns:x="urn:x"><x:at>2026-13-45 25:00</x:at></x:odd>',
  };
  for (const id of Object.keys(bodies)) there.messages.push({ id, text: 'News.' });
  const queue = '<qDate>2027-03-18 08:02:14.0</qDate>';
  there.habits.rewrite = ({ object, verb }, xml) => {
    const id = /msgQ[^>]* id="(\w+)"/.exec(xml)?.[1];
    if (object !== 'poll' || verb !== 'request' || id === undefined) return xml;
    return xml.replace('<msg>News', `${queue}<msg>News`).replace('</msgQ>', `</msgQ><resData>${bodies[id]}</resData>`);
  };
  await readPoll(t.house, 'strange');
  expect(there.messages).toEqual([]);
  const stored = await t.house.db
    .as(everyTenant)
    .many<{ message_id: string; kind: string; outcome: string | null; queued_at: Date }>(
      sql`select message_id, kind, outcome, queued_at from poll_message order by message_id`,
    );
  expect(stored.map(({ message_id, kind }) => `${message_id} ${kind}`)).toEqual([
    'a1 unreadable',
    'a2 transfer',
    'a3 other',
  ]);
  expect(stored[1]!.queued_at.toISOString()).toBe('2027-03-18T08:02:14.000Z');
  expect(stored[0]!.outcome).toContain('first.odd compared');
  const alarm = (await openAlarms(t.house)).filter(({ key }) => key.startsWith('registry:strange:message'));
  expect(alarm.map(({ key }) => key)).toEqual(['registry:strange:message:a1']);
  expect(await showMessage(t.house, 'strange', 'a1')).toEqual([expect.stringContaining('<d:trStatus>pending')]);
  expect((await openAlarms(t.house)).filter(({ key }) => key.startsWith('registry:strange:message'))).toEqual([]);
});

test('a queue whose head says nothing at all is an alarm until it can be read again', async () => {
  const stuck = async () => (await openAlarms(t.house)).some(({ key }) => key === 'registry:strange:queue');
  there.habits.rewrite = ({ object }, xml) => (object === 'poll' ? xml.replace('<trID>', '<trID') : xml);
  await readPoll(t.house, 'strange');
  expect(await stuck()).toBe(true);
  there.habits.rewrite = (_command, xml) => xml;
  await readPoll(t.house, 'strange');
  expect(await stuck()).toBe(false);
});

/** RFC 8748, as a registry may do it: no class, no `standard`, several parts. */
const fees = (...parts: string[]) => ({
  fees: parts.filter((each) => !each.startsWith('-')).map((amount) => ({ amount })),
  credits: parts.filter((each) => each.startsWith('-')).map((amount) => ({ amount })),
});
const usual = fees('5.00');
function askFees(
  of: Record<string, { create?: ReturnType<typeof fees>; renew?: ReturnType<typeof fees>; standard?: boolean }>,
) {
  there.habits.namespaces = { ...there.habits.namespaces, fee: IETF_NAMESPACES.fee };
  there.habits.finish = (command, answer) => {
    if (command.object !== 'domain') return answer;
    if (command.verb === 'check' && command.ext?.fee) {
      const items = command.names.map((id) => {
        const { create = usual, renew = usual, standard } = of[id] ?? {};
        const says = standard === undefined ? {} : { standard };
        const prices = [
          { name: 'create' as const, ...create, ...says },
          { name: 'renew' as const, ...renew, ...says },
        ];
        return { id, available: true, prices };
      });
      return { ...answer, ext: { feeCheck: { currency: 'USD', items } } };
    }
    if (command.verb !== 'create') return answer;
    const agreed = command.ext?.fee?.fees[0]?.amount;
    const asked = of[command.name]?.create ?? usual;
    if (asked !== usual && agreed !== '500.00') return refusal(agreed === undefined ? 2003 : 2004);
    return { ...answer, ext: { fee: { currency: 'USD', ...asked } } };
  };
}
const chargeAlarms = async () => (await openAlarms(t.house)).filter(({ key }) => key.startsWith('charge:'));

describe('a name that is refused as existing, and not there', () => {
  const contradicts = (name: string) => {
    let isFirst = true;
    there.habits.meddle = (command, session) => {
      if (command.object !== 'domain' || command.verb !== 'create' || command.name !== name) return undefined;
      if (!isFirst) return refusal(2302);
      isFirst = false;
      session.destroy('cut');
      return refusal(2400);
    };
  };
  const kind = () => {
    there.habits.meddle = () => undefined;
  };

  test('who gives it up does not order it', async () => {
    contradicts('given-up.odd');
    void order('given-up.odd');
    await vi.waitFor(async () => expect((await operationOf('given-up.odd')).state).toBe('unknown'), 300_000);
    const { id } = await operationOf('given-up.odd');
    kind();
    await t.house.db
      .alone(everyTenant)
      .run(sql`update operation set due_at = now() + interval '1 hour' where id = ${id}`);
    const before = there.count('domain:create', 'given-up.odd');
    const called = await t.call('POST', `/v1/operator/operations/${id}/settle`, {
      json: { decision: 'refused', reason: 'not wanted' },
      as: t.operator,
    });
    expect(called.status, called.text).toBe(200);
    expect([there.count('domain:create', 'given-up.odd'), (await operationOf('given-up.odd')).state]).toEqual([
      before,
      'refused',
    ]);
    expect(await open()).toEqual({ held: '0' });
  });

  test('it is not ordered for ever: a person decides', async () => {
    contradicts('blocked.odd');
    void order('blocked.odd');
    await vi.waitFor(async () => {
      await tryAgain((await operationOf('blocked.odd')).id, 0);
      expect((await operationOf('blocked.odd')).state).toBe('action_required');
    }, 300_000);
    expect(there.count('domain:create', 'blocked.odd')).toBeLessThan(9);
    kind();
    const { id } = await operationOf('blocked.odd');
    const called = await t.call('POST', `/v1/operator/operations/${id}/settle`, {
      json: { decision: 'refused', reason: 'blocked by the registry' },
      as: t.operator,
    });
    expect(called.status, called.text).toBe(200);
    expect(await open()).toEqual({ held: '0' });
  });
});

test('a name whose price is not the usual one is not sold at list price, whatever the registry calls it', async () => {
  askFees({ 'gold.odd': { create: fees('500.00', '20.00', '-20.00') } });
  await reconnect();
  const found = await t.call('GET', '/v1/domains/availability', { query: { domain: 'gold.odd' } });
  expect(found.text).toContain('"premium":true');
  const bare = await order('gold.odd');
  expect(bare.body).toMatchObject({ code: 'price_guard_required' });
  expect(there.count('domain:create', 'gold.odd')).toBe(0);
  const guarded = await order('gold.odd', { max_price: '600.00' });
  expect(guarded.status, guarded.text).toBe(200);
  expect(await chargeAlarms()).toEqual([]);
  const { cost } = await t.house.db
    .as(everyTenant)
    .one<{ cost: string }>(
      sql`select cost_amount::text as cost from ledger_transaction t join domain d on d.id = t.domain_id where d.name = 'gold.odd' and cost_amount is not null`,
    );
  expect(cost).toBe('50000');
  const plain = await order('plain.odd');
  expect(plain.status, plain.text).toBe(200);
});

test('a renewal that costs more is a price of its own too; what the registry calls standard is sold at list price', async () => {
  askFees({
    'dear.odd': { renew: fees('90.00') },
    'called.odd': { create: fees('6.00'), renew: fees('6.00'), standard: true },
  });
  expect((await order('dear.odd')).body).toMatchObject({ code: 'price_guard_required' });
  there.habits.finish = ((finish) => (command, answer) => {
    const finished = finish(command, answer);
    if (command.object !== 'domain' || command.verb !== 'create') return finished;
    return { ...answer, ext: { fee: { currency: 'USD', ...fees('6.00') } } };
  })(there.habits.finish);
  const called = await order('called.odd');
  expect(called.status, called.text).toBe(200);
  const [alarm] = await chargeAlarms();
  expect(alarm).toMatchObject({ key: 'charge:strange:odd:register', severity: 'critical' });
  expect(alarm!.sentence).toMatch(/charged 6\.00 USD for called\.odd .* expected 5\.00 USD/);
});

test('charged as expected again, the alarm is over after a week', async () => {
  askFees({});
  const buy = async (name: string) => {
    const called = await order(name);
    expect(called.status, called.text).toBe(200);
    return (await chargeAlarms()).length;
  };
  expect(await buy('again.odd')).toBe(1);
  await t.house.db.transaction(everyTenant, (tx) =>
    tx.run(sql`update alarm set seen_at = seen_at - interval '8 days' where key like 'charge:%'`),
  );
  expect(await buy('much-later.odd')).toBe(0);
});

test('the registry was away when the name was ordered: its price is asked before the name is', async () => {
  askFees({ 'away.odd': { create: fees('500.00') } });
  there.habits.meddle = (command, session) => {
    if (command.object === 'domain' && command.verb === 'check') session.destroy('cut');
    return undefined;
  };
  const placed = order('away.odd');
  await vi.waitFor(async () => expect((await operationOf('away.odd')).state).toBe('intended'), 300_000);
  there.habits.meddle = () => undefined;
  await vi.waitFor(async () => expect((await operationOf('away.odd')).state).toBe('refused'), 300_000);
  // Whoever waited less long has 202 and asks for the operation.
  await placed;
  const { id } = await operationOf('away.odd');
  const { code } = await t.house.db
    .as(everyTenant)
    .one<{ code: string }>(sql`select outcome -> 'error' ->> 'code' as code from operation where id = ${id}`);
  expect(code).toBe('price_guard_required');
  expect(there.count('domain:create', 'away.odd')).toBe(0);
  expect(await open()).toEqual({ held: '0' });
});

test("what we refuse ourselves is not told as the registry's refusal", async () => {
  askFees({});
  const called = await order('long.odd', { years: '5' });
  expect(called.body).toMatchObject({ code: 'invalid_argument', errors: [{ field: 'period' }] });
  expect(called.body.message).not.toMatch(/registry refused/i);
  expect(there.count('domain:create', 'long.odd')).toBe(0);
  expect(await open()).toEqual({ held: '0' });
});

test('a test of the connection asks and changes nothing; with a wrong profile it says what is wrong', async () => {
  const before = there.seen.length;
  there.messages.push({ id: 'b1', text: 'News.' });
  const good = await testConnection(t.house, 'strange');
  expect(good).toMatchObject({
    ok: true,
    findings: expect.arrayContaining(['check, info and poll are answered as expected']),
  });
  expect(there.seen.slice(before).map(({ object, verb }) => `${object}:${verb}`)).toEqual([
    'domain:check',
    'domain:info',
    'poll:request',
  ]);
  expect(there.messages.splice(0)).toHaveLength(1);
  there.habits.meddle = (command) =>
    command.object === 'domain' && command.verb === 'check' && command.names.length > 4
      ? refusal(2004, 'at most 4')
      : undefined;
  const bad = await testConnection(t.house, 'strange');
  expect(bad.ok).toBe(false);
  expect(bad.findings.join()).toContain('a check of 5 names under .odd was answered with 2004');
  there.habits.meddle = () => undefined;
});
