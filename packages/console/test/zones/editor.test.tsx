import { beforeEach, describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import Editor from '../../src/zones/editor.tsx';
import { messages } from '../../src/zones/messages.ts';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const name = 'shop.example';
const patch = '/domains/{domain_id}/zone/rrsets';
const history = '/domains/{domain_id}/zone/history';
const at = '/domains/{domain_id}/zone/history/{serial}';
type RRset = Schema<'ZoneChange'>['added'][number] & { readonly managed_by?: string };

const set = (owner: string, type: string, records: string[], changes: Partial<RRset> = {}): RRset => ({
  name: owner === '@' ? `${name}.` : `${owner}.${name}.`,
  type,
  ttl: 3_600,
  records,
  ...changes,
});
const usual = [
  set('@', 'SOA', ['ns1.ours.example. hostmaster.shop.example. 5 86400 7200 1209600 3600']),
  set('@', 'NS', ['ns1.ours.example.', 'ns2.ours.example.']),
  set('@', 'A', ['192.0.2.1']),
  set('@', 'MX', ['10 mail.shop.example.']),
  set('www', 'A', ['192.0.2.1', '192.0.2.2'], { ttl: 300 }),
  set('go', 'A', ['192.0.2.80'], { managed_by: 'url_forwarding' }),
];

let serial = 5;
let sets = usual;
beforeEach(() => {
  serial = 5;
  sets = usual;
});

const zone = (changes: Partial<Schema<'Zone'>> = {}) =>
  example('Zone', { domain_id: '5001', name: `${name}.`, serial, record_count: sets.length, ...changes });
const change = (changes: Partial<Schema<'ZoneChange'>> = {}) => example('ZoneChange', changes);

const open = async (changes: Partial<Schema<'Zone'>> = {}) => {
  page.api
    .answer('get', '/domains/{domain_id}/zone', () => zone(changes))
    .respond('get', patch, () => ({ body: { serial, record_count: sets.length, rrsets: sets, next_after: null } }))
    .respond('patch', patch, ({ body }) => ({ body: change({ dry_run: body.dry_run ?? false }) }))
    .answer('get', history, [example('ZoneHistoryEntry')])
    .answer('get', '/domains/{domain_id}/dnssec', [])
    .list('/account/keys', [example('Key', { key_id: 'key_kept', label: 'billing panel' })])
    .list('/users', []);
  await page.show(Editor, { at: `/app/domains/${name}/dns`, route: '/app/domains/:name/dns' });
};
const t = () => messages();
const rows = () =>
  [...page.root.querySelectorAll('.zone-grid tbody tr[aria-rowindex]')].map((row) =>
    [...row.querySelectorAll('[role=gridcell]')].map((cell) => page.text(cell)).join(' '),
  );
const cell = (row: number, column: string) => page.root.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)!;
const input = () => page.root.querySelector<HTMLInputElement>('.editing input, .editing select')!;
const edit = async (row: number, column: string, text: string) => {
  await page.click(cell(row, column));
  await page.type(input(), text);
  await page.press('Enter');
};
const bar = () => page.get('region', t().changes);
const review = () => page.click(page.button(t().review, bar()));
const publish = () => page.button(t().publish, page.get('dialog'));
const patches = () => page.api.sent('patch', patch);

