import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { messages } from '../../src/moves/messages.ts';
import Moves from '../../src/moves/moves.tsx';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const moveOf = (changes: Partial<Schema<'Move'>> = {}) => example('Move', changes);
const open = async (rows: Schema<'Move'>[] = []) => {
  page.api.list('/moves', rows).list('/customers', [example('Customer')]);
  await page.show(Moves, { at: '/app/moves' });
};
const submit = (within: ParentNode) => within.querySelector<HTMLButtonElement>('[type=submit]')!;

describe('an offer', () => {
  test.each<[Partial<Schema<'Move'>>, string[]]>([
    [{ direction: 'in', state: 'offered' }, ['accept', 'decline']],
    [{ direction: 'out', state: 'offered' }, ['withdraw']],
    [{ direction: 'out', state: 'asked' }, ['withdraw']],
    [{ direction: 'in', state: 'asked' }, []],
    [{ direction: 'in', state: 'done' }, []],
  ])('permits for %j the answers %j', async (changes, verbs) => {
    await open([moveOf(changes)]);
    const { accept, decline, withdraw } = messages();
    const shown = page.all('button', undefined, page.get('table')).map((each) => page.text(each));
    expect(shown).toEqual(verbs.map((verb) => ({ accept, decline, withdraw })[verb]));
  });

  test('cannot be answered by users who may only read', async () => {
    signIn({ account: { scopes: ['domains:read'] } });
    await open([moveOf()]);
    expect([page.all('button', undefined, page.get('table')), page.has('region', messages().claim)]).toEqual([
      [],
      false,
    ]);
  });

  test.each([
    ['accept', 'done'],
    ['decline', 'declined'],
  ] as const)('is answered with %s once, after a confirmation', async (answer, state) => {
    await open([moveOf()]);
    const path = `/moves/{move_id}/${answer}` as const;
    page.api.respond('post', path, () => ({ body: moveOf({ state }) }));
    await page.click(page.button(messages().verbFor(messages()[answer], 'example-shop.com')));
    expect(page.api.writes).toEqual([]);
    await page.doubleClick(submit(page.get('dialog')));
    expect(page.api.writes.map((each) => each.path)).toEqual([path]);
    expect(page.has('dialog')).toBe(false);
  });

  test('keeps the dialog with the reason if the answer is refused', async () => {
    await open([moveOf()]);
    page.api.refuse('post', '/moves/{move_id}/accept', 409, { code: 'conflict', message: 'It expired.' });
    await page.click(page.button(messages().verbFor(messages().accept, 'example-shop.com')));
    await page.click(submit(page.get('dialog')));
    expect(page.text(page.get('dialog'))).toContain('It expired.');
  });
});

describe('taking over a domain', () => {
  const path = '/moves';
  const form = () => page.get('region', messages().claim);
  const fill = async (code = ' s3cret; code ') => {
    await page.type(page.field('domain_name'), ' example-shop.com ');
    await page.type(page.field('auth_code'), code);
    await page.type(page.field('customer_id'), 'Bud');
    await page.click(page.get('option', /Budi/));
  };
  const keys = () => page.api.sent('post', path).map(({ headers }) => headers.get('Idempotency-Key'));

  test('needs name, code and customer, is sent once, and forgets the code', async () => {
    await open();
    expect(submit(form()).disabled).toBe(true);
    await fill();
    page.api.respond('post', path, () => ({ body: moveOf({ state: 'done' }) }));
    await page.doubleClick(submit(form()));
    expect(page.api.writes.map(({ body }) => body)).toEqual([
      {
        domain_name: 'example-shop.com',
        auth_code: 's3cret; code',
        customer_id: '2002',
        default_contacts: 'oldcontact',
      },
    ]);
    expect([page.field('auth_code').value, submit(form()).disabled]).toEqual(['', true]);
  });

  test('clears the customer if its name is edited', async () => {
    await open();
    await fill();
    await page.type(page.field('customer_id'), 'Budi S');
    expect(submit(form()).disabled).toBe(true);
  });

  test('is repeated with the same key after a lost response, and with a new one after a refusal', async () => {
    await open();
    await fill('wrong');
    page.api.lose('post', path);
    await page.click(submit(form()));
    page.api.refuse('post', path, 400, { errors: [{ field: 'auth_code', code: 'invalid', message: 'Wrong code.' }] });
    await page.click(submit(form()));
    expect(page.errorAt('auth_code')).toBe('Wrong code.');
    await page.click(submit(form()));
    const [first, second, third] = keys();
    expect([second === first, third === first]).toEqual([true, false]);
  });
});
