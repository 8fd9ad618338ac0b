import { afterEach, describe, expect, test, vi } from 'vitest';
import { stopListening } from '../../src/data/stream.ts';
import { IdentityForm, type Method } from '../../src/session/confirm-identity.tsx';
import { currentSession } from '../../src/session/current-session.ts';
import { messages } from '../../src/session/messages.ts';
import SignInPage from '../../src/session/sign-in.tsx';
import Welcome from '../../src/session/welcome.tsx';
import { speak, usePage } from '../support/dom.ts';
import { sessionOf } from '../support/sessions.ts';

const page = usePage();
afterEach(() => {
  stopListening();
  currentSession.value = undefined;
});

const open = async (component = SignInPage, at = '/app') => {
  currentSession.value = null;
  page.api.answer('get', '/brand/shown', { brand: null, host_reseller_id: null });
  await page.show(component, { at, route: at.split(/[?#]/)[0] });
};
const fill = async (email = 'a@reseller.example', password = 'secret words') => {
  await page.type(page.field('email'), email);
  await page.type(page.field('password'), password);
};
const submit = () => page.root.querySelector<HTMLButtonElement>('[type=submit]')!;
const bodies = () => page.api.writes.map(({ body }) => body);

describe('signing in', () => {
  test('sends the credentials once on Enter and starts the session', async () => {
    await open();
    page.api.respond('post', '/session', () => ({ body: sessionOf('per_1') }));
    await fill();
    page.field('password').focus();
    await page.press('Enter');
    expect(bodies()).toEqual([{ email: 'a@reseller.example', password: 'secret words' }]);
    expect(currentSession.value?.person.person_id).toBe('per_1');
  });

  test.each(['en', 'id'] as const)('shows one message in %s for wrong credentials, at no field', async (language) => {
    speak(language);
    await open();
    page.api.refuse('post', '/session', 401, { code: 'unauthorized', message: 'Wrong.' });
    await fill();
    await page.doubleClick(submit());
    expect(page.text(page.get('alert'))).toContain(messages().incorrectCredentials);
    expect(page.root.querySelector('[aria-invalid=true]')).toBeNull();
    expect([bodies().length, currentSession.value]).toEqual([1, null]);
  });

  test('shows the same message for a password of an impossible length', async () => {
    await open();
    const errors = [{ field: 'password', code: 'too_short', message: 'Too short.' }];
    page.api.refuse('post', '/session', 400, { code: 'invalid_argument', message: 'password: Too short.', errors });
    await fill();
    await page.click(submit());
    expect(page.text(page.get('alert'))).toContain(messages().incorrectCredentials);
    expect(page.errorAt('password')).toBeUndefined();
  });

  test('prompts for a new password in the same form after a weak or temporary one', async () => {
    await open();
    page.api.refuse('post', '/session', 400, {
      errors: [{ field: 'new_password', code: 'invalid', message: 'Choose one.' }],
    });
    await page.type(page.field('reseller_id'), ' 1000 ');
    await fill();
    await page.click(submit());
    expect(page.errorAt('new_password')).toBe('Choose one.');
    page.api.respond('post', '/session', () => ({ body: sessionOf('per_1') }));
    await page.type(page.field('new_password'), 'new secret words');
    await page.click(submit());
    expect(bodies().at(-1)).toMatchObject({ reseller_id: '1000', new_password: 'new secret words' });
  });

  test('asks for a second factor, and enters the session after it', async () => {
    await open();
    page.api.respond('post', '/session', () => ({ status: 202, body: { methods: ['totp', 'recovery_code'] } }));
    page.api.respond('post', '/session/factor', () => ({ body: sessionOf('per_2') }));
    await fill();
    await page.click(submit());
    expect(currentSession.value).toBeNull();
    await page.type(page.field('code'), ' 123456 ');
    await page.click(submit());
    expect(page.api.sent('post', '/session/factor').map(({ body }) => body)).toEqual([{ code: '123456' }]);
    expect(currentSession.value?.person.person_id).toBe('per_2');
  });

  test('shows no form if the second factor is a mailed link', async () => {
    await open();
    page.api.respond('post', '/session', () => ({ status: 202, body: { methods: ['mailed_link'] } }));
    await fill();
    await page.click(submit());
    expect([page.has('input'), page.text(page.get('status'))]).toEqual([false, messages().mailedLink]);
  });

  test('keeps the input without a connection', async () => {
    await open();
    page.api.lose('post', '/session');
    await fill();
    await page.click(submit());
    expect([page.has('alert'), page.field('password').value]).toEqual([true, 'secret words']);
  });
});

describe('an identity check', () => {
  const ask = async (methods: readonly Method[], path: '/session/sudo' | '/session/factor' = '/session/sudo') => {
    const onConfirmed = vi.fn();
    const leave = { label: 'Leave', act: vi.fn() };
    await page.show(
      <IdentityForm methods={methods} path={path} verb="Confirm" onConfirmed={onConfirmed} leave={leave} />,
    );
    return { onConfirmed, leave };
  };

  test.each([
    ['totp', 'code', '/session/sudo', { code: '12345678' }],
    ['recovery_code', 'recovery_code', '/session/factor', { recovery_code: '12345678' }],
    ['password', 'password', '/session/sudo', { password: '12345678' }],
  ] as const)('by %s sends what was typed', async (method, field, path, body) => {
    const { onConfirmed } = await ask([method], path);
    page.api.respond('post', path, () => ({ body: sessionOf('per_1') }));
    await page.type(page.field(field), '12345678');
    await page.doubleClick(submit());
    expect(bodies()).toEqual([body]);
    expect(onConfirmed).toHaveBeenCalledOnce();
  });

  test('offers no passkey in a browser without passkeys', async () => {
    await ask(['passkey', 'totp']);
    expect([page.field('code').name, page.has('button', messages().otherMethods.passkey)]).toEqual(['code', false]);
  });

  test('drops the text and the error if another method is chosen', async () => {
    await ask(['totp', 'password']);
    page.api.refuse('post', '/session/sudo', 400, {
      errors: [{ field: 'code', code: 'invalid', message: 'Wrong code.' }],
    });
    await page.type(page.field('code'), '000000');
    await page.click(submit());
    expect(page.errorAt('code')).toBe('Wrong code.');
    await page.click(page.button(messages().otherMethods.password));
    expect([page.field('password').value, page.has('alert')]).toEqual(['', false]);
    await page.click(page.button(messages().otherMethods.totp));
    expect(page.has('alert')).toBe(false);
  });

  test('can be left', async () => {
    const { leave } = await ask(['password']);
    await page.click(page.button('Leave'));
    expect(leave.act).toHaveBeenCalledOnce();
  });
});

describe('a forgotten password', () => {
  test.each([true, false])(
    'says what happens next if email is set up: %s, and not whether the user exists',
    async (isMailed) => {
      await open();
      await page.click(page.button(messages().forgot));
      page.api.respond('post', '/recovery', () => ({ body: { is_mailed: isMailed } }));
      await page.type(page.field('email'), ' a@reseller.example ');
      await page.doubleClick(submit());
      expect(bodies()).toEqual([{ email: 'a@reseller.example' }]);
      expect(page.text(page.get('status'))).toContain(isMailed ? messages().linkSent : messages().noMail);
      await page.click(page.button(messages().back));
      expect(page.field('password').value).toBe('');
    },
  );
});

describe('the welcome page', () => {
  test('takes the code from the address, removes it there, and sends it with the password', async () => {
    await open(Welcome, '/app/welcome#code=abc%2B1');
    expect([location.hash, location.pathname]).toEqual(['', '/app/welcome']);
    page.api.respond('post', '/session/code', () => ({ body: sessionOf('per_3') }));
    await page.type(page.field('password'), 'secret words');
    await page.click(submit());
    expect(bodies()).toEqual([{ code: 'abc+1', password: 'secret words' }]);
    expect([currentSession.value?.person.person_id, location.pathname]).toEqual(['per_3', '/app']);
  });

  test('takes the code of another link that is opened in the same tab', async () => {
    await open(Welcome, '/app/welcome#code=old');
    page.api.refuse('post', '/session/code', 401, { code: 'unauthorized', message: 'Wrong.' });
    await page.type(page.field('password'), 'secret words');
    await page.click(submit());
    expect(page.has('alert')).toBe(true);
    history.replaceState(null, '', '/app/welcome#code=new');
    dispatchEvent(new HashChangeEvent('hashchange'));
    await page.settle();
    expect([location.hash, page.has('alert'), page.field('password').value]).toEqual(['', false, 'secret words']);
    page.api.respond('post', '/session/code', () => ({ body: sessionOf('per_3') }));
    await page.click(submit());
    expect(bodies().at(-1)).toMatchObject({ code: 'new' });
  });

  test('prompts only for the new password after a reset', async () => {
    await open(Welcome, '/app/welcome?reset#code=abc');
    expect(page.text()).toContain(messages().reset);
    expect(page.root.querySelector('[name=name]')).toBeNull();
    page.api.respond('post', '/session/code', () => ({ body: sessionOf('per_3') }));
    await page.type(page.field('password'), 'secret words');
    await page.click(submit());
    expect(bodies()).toEqual([{ code: 'abc', password: 'secret words' }]);
  });

  test('shows no form without a code', async () => {
    await open(Welcome, '/app/welcome');
    expect([page.has('input'), page.text()]).toEqual([false, expect.stringContaining(messages().linkIncomplete)]);
  });
});