describe('the table', () => {
  test('shows one row per record, without the SOA, and names of the zone in short', async () => {
    await open();
    expect(rows()).toEqual([
      '@ NS 3600 ns1.ours.example.',
      '@ NS 3600 ns2.ours.example.',
      '@ A 3600 192.0.2.1',
      '@ MX 3600 10 mail.shop.example.',
      'www A 300 192.0.2.1',
      'www A 300 192.0.2.2',
      'go A 3600 192.0.2.80',
    ]);
  });

  test('is read page by page, and again if the zone changes between two pages', async () => {
    let count = 0;
    await page.leave();
    page.api
      .answer('get', '/domains/{domain_id}/zone', () => zone())
      .respond('get', patch, ({ query }) => {
        count += 1;
        if (query.after)
          return { body: { serial: count === 2 ? 6 : 5, record_count: 2, rrsets: [usual[4]], next_after: null } };
        return { body: { serial: 5, record_count: 2, rrsets: [usual[2]], next_after: 'shop.example. A' } };
      })
      .answer('get', '/domains/{domain_id}/dnssec', []);
    await page.show(Editor, { at: `/app/domains/${name}/dns`, route: '/app/domains/:name/dns' });
    expect(page.api.sent('get', patch).map(({ query }) => query.after)).toEqual([
      undefined,
      'shop.example. A',
      undefined,
      'shop.example. A',
    ]);
    expect(rows()).toEqual(['@ A 3600 192.0.2.1', 'www A 300 192.0.2.1', 'www A 300 192.0.2.2']);
  });

  test('searches names and contents, and filters by type', async () => {
    await open();
    await page.type(page.get('input', t().find), 'WWW');
    expect(rows()).toHaveLength(2);
    await page.type(page.get('input', t().find), '192.0.2.1');
    await page.type(page.get('input', t().filterTypes), 'MX');
    expect([rows(), page.text().includes(t().empty)]).toEqual([[], true]);
    await page.type(page.get('input', t().filterTypes), 'A');
    expect(rows()).toEqual(['@ A 3600 192.0.2.1', 'www A 300 192.0.2.1']);
  });

  test('does not edit managed records, and names their owner', async () => {
    await open();
    await page.click(cell(6, 'data'));
    expect(input()).toBeNull();
    expect(page.text()).toContain(t().managed(t().managers.url_forwarding!));
  });

  test('cannot be edited without permission', async () => {
    signIn({ account: { scopes: ['dns:read', 'domains:read'] } });
    await open();
    await page.click(cell(2, 'data'));
    expect([input(), page.has('button', t().paste), page.has('button', t().add)]).toEqual([null, false, false]);
  });

  test('reports that changes have no effect with other nameservers', async () => {
    await open({ is_delegated: false });
    expect(page.text()).toContain(t().notDelegated);
  });

  test('offers to add the first record of a domain without a zone, which creates the zone', async () => {
    page.api
      .refuse('get', '/domains/{domain_id}/zone', 404, { code: 'not_found' })
      .refuse('get', patch, 404, { code: 'not_found' })
      .list('/domains', [example('Domain', { domain_name: name, domain_id: '5001' })])
      .respond('patch', patch, () => ({ body: change({ dry_run: true }) }))
      .answer('get', '/domains/{domain_id}/dnssec', []);
    await page.show(Editor, { at: `/app/domains/${name}/dns`, route: '/app/domains/:name/dns' });
    expect(page.text()).toContain(t().noZone);
    const form = page.root.querySelector<HTMLFormElement>('.zone-new')!;
    await page.type(page.input(t().columns.data, form), '192.0.2.7');
    await page.click(page.button(t().add, form));
    await review();
    expect([patches()[0]!.params.domain_id, patches()[0]!.headers.get('If-Match')]).toEqual(['5001', null]);
  });

  test('shows the error for an unknown domain, and can read again', async () => {
    page.api
      .refuse('get', '/domains/{domain_id}/zone', 404, { code: 'not_found' })
      .refuse('get', patch, 404, { code: 'not_found' })
      .list('/domains', [example('Domain', { domain_name: 'other-shop.example' })]);
    await page.show(Editor, { at: `/app/domains/${name}/dns`, route: '/app/domains/:name/dns' });
    expect([page.has('alert'), page.has('grid')]).toEqual([true, false]);
  });
});

