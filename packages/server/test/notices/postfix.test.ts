import { allTenants } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { takeReturned } from '../../src/core/delivery/bounce.ts';
import { notify } from '../../src/core/notices/notify.ts';
import { Postfix } from './postfix.ts';

let postfix: Postfix;
let t: TestService;
beforeAll(async () => {
  postfix = await Postfix.start(['sari@customer.example', 'bounce@service.example']);
  t = await startTestService({
    env: {
      NAMEHOLD_SMTP_URL: `smtp://127.0.0.1:${postfix.port}`,
      NAMEHOLD_MAIL_FROM: 'notices@service.example',
      NAMEHOLD_MAIL_BOUNCE: 'bounce@service.example',
    },
  });
});
afterAll(async () => {
  await t.stop();
  postfix.stop();
});

const write = (email: string) =>
  t.ctx.db.transaction(allTenants, (tx) =>
    notify(t.ctx, tx, {
      kind: 'data_reminder',
      resellerId: '1000',
      to: { name: 'Sari Dëwi', email, country_code: 'ID' },
      facts: { domain: 'example-shop.com', record: 'Sari Dëwi\nBandung' },
    }),
  ) as Promise<string>;
const state = async (id: string) => (await t.call('GET', `/v1/notices/${id}`)).body.state;
const waitFor = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 300_000, interval: 100 });

test('delivers mail through Postfix, and marks the addresses of bounced messages', async () => {
  const [good, bad] = [await write('sari@customer.example'), await write('nobody@customer.example')];
  const mail = await waitFor(() => {
    const [found] = postfix.mails('sari@customer.example');
    expect(found, postfix.log()).toBeDefined();
    return found!;
  });
  expect(mail).toMatch(/^From: .*<notices@service\.example>$/m);
  expect(mail).toContain(`Message-ID: <${good}@service.example>`);
  expect(await waitFor(async () => (await state(good)) === 'sent' || Promise.reject(new Error('not yet')))).toBe(true);
  const report = await waitFor(() => {
    const [found] = postfix.mails('bounce@service.example');
    expect(found, postfix.log()).toBeDefined();
    return found!;
  });
  const returnedTo = /^(?:Delivered-To|X-Original-To): (\S+)$/m.exec(report)![1]!;
  expect(await state(bad)).toBe('sent');
  expect(await takeReturned(t.ctx, returnedTo, report)).toBe('marked');
  expect((await t.call('GET', `/v1/notices/${bad}`)).body).toMatchObject({
    state: 'bounced',
    result: expect.stringMatching(/^5\.1\.1 /),
  });
  expect(await state(good)).toBe('sent');
});
