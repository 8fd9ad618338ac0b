import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { events } from '../../../server/src/core/events/catalogue.ts';
import { actionChoices, actionText } from '../../src/activity/action-messages.ts';
import Changes from '../../src/activity/changes.tsx';
import { ObjectLink } from '../../src/activity/entry.tsx';
import { eventText } from '../../src/activity/event-messages.ts';
import Events from '../../src/activity/events.tsx';
import { messages } from '../../src/activity/messages.ts';
import type { ResponseBody, Schema } from '../../src/api/shapes.ts';
import { example } from '../support/api.ts';
import { speak, usePage } from '../support/dom.ts';

const page = usePage();
const t = () => messages();

describe('the audit log', () => {
  const open = async (rows: Schema<'AuditEntry'>[], at = '/app/log') => {
    page.api.list('/account/audit', rows);
    page.api.list('/account/keys', [example('Key', { key_id: 'key_2', label: 'billing panel' })]);
    page.api.list('/users', []);
    await page.show(Changes, { at });
  };
  const entry = (changes: Partial<Schema<'AuditEntry'>> = {}) => example('AuditEntry', changes);

  test('sends the filters of the address', async () => {
    await open([], '/app/log?action=domain&object=5001&page=2');
    expect(page.api.sent('get', '/account/audit').map(({ query }) => query)).toEqual([
      { limit: '25', page_no: '2', action: 'domain', object_id: '5001' },
    ]);
    await page.click(page.get('link', t().clear));
    expect((page.get('input', t().objectId) as HTMLInputElement).value).toBe('');
  });

  test.each([
    [{ awaits: ['totp', 'recovery_code'] }, 'Password accepted, 2FA pending', 'Waits for'],
    [{ role: 'owner' }, 'Signed in', 'Role'],
  ])('shows a sign-in with %j as “%s”', async (after, text, field) => {
    await open([entry({ action: 'session.begin', before: null, after: after as never })]);
    expect(page.rows()[0]![0]).toBe(text);
    await page.click(page.button(t().show));
    expect(page.text()).toContain(field);
  });

  test.each([
    [{ person_name: 'Ani', key_id: 'key_1' }, 'Ani'],
    [{ person_name: null, key_id: 'key_1' }, 'API key: key_1'],
    [{ person_name: null, key_id: 'key_2' }, 'API key: billing panel'],
    [{ person_name: null, key_id: null }, 'System'],
  ] as const)('with %j names the actor %s', async (changes, actor) => {
    await open([entry(changes as never)]);
    expect(page.rows()[0]![2]).toBe(actor);
  });

  test('shows the name of the object, with its id as tooltip', async () => {
    const domain = { object_type: 'domain', object_id: '5001' };
    await open([
      entry({ audit_id: '2', ...domain, object_name: 'example-shop.com' }),
      entry({ audit_id: '1', ...domain, object_name: null }),
    ]);
    expect(page.rows().map((row) => row[3])).toEqual(['Domain example-shop.com', 'Domain 5001']);
    expect(page.get('link', 'example-shop.com').getAttribute('title')).toBe('5001');
    expect(page.get('link', 'example-shop.com').getAttribute('href')).toBe('/app/domains/5001');
  });

  test.each([
    ['domain.suspended', { suspended: true }, 'Domain suspended'],
    ['domain.theft_protection', { theft_protection: false }, 'Theft protection turned off'],
    ['domain.suspended', null, 'Domain suspended or unsuspended'],
    ['domain.renewed', { suspended: true }, 'Domain renewed'],
    ['some.new_action', null, 'some.new_action'],
  ])('shows the action %s with %j as "%s"', async (action, after, text) => {
    await open([entry({ action, after: after as never })]);
    expect(page.rows()[0]![0]).toBe(text);
  });

  test('shows all data of an entry as text', async () => {
    await open([entry({ before: null, after: { note: '<img src=x>' } as never })]);
    await page.click(page.button(t().show));
    expect(page.text(page.get('dialog'))).toContain('<img src=x>');
    expect([page.root.querySelector('img'), page.text(page.get('dialog')).includes('before')]).toEqual([null, false]);
  });
});

test.each(['en', 'id'] as const)('no two actions have the same text (%s)', (language) => {
  speak(language);
  const texts = actionChoices().map(([, text]) => text);
  expect(texts.filter((text, n) => texts.indexOf(text) !== n)).toEqual([]);
});

test('has a text for every action that the service records', () => {
  const literals = /\baction: (?:[^,\n]* \? )?'([a-z_]+\.[a-z_]+)'(?: : '([a-z_]+\.[a-z_]+)')?/g;
  const core = join(import.meta.dirname, '../../../server/src/core');
  const recorded = globSync('**/*.ts', { cwd: core }).flatMap((file) =>
    [...readFileSync(join(core, file), 'utf8').matchAll(literals)].flatMap(([, action, other]) =>
      other === undefined ? [action!] : [action!, other],
    ),
  );
  expect(recorded).toContain('domain.renewed');
  const composed = ['create', 'change', 'delete'].map((each) => `zone_template.${each}`);
  const ordered = ['register', 'renew', 'transfer', 'restore', 'buy_privacy'].map((each) => `domain.${each}`);
  const undeleted = ['contact', 'customer', 'reseller'].map((each) => `${each}.undelete`);
  const all = [...new Set([...recorded, ...composed, ...ordered, ...undeleted])];
  expect(all.filter((action) => actionText(action) === action)).toEqual([]);
});

describe('the event log', () => {
  test('has a text for every event of the service', () => {
    expect(Object.keys(events).filter((type) => eventText(type) === type)).toEqual([]);
  });

  const open = async (changes: Partial<ResponseBody<'/events', 'get'>> = {}, at = '/app/log/events') => {
    page.api.respond('get', '/events', () => ({ body: { events: [], has_more: false, next_after: '', ...changes } }));
    await page.show(Events, { at });
  };
  const queries = () => page.api.sent('get', '/events').map(({ query }) => [query.after, query.type]);

  test('continues after the last event, and returns to the start', async () => {
    const next = 'evt_0000000000000042';
    await open({ has_more: true, next_after: next });
    await page.click(page.button(t().loadMore));
    await page.click(page.button(t().backToStart));
    expect([queries(), location.search]).toEqual([
      [
        [undefined, undefined],
        [next, undefined],
      ],
      '',
    ]);
  });

  test('starts from the first page when another type is chosen', async () => {
    await open({}, '/app/log/events?after=evt_0000000000000042');
    await page.type(page.get('input', t().type), 'domain.');
    expect(queries().at(-1)).toEqual([undefined, 'domain.']);
  });

  test('explains what appears there if there are no events and no filters', async () => {
    await open();
    expect(page.text()).toContain(t().noEvents);
  });
});

test.each([
  ['domain', 'a/b', '/app/domains/a%2Fb'],
  ['customer', '7', '/app/customers/7'],
  ['some_new_thing', 'x', undefined],
])('an object of the type %s links to its page', async (type, id, href) => {
  await page.show(<ObjectLink type={type} id={id} />);
  expect(page.all('link')[0]?.getAttribute('href')).toBe(href);
  if (!href) expect(page.text()).toBe('some new thing x');
});