describe('the keyboard', () => {
  test('moves through the cells, and stops at the edges', async () => {
    await open();
    await page.click(cell(6, 'name'));
    for (const [key, place] of [
      ['ArrowDown', '6 name'],
      ['ArrowLeft', '6 name'],
      ['ArrowRight', '6 type'],
      ['ArrowUp', '5 type'],
      ['ArrowRight', '5 ttl'],
      ['ArrowRight', '5 data'],
      ['ArrowRight', '5 data'],
    ] as const) {
      await page.press(key);
      expect((document.activeElement as HTMLElement).dataset.cell).toBe(place);
    }
  });

  test('Enter edits and keeps, Escape keeps nothing', async () => {
    await open();
    await edit(2, 'data', '192.0.2.9');
    expect([rows()[2], document.activeElement === cell(2, 'data')]).toEqual(['@ A 3600 192.0.2.9', true]);
    await page.press('F2');
    await page.type(input(), '203.0.113.1');
    await page.press('Escape');
    expect([rows()[2], input()]).toEqual(['@ A 3600 192.0.2.9', null]);
  });

  test('Tab edits the next cell and Shift+Tab the one before', async () => {
    await open();
    await page.click(cell(2, 'ttl'));
    await page.type(input(), '60');
    await page.press('Tab');
    expect([input().value, rows()[2]!.startsWith('@ A 60')]).toEqual(['192.0.2.1', true]);
    await page.press('Tab', { shiftKey: true });
    expect(input().value).toBe('60');
  });

  test('reaches the grid after a filter left fewer rows', async () => {
    await open();
    await page.click(cell(6, 'data'));
    await page.type(page.get('input', t().filterTypes), 'MX');
    expect(cell(0, 'data').tabIndex).toBe(0);
  });

  test('Delete removes, Ctrl+D duplicates and Ctrl+Z undoes', async () => {
    await open();
    await page.click(cell(2, 'data'));
    await page.press('Escape');
    await page.press('Delete');
    expect(page.text(bar())).toContain(t().bar(0, 0, 1));
    await page.press('z', { ctrlKey: true });
    expect(page.has('region', t().changes)).toBe(false);
    await page.press('d', { ctrlKey: true });
    expect(page.text(bar())).toContain(t().bar(0, 1, 0));
  });
});

describe('a cell', () => {
  test.each([
    ['name', 'WWW.Shop.Example', 'www A 3600 192.0.2.1'],
    ['name', '', '@ A 3600 192.0.2.1'],
    ['ttl', '1h30m', '@ A 5400 192.0.2.1'],
    ['data', ' 192.0.2.9\u200b', '@ A 3600 192.0.2.9'],
    ['type', 'TXT', '@ TXT 3600 192.0.2.1'],
  ])('accepts in the column %s the text "%s"', async (column, typed, row) => {
    await open();
    await edit(2, column, typed);
    expect(rows().map((each) => each.replace(/ 300 /, ' 3600 '))).toContain(row);
  });

  test.each([
    ['name', 'a..b'],
    ['ttl', 'soon'],
    ['ttl', '-1'],
  ])('refuses in the column %s the text "%s", and keeps it for another try', async (column, typed) => {
    await open();
    await edit(2, column, typed);
    expect([input().value, input().getAttribute('aria-invalid'), page.has('region', t().changes)]).toEqual([
      typed,
      'true',
      false,
    ]);
  });

  test('reports invalid content of a type, and prevents publishing', async () => {
    await open();
    await edit(2, 'data', '192.0.2.300');
    expect(page.text(bar())).toContain(t().problems(1));
    expect(page.button(t().review, bar()).disabled).toBe(true);
    await edit(2, 'data', '192.0.2.30');
    expect(page.button(t().review, bar()).disabled).toBe(false);
  });
});

describe('a new record', () => {
  const form = () => page.root.querySelector<HTMLFormElement>('.zone-new')!;
  const fill = async (fields: Partial<Record<'name' | 'type' | 'ttl' | 'data', string>>) => {
    for (const [column, text] of Object.entries(fields))
      await page.type(page.input(t().columns[column as 'name'], form()), text);
  };
  const note = () => page.text(form().querySelector('.zone-new-note')!);

  test('is described while it is typed, and added first', async () => {
    await open();
    await fill({ name: 'mail', type: 'MX', ttl: '1d', data: '10 mx.example.net' });
    expect(note()).toContain('mail.shop.example');
    await page.click(page.button(t().add, form()));
    expect(rows()[0]).toBe('mail MX 86400 10 mx.example.net.');
    expect(document.activeElement).toBe(page.input(t().columns.name, form()));
  });

  test.each([
    [{ name: 'a b', data: '192.0.2.1' }],
    [{ type: 'A', data: '2001:db8::1' }],
    [{ type: 'CNAME', data: 'x.example.net' }],
    [{ ttl: 'x', data: '192.0.2.1' }],
    [{ name: 'a' }],
  ] as const)('with %j cannot be added, and the note says why', async (fields) => {
    await open();
    await fill(fields);
    expect([page.button(t().add, form()).disabled, note() !== '']).toEqual([true, true]);
  });

  test('counts an existing record as no change', async () => {
    await open();
    await fill({ name: 'www', data: '192.0.2.2' });
    await page.click(page.button(t().add, form()));
    expect([rows().length, page.text(bar()).includes(t().noChanges)]).toEqual([7, true]);
  });

  test.each([
    ['en', '1 hour'],
    ['id', '1 jam'],
  ] as const)('says how long it is cached (%s)', async (language, time) => {
    speak(language);
    await open();
    await fill({ data: '192.0.2.7' });
    expect(note()).toContain(time);
  });
});

