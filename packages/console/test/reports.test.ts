import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../test/support/reconciliation.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let c: ConsoleTest;
const order = (name: string) =>
  c.t.call('POST', '/v1/domains', {
    form: {
      domain_name: name,
      years: '1',
      ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net',
      customer_id: '2001',
      registrant_contact_id: '3001',
      admin_contact_id: '3001',
      tech_contact_id: '3001',
      billing_contact_id: '3001',
      invoice_option: 'no_invoice',
    },
    headers: { Prefer: 'wait=60' },
  });
beforeAll(async () => {
  c = await openConsole();
  expect((await order('counted.com')).status).toBe(200);
});
afterAll(async () => {
  try {
    await expectReconciled(c.t);
  } finally {
    await c.stop();
  }
});

test('shows money on hold by age and domains by month', async () => {
  const waiting = await order('ditinjau.web.id');
  expect(waiting.status, waiting.text).toBe(202);
  const { held } = (await c.t.call('GET', '/v1/account/funds')).body;
  c.t.moveClock('+2d');
  const page = await c.signIn('1000');
  await page
    .getByText('1 registered or transferred in, 0 deleted or transferred out in 24 months. No renewals.')
    .waitFor();
  await page.getByRole('button', { name: /^View as table: 1 registered/ }).click();
  expect(await page.getByRole('row', { name: /20\d\d 1 0 0$/ }).count()).toBe(1);
  await page.getByRole('link', { name: 'Balance', exact: true }).click();
  await page.getByText(`USD ${held.amount} for 1 order.`).waitFor();
  await page.getByRole('link', { name: /^Under 7 days: 1 orders/i }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'money-holds');
  await page.getByRole('button', { name: /^View as table: USD .* for 1 order/ }).click();
  const row = page.getByRole('row').filter({ hasText: 'Under 7 days' });
  await row.getByText(`USD ${held.amount}`).waitFor();
  await c.leave(page);
  await c.t.control('POST', '/domains/ditinjau.web.id/review', { decision: 'refuse' });
  const id = waiting.body.operation_id;
  // If the registry message arrives first, there is nothing to settle.
  const json = { decision: 'refused', reason: 'the registry refused it' };
  const settled = await c.t.call('POST', `/v1/operator/operations/${id}/settle`, { json, as: c.t.operator });
  expect([200, 409]).toContain(settled.status);
  await expect.poll(async () => (await c.t.call('GET', `/v1/operations/${id}`)).body.state).toBe('refused');
  expect(c.complaints).toEqual([]);
});

test('writes chart axes in the user’s language', async () => {
  const email = 'angka@people.example';
  const page = await c.signIn('1000', { email, at: '/app/operations' });
  await c.t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update person set language = 'id' where email = ${email}`),
  );
  // Text on a canvas cannot be read, so it is recorded while it is drawn.
  await page.addInitScript(`
    globalThis.drawn = [];
    const write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) { drawn.push(text); return write.call(this, text, ...rest); };`);
  await page.goto(`${c.t.url}/app/money`);
  await page.getByRole('heading', { name: 'Saldo', level: 1 }).waitFor();
  await expect.poll(() => page.evaluate('drawn.length')).toBeGreaterThan(10);
  const drawn = (await page.evaluate('drawn')) as string[];
  expect(drawn).toContain('10.000');
  expect(drawn.filter((text) => /\d,\d{3}/.test(text) || /^[A-Z][a-z]{2} \d/.test(text))).toEqual([]);
  // Generated transaction descriptions are translated too.
  await page.getByText('Pendaftaran counted.com untuk 1 tahun').waitFor();
  await takePictures(page, 'money-id');
  await page.goto(`${c.t.url}/app/domains/counted.com`);
  await page.getByText('Aktif', { exact: true }).first().waitFor();
  await page
    .getByText('Kunci transfer setelah pendaftaran masih aktif. Linimasa menampilkan akhirnya.')
    .first()
    .waitFor();
  // The translated meaning of the error code, followed by the message of the service.
  await page.route('**/v1/account/transactions**', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/json',
      body: JSON.stringify({ type: 'conflict', code: 'operation_in_progress', message: 'operation op_1 is under way' }),
    }),
  );
  await page.goto(`${c.t.url}/app/money`);
  await page.getByText('Operasi lain pada domain ini masih berjalan.').first().waitFor();
  await page.getByText('operation op_1 is under way').first().waitFor();
  await expectAccessible(page);
  await page.context().close();
  expect(c.complaints).toEqual([]);
});
