import { afterEach, describe, expect, test } from 'vitest';
import { stopListening } from '../../src/data/stream.ts';
import { messages } from '../../src/portal/messages.ts';
import PortalSignIn from '../../src/portal/sign-in.tsx';
import { hostOwner, isStaffSignIn } from '../../src/session/brand.ts';
import { currentSession } from '../../src/session/current-session.ts';
import { usePage } from '../support/dom.ts';
import { sessionOf } from '../support/sessions.ts';

const page = usePage();
afterEach(() => {
  stopListening();
  hostOwner.value = undefined;
  isStaffSignIn.value = false;
});
const submit = () => page.root.querySelector<HTMLButtonElement>('[type=submit]')!;
const bodies = () => page.api.writes.map(({ body }) => body);
const open = async (at = '/app/at/1000') => {
  currentSession.value = null;
  page.api.respond('get', '/brand/shown', () => ({ body: { brand: null, host_reseller_id: null } }));
  await page.show(PortalSignIn, { at });
  await page.type(page.field('email'), 'budi@customer.example');
  await page.type(page.field('password'), 'secret words');
};
const credentials = { email: 'budi@customer.example', password: 'secret words', reseller_id: '1000' };

describe('the sign-in of customers', () => {
  test('is at the account of the address, and is sent once', async () => {
    await open();
    page.api.respond('post', '/session', () => ({
      body: { ...sessionOf('per_9'), customer: { customer_id: '7', access: 'dns' } },
    }));
    await page.click(page.field('keep'));
    await page.doubleClick(submit());
    expect(bodies()).toEqual([{ ...credentials, keep: true }]);
    expect(currentSession.value).toMatchObject({ customer: { customer_id: '7' } });
  });

  test.each([401, 404])(
    'shows one message for the status %i, which does not say whether the account exists',
    async (status) => {
      await open();
      page.api.refuse('post', '/session', status, { code: 'not_found', message: 'No such account.' });
      await page.click(submit());
      expect(page.text(page.get('alert'))).toContain(messages().wrong);
      expect(page.text()).not.toContain('No such account.');
    },
  );

  test('shows the same message for a password of an impossible length, and no rule for new passwords', async () => {
    await open();
    const errors = [{ field: 'password', code: 'too_short', message: 'Too short.' }];
    page.api.refuse('post', '/session', 400, { code: 'invalid_argument', message: 'password: Too short.', errors });
    await page.click(submit());
    expect(page.text(page.get('alert'))).toContain(messages().wrong);
    expect([page.errorAt('password'), page.text().includes('Too short.')]).toEqual([undefined, false]);
  });

  test('prompts for a new password after a temporary one, and shows errors of the new one only', async () => {
    await open();
    const refuse = (message: string) =>
      page.api.refuse('post', '/session', 400, { errors: [{ field: 'new_password', code: 'invalid', message }] });
    refuse('Choose one.');
    await page.click(submit());
    expect([page.has('alert'), page.field('new_password').value]).toEqual([false, '']);
    refuse('Too common.');
    await page.type(page.field('new_password'), 'password1');
    await page.click(submit());
    expect(page.errorAt('new_password')).toBe('Too common.');
    expect(bodies().at(-1)).toEqual({ ...credentials, keep: false, new_password: 'password1' });
  });

  test('reads the brand of the account', async () => {
    await open('/app/at/2000');
    expect(page.api.sent('get', '/brand/shown').map(({ query }) => query.reseller_id)).toEqual(['2000']);
  });

  test('offers the sign-in of staff on a custom host only', async () => {
    await open();
    expect(page.has('button', messages().isStaffSignIn)).toBe(false);
    hostOwner.value = '1000';
    await page.settle();
    await page.click(page.button(messages().isStaffSignIn));
    expect(isStaffSignIn.value).toBe(true);
  });
});