describe('several records', () => {
  const choose = async (...places: number[]) => {
    for (const each of places)
      await page.click(page.root.querySelectorAll<HTMLElement>('.zone-grid td.pick input')[each]!);
  };
  const many = () => page.root.querySelector<HTMLElement>('.zone-many')!;

  test('get one TTL, which is of their whole set', async () => {
    await open();
    await choose(2, 4);
    expect(page.text(many())).toContain(t().selected(2));
    await page.type(page.get('input', t().ttlSeconds, many()), '2h');
    await page.click(page.button(t().setTtl, many()));
    expect(rows().filter((row) => row.includes(' 7200 '))).toEqual([
      '@ A 7200 192.0.2.1',
      'www A 7200 192.0.2.1',
      'www A 7200 192.0.2.2',
    ]);
    expect(many()).toBeNull();
  });

  test('get one content, once per set', async () => {
    await open();
    await choose(4, 5);
    await page.type(page.get('input', t().newContent, many()), '203.0.113.5');
    await page.click(page.button(t().setTarget, many()));
    expect(rows().filter((row) => row.includes('203.0.113.5'))).toEqual(['www A 300 203.0.113.5']);
  });

  test('are deleted, and restored one by one', async () => {
    await open();
    await choose(2, 4);
    await page.click(page.button(t().deleteChosen, many()));
    expect(page.text(bar())).toContain(t().bar(0, 0, 2));
    await page.click(page.all('button', t().restore)[0]!);
    expect(page.text(bar())).toContain(t().bar(0, 0, 1));
  });
});

describe('publishing', () => {
  test('is tried first, and then sends complete sets with the serial and one key', async () => {
    await open();
    await edit(5, 'data', '192.0.2.3');
    await review();
    const rrsets = [{ name: `www.${name}.`, type: 'A', ttl: 300, records: ['192.0.2.1', '192.0.2.3'] }];
    expect(patches().map(({ body }) => body)).toEqual([{ rrsets, dry_run: true }]);
    await page.type(page.field('comment'), ' new server ');
    await page.doubleClick(publish());
    const [, sent, ...more] = patches();
    expect([sent!.body, sent!.headers.get('If-Match'), more]).toEqual([{ rrsets, comment: 'new server' }, '"5"', []]);
    expect([page.has('dialog'), page.has('region', t().changes)]).toEqual([false, false]);
  });

  test('is not possible before the try has an answer', async () => {
    await open();
    await edit(2, 'data', '192.0.2.3');
    const held = page.api.hold('patch', patch);
    await review();
    expect([publish().disabled, page.text(page.get('dialog')).includes(t().checking)]).toEqual([true, true]);
    held.release();
    await page.settle();
    expect(publish().disabled).toBe(false);
  });

  test('says how long the old records are still in caches, and shows the warnings of the service', async () => {
    await open();
    page.api.respond('patch', patch, () => ({
      body: change({ warnings: [{ name: `www.${name}.`, type: 'A', reason: 'is a warning' } as never] }),
    }));
    await edit(5, 'data', '192.0.2.3');
    await review();
    const text = page.text(page.get('dialog'));
    expect(text).toContain(t().cachedFor(t().sentence.minutes(5)));
    expect(text).toContain(`www.${name} A`);
  });

  test('repeats a publication with a lost answer with the same key', async () => {
    await open();
    await edit(2, 'data', '192.0.2.3');
    await review();
    page.api.lose('patch', patch);
    await page.click(publish());
    page.api.respond('patch', patch, () => ({ body: change() }));
    await page.click(publish());
    const [, lost, again] = patches();
    expect([again!.headers.get('Idempotency-Key'), again!.body]).toEqual([
      lost!.headers.get('Idempotency-Key'),
      lost!.body,
    ]);
  });

  test('shows the reason of a refused change and keeps the draft', async () => {
    await open();
    page.api.refuse('patch', patch, 400, { message: 'Not allowed.' });
    await edit(2, 'data', '192.0.2.3');
    await review();
    expect([page.text(page.get('alert')).includes('Not allowed.'), publish().disabled]).toEqual([true, true]);
    await page.press('Escape');
    expect(rows()).toContain('@ A 3600 192.0.2.3');
  });

  test.each([
    ['mail', 3],
    ['website', 2],
    ['nameservers', 0],
  ] as const)('the loss of the %s needs the name of the domain', async (loss, row) => {
    await open();
    await page.click(cell(row, 'data'));
    await page.press('Escape');
    await page.press('Delete');
    await review();
    expect([page.text(page.get('dialog')).includes(t().lossWarnings[loss]), publish().disabled]).toEqual([true, true]);
    await page.type(page.field('typed'), ' Shop.Example ');
    expect(publish().disabled).toBe(false);
  });

  test('a secret needs a confirmation', async () => {
    await open();
    const form = page.root.querySelector<HTMLFormElement>('.zone-new')!;
    await page.type(page.input(t().columns.type, form), 'TXT');
    await page.type(page.input(t().columns.data, form), 'password=correct-horse');
    await page.click(page.button(t().add, form));
    await review();
    expect(publish().disabled).toBe(true);
    await page.click(page.field('public'));
    expect(publish().disabled).toBe(false);
  });

  test('can be discarded before, after a confirmation', async () => {
    await open();
    await edit(2, 'data', '192.0.2.3');
    await page.click(page.button(t().discard, bar()));
    expect(rows()[2]).toContain('192.0.2.3');
    await page.click(page.button(t().discard, page.get('dialog')));
    expect([rows()[2], page.has('region', t().changes)]).toEqual(['@ A 3600 192.0.2.1', false]);
  });
});

describe('a change by someone else meanwhile', () => {
  const base = usual.flatMap(({ name: owner, type, ttl, records }) =>
    records.map((text) => `${owner} ${ttl} IN ${type} ${text}`),
  );
  const conflict = async () => {
    await open();
    await edit(2, 'data', '192.0.2.3');
    page.api
      .refuse('patch', patch, 412, { code: 'precondition_failed' })
      .respond('get', at, () => ({ body: `${base.join('\n')}\n` }))
      .answer('get', history, [
        example('ZoneHistoryEntry', {
          actor: { kind: 'person', id: 'per_1', name: 'Ani', key_id: null, request_id: 'r' } as never,
          comment: 'moved',
        }),
      ]);
    serial = 6;
  };

  test('keeps both changes to different records, on the new serial', async () => {
    await conflict();
    sets = usual.map((each) => (each.type === 'MX' ? { ...each, records: ['5 mail2.shop.example.'] } : each));
    await review();
    expect(page.text(page.get('dialog'))).toContain(t().conflictNone);
    expect(page.text(page.get('dialog'))).toContain(t().conflictWhy('moved'));
    page.api.respond('patch', patch, ({ body }) => ({ body: change({ dry_run: body.dry_run ?? false }) }));
    await page.click(page.button(t().continueToReview));
    expect(rows()).toEqual(expect.arrayContaining(['@ A 3600 192.0.2.3', '@ MX 3600 5 mail2.shop.example.']));
    await page.click(publish());
    expect(patches().map(({ headers }) => headers.get('If-Match'))).toEqual(['"5"', '"6"', '"6"']);
  });

  test.each([
    ['theirs', '192.0.2.4'],
    ['mine', '192.0.2.3'],
  ] as const)('to the same records needs a decision: %s', async (side, address) => {
    await conflict();
    sets = usual.map((each) => (each === usual[2] ? { ...each, records: ['192.0.2.4'] } : each));
    await review();
    const text = page.text(page.get('dialog'));
    for (const part of ['3600 192.0.2.1', '3600 192.0.2.4', '3600 192.0.2.3']) expect(text).toContain(part);
    expect(page.button(t().continueToReview).disabled).toBe(true);
    await page.click(
      page.get(
        'radio',
        undefined,
        page.all('group', /./, page.get('dialog'))[0]!.querySelectorAll('label')[side === 'theirs' ? 0 : 1]!,
      ),
    );
    page.api.respond('patch', patch, ({ body }) => ({ body: change({ dry_run: body.dry_run ?? false }) }));
    await page.click(page.button(t().continueToReview));
    expect([rows()[2], page.has('dialog')]).toEqual([`@ A 3600 ${address}`, side === 'mine']);
  });
});

describe('the other views', () => {
  const view = (each: keyof ReturnType<typeof messages>['viewNames']) =>
    page.click(page.get('tab', t().viewNames[each]));

  test('the zone file is edited as text, and errors prevent taking it', async () => {
    await open();
    await view('text');
    const area = page.root.querySelector('textarea')!;
    expect(area.value).not.toContain('SOA');
    await page.type(area, area.value.replace('192.0.2.2', 'nonsense'));
    expect([page.button(t().updateDraft).disabled, page.text().includes(t().textErrors(1))]).toEqual([true, true]);
    await page.type(area, area.value.replace('nonsense', '192.0.2.22'));
    await page.click(page.button(t().updateDraft));
    await view('table');
    expect(rows()).toContain('www A 300 192.0.2.22');
    expect(page.text(bar())).toContain(t().bar(1, 0, 0));
  });

  test('the changes of the draft are shown with what they replace', async () => {
    await open();
    await view('changes');
    expect(page.text()).toContain(t().noChanges);
    await view('table');
    await edit(2, 'data', '192.0.2.9');
    await view('changes');
    const [removed, added] = [...page.root.querySelectorAll('.diff-side code')].map((each) => each.textContent);
    expect([removed, added]).toEqual(['3600 A 192.0.2.1', '3600 A 192.0.2.9']);
    expect([...page.root.querySelectorAll('mark')].map((each) => each.textContent)).toEqual(['1', '9']);
  });

  const keyEntry = (serial: number, id: string) =>
    example('ZoneHistoryEntry', {
      serial,
      actor: { kind: 'key', id, name: null, key_id: id, request_id: 'r' } as never,
    });

  test('the history names the actor, and a rollback is reviewed like any change', async () => {
    await open();
    page.api
      .answer('get', history, [
        example('ZoneHistoryEntry', { serial: 5 }),
        keyEntry(3, 'key_kept'),
        keyEntry(2, 'key_deleted'),
        example('ZoneHistoryEntry', {
          serial: 4,
          actor: { kind: 'person', id: 'per_1', name: 'Ani', key_id: null, request_id: 'r' } as never,
          kind: 'rollback',
          added_count: 2,
          deleted_count: 1,
        }),
      ])
      .respond('get', at, () => ({ body: `${name}. 3600 IN A 198.51.100.1\n${name}. 3600 IN NS ns1.ours.example.\n` }));
    await view('history');
    expect(page.rows()[3]!.slice(2, 6)).toEqual(['Ani', t().kinds.rollback, '–', '+2 −1']);
    expect(
      page
        .rows()
        .map((row) => row[2])
        .slice(1, 3),
    ).toEqual([t().key('billing panel'), t().key('…eted')]);
    expect(page.all('button', t().rollback)).toHaveLength(3);
    await page.click(page.all('button', t().rollback).at(-1)!);
    expect(page.api.sent('get', at).map(({ params }) => params.serial)).toEqual(['4']);
    expect(page.text(page.get('dialog'))).toContain('198.51.100.1');
    expect(patches().map(({ body }) => body.dry_run)).toEqual([true]);
  });

  test('a rollback that changes nothing is not sent', async () => {
    await open();
    const lines = usual.flatMap(({ name: owner, type, ttl, records }) =>
      records.map((text) => `${owner} ${ttl} IN ${type} ${text}`),
    );
    page.api
      .answer('get', history, [example('ZoneHistoryEntry', { serial: 4 })])
      .respond('get', at, () => ({ body: `${lines.join('\n')}\n` }));
    await view('history');
    await page.click(page.button(t().rollback));
    expect([page.has('dialog'), patches()]).toEqual([false, []]);
  });

  test('the history without permission compares only', async () => {
    signIn({ account: { scopes: ['dns:read'] } });
    await open();
    page.api
      .answer('get', history, [example('ZoneHistoryEntry', { serial: 4 })])
      .respond('get', at, () => ({ body: `${name}. 3600 IN A 198.51.100.1\n` }));
    await view('history');
    expect(page.has('button', t().rollback)).toBe(false);
    await page.click(page.button(t().compare));
    expect(page.text(page.get('region', t().compare))).toContain('198.51.100.1');
  });
});

describe('pasted records', () => {
  const paste = async (text: string) => {
    await page.click(page.button(t().paste));
    await page.type(page.field('paste'), text);
  };

  test('are counted, and unread lines are listed with their number', async () => {
    await open();
    await paste('blog 300 IN A 192.0.2.5\nblog 300 IN A 999.0.0.1\n');
    const text = page.text(page.get('dialog'));
    expect([
      text.includes(t().pasteFound(1)),
      text.includes(t().pasteUnread(1)),
      text.includes(`${t().line} 2`),
    ]).toEqual([true, true, true]);
  });

  test('are added to the draft', async () => {
    await open();
    await paste('blog 300 IN A 192.0.2.5');
    await page.click(page.button(t().addToZone));
    expect([rows()[0], rows().length]).toEqual(['blog A 300 192.0.2.5', 8]);
  });

  test('can replace the zone, except nameservers and managed records', async () => {
    await open();
    await paste('blog 300 IN A 192.0.2.5\ngo 300 IN A 192.0.2.6');
    await page.click(page.all('radio')[1]!);
    await page.click(page.button(t().replaceZone));
    await page.type(page.get('input', t().filterTypes), 'A');
    expect(page.text(bar())).toContain(t().bar(0, 1, 4));
    expect(rows().filter((row) => row.startsWith('go'))).toEqual(['go A 3600 192.0.2.80']);
  });

  test('are kept when the dialog is closed', async () => {
    await open();
    await paste('blog 300 IN A 192.0.2.5');
    await page.press('Escape');
    await page.click(page.button(t().paste));
    expect(page.field('paste').value).toBe('blog 300 IN A 192.0.2.5');
  });
});

describe('the nameservers', () => {
  test('show their state, and can be checked again', async () => {
    const [known] = example('Zone').publication.nameservers;
    const nameservers = [
      { ...known!, name: 'a', state: 'behind' as const, lag_ms: 61_400 },
      { ...known!, name: 'embedded', state: 'unreachable' as const },
    ];
    await open({ publication: { state: 'behind', nameservers } as never });
    const lights = () => page.text(page.root.querySelector('.zone-lights')!);
    expect(lights()).toContain(`a: ${t().nameserverStates.behind} ${t().lag('61')}`);
    expect(lights()).toContain(`${t().builtInNameserver}: ${t().nameserverStates.unreachable}`);
    page.api.answer('post', '/domains/{domain_id}/zone/check', zone());
    await page.doubleClick(page.button(t().checkNow));
    expect(page.api.writes).toHaveLength(1);
    expect(lights()).toContain(t().nameserverStates.published);
  });

  test('warns if the nameservers lack the key of a DS record at the registry', async () => {
    page.api.answer('get', '/domains/{domain_id}/dnssec', [example('DsRecord')]);
    page.api
      .answer('get', '/domains/{domain_id}/zone', () => zone())
      .respond('get', patch, () => ({ body: { serial, record_count: 1, rrsets: sets, next_after: null } }));
    await page.show(Editor, { at: `/app/domains/${name}/dns`, route: '/app/domains/:name/dns' });
    expect(page.text()).toContain(t().dnssec.elsewhere('12345'));
  });
});
