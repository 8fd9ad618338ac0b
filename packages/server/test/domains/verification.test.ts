import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBrowser } from '../../../../test/support/browser.ts';
import { makeContact } from '../../../../test/support/parties.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { verificationPolicy } from '../../src/core/policy/verification.ts';
import { processVerifications } from '../../src/core/verification/process-verifications.ts';
import { type DomainToVerifyRow, requestVerification } from '../../src/core/verification/request-verification.ts';
import { lifeOf, orderOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_VERIFY_REGISTRANTS: 'hold' } });
  life = lifeOf(t);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await life.end();
});

let made = 0;
async function makeRegistrant(email = `registrant${++made}@customer.example`): Promise<string> {
  return makeContact(t, '2001', undefined, {
    email,
    name: `Registrant ${made}`,
    company: `Firm ${made}`,
    country_code: 'ID',
  });
}
const buy = (name: string, contactId: string) =>
  life.buy(name, { ...orderOf(name), registrant_contact_id: contactId, admin_contact_id: contactId });
/** The fields of a contact that its change needs. */
const partyOf = (body: Record<string, string>) =>
  Object.fromEntries(
    ['name', 'company', 'address_line_1', 'city', 'state', 'country_code', 'zipcode', 'tel_cc_no', 'tel_no'].map(
      (field) => [field, body[field]!],
    ),
  );
const raa = async (id: string) => (await t.call('GET', `/v1/domains/${id}/raa_verification`)).body;
const noticesOf = async (id: string, kind?: string) =>
  (await t.call('GET', '/v1/notices', { query: { domain_id: id, ...(kind ? { kind } : {}) } })).body as {
    notice_id: string;
    kind: string;
    address: string;
  }[];

/** The link in the mail of a notice, when it was sent. */
async function linkOf(noticeId: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const { body } = await t.call('GET', '/v1/sandbox/mail', { query: { limit: '100' } });
      const mail = body.find((each: { notice_id: string }) => each.notice_id === noticeId);
      const link = /^https?:\/\/\S+\/confirm\/\S+$/m.exec(mail?.text ?? '')?.[0];
      expect(link).toBeDefined();
      return link!;
    },
    { timeout: 300_000 },
  );
}
async function moveClockAndRun(by: string): Promise<void> {
  t.moveClock(by);
  await t.control('GET', '/clock');
  await processVerifications(t.ctx);
}
const registryShows = async (name: string) =>
  ((await t.control('GET', `/domains/${name}`)).body.statuses ?? []) as string[];

test('sends a mail, confirms with one click on its page, and sends no second mail', async () => {
  const contact = await makeRegistrant('Sari.Once@customer.example');
  const id = await buy('verify-once.com', contact);
  expect(await raa(id)).toMatchObject({
    status: 'Pending',
    email: 'Sari.Once@customer.example',
    on_hold: false,
    is_offered: true,
  });
  const [notice] = await noticesOf(id, 'holder_verification');
  const link = await linkOf(notice!.notice_id);
  const token = link.split('/').at(-1)!;
  // The token is only in the mail.
  const whole = await t.call('GET', `/v1/notices/${notice!.notice_id}`);
  expect(whole.body.text).toContain('/confirm/[token]');
  const stored = await t.ctx.db
    .as(allTenants)
    .many(
      sql`select n::text as row from notice n union all select c::text from confirmation c union all select e::text from event e`,
    );
  expect(JSON.stringify(stored)).not.toContain(token);
  // Opening the page confirms nothing, because mail scanners open links.
  for (const method of ['GET', 'HEAD']) await fetch(link, { method });
  expect((await raa(id)).status).toBe('Pending');
  const turn = async () => (await t.call('GET', `/v1/domains/${id}/timeline`)).body.must_act;
  expect(await turn()).toMatchObject({ who: 'reseller', by: (await raa(id)).verify_by });
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  page.setDefaultTimeout(300_000);
  const opened = await page.goto(link);
  expect(opened!.headers()).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(await page.locator('main').innerText()).toMatch(/sari\.once@customer\.example[\s\S]*verify-once\.com/);
  await page.getByRole('button').click();
  await page.getByRole('heading', { name: 'Alamat email Anda telah dikonfirmasi' }).waitFor();
  expect(await raa(id)).toMatchObject({ status: 'Verified', verify_by: null });
  expect((await turn()).who).toBe('nobody');
  expect(await life.events('verify-once.com')).toContain('domain.verified');
  const known = await t.call('GET', `/v1/customers/2001/contacts/${contact}`);
  expect(known.body).toMatchObject({ email_verified_at: expect.stringMatching(/^20/), email_bounced_at: null });
  // Used, guessed or truncated token: the same plain page for GET and POST.
  const pages = await Promise.all(
    [link, link.replace(/.{40}$/, 'a'.repeat(40)), link.slice(0, -3), `${link}%00`].flatMap((address) =>
      ['GET', 'POST'].map(async (method) => {
        const answer = await fetch(address, { method });
        return `${answer.status} ${await answer.text()}`;
      }),
    ),
  );
  expect(new Set(pages).size).toBe(1);
  expect(pages[0]).toMatch(/^404 .*link is not valid/s);
  const second = await buy('verify-once-more.com', contact);
  expect(await noticesOf(second, 'holder_verification')).toEqual([]);
  expect((await raa(second)).status).toBe('Verified');
  await page.close();
});

test('sends one mail for several domains of one address, confirmed with one click', async () => {
  const contact = await makeRegistrant();
  const ids = [await buy('many-one.com', contact), await buy('many-two.net', contact)];
  const mails = await Promise.all(ids.map((id) => noticesOf(id, 'holder_verification')));
  expect(mails.flat()).toHaveLength(1);
  const link = await linkOf(mails.flat()[0]!.notice_id);
  expect(await (await fetch(link)).text()).toMatch(/many-one\.com[\s\S]*many-two\.net/);
  expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  for (const id of ids) expect((await raa(id)).status).toBe('Verified');
});

test('counts a confirmation for another domain of the address that is being verified', async () => {
  const contact = await makeRegistrant();
  const first = await buy('yes-first.com', contact);
  const [notice] = await noticesOf(first, 'holder_verification');
  const link = await linkOf(notice!.notice_id);
  const second = await buy('yes-second.com', await makeRegistrant());
  const [other] = await noticesOf(second, 'holder_verification');
  await fetch(await linkOf(other!.notice_id), { method: 'POST' });
  let answered = false;
  const confirmed = await t.ctx.db.transaction(allTenants, async (tx) => {
    const domain = await tx.one<DomainToVerifyRow>(sql`
      update domain set registrant_contact_id = ${contact} where id = ${second} returning id, reseller_id, name, tld, registrant_contact_id`);
    await requestVerification(t.ctx, tx, domain, 'change');
    const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const confirming = fetch(link, { method: 'POST' }).finally(() => {
      answered = true;
    });
    await vi.waitFor(
      async () => {
        const { waiting } = await t.ctx.db.as(allTenants).one<{ waiting: boolean }>(sql`
          select exists (select from pg_locks where not granted and ${pid} = any (pg_blocking_pids(pid))) as waiting`);
        expect(waiting || answered).toBe(true);
      },
      { timeout: 300_000 },
    );
    return { saying: confirming };
  });
  expect((await confirmed.saying).status).toBe(200);
  for (const id of [first, second]) expect((await raa(id)).status).toBe('Verified');
});

test('sends a reminder, then holds after 15 days, until confirmation or while the reseller suspends', async () => {
  const contact = await makeRegistrant();
  const id = await buy('silent-registrant.com', contact);
  await moveClockAndRun('+8d');
  await processVerifications(t.ctx);
  expect(await noticesOf(id, 'holder_verification')).toHaveLength(2);
  await moveClockAndRun('+6d');
  expect(await registryShows('silent-registrant.com')).not.toContain('clientHold');
  await moveClockAndRun('+2d');
  expect(await registryShows('silent-registrant.com')).toContain('clientHold');
  expect(await raa(id)).toMatchObject({ status: 'Suspended', on_hold: true });
  expect((await t.call('GET', `/v1/domains/${id}/suspended`)).body.suspended).toBe('false');
  const [notice, ...more] = await noticesOf(id, 'holder_unverified');
  expect(more).toEqual([]);
  await processVerifications(t.ctx);
  expect((await t.call('PUT', `/v1/domains/${id}/suspended`, { form: { reason: 'unpaid' } })).status).toBe(200);
  const link = await linkOf(notice!.notice_id);
  expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  await vi.waitFor(async () => expect((await raa(id)).on_hold).toBe(false), { timeout: 300_000 });
  // The other cause of the hold is still there.
  expect(await registryShows('silent-registrant.com')).toContain('clientHold');
  await vi.waitFor(async () => expect((await t.call('DELETE', `/v1/domains/${id}/suspended`)).status).toBe(200), {
    timeout: 300_000,
  });
  expect(await registryShows('silent-registrant.com')).not.toContain('clientHold');
});

test('notifies both sides of a new address, verifies again, and removes the hold afterwards', async () => {
  const contact = await makeRegistrant();
  const id = await buy('new-address.com', contact);
  await moveClockAndRun('+16d');
  expect((await raa(id)).status).toBe('Suspended');
  const before = (await noticesOf(id)).length;
  const { body } = await t.call('GET', `/v1/customers/2001/contacts/${contact}`);
  const changed = await t.call('PUT', `/v1/customers/2001/contacts/${contact}`, {
    form: { ...partyOf(body), email: 'reached@customer.example' },
  });
  expect(changed.status, changed.text).toBe(200);
  const notices = (await noticesOf(id)).slice(0, -before);
  expect(notices.map(({ kind, address }) => `${kind} ${address}`).sort()).toEqual([
    'holder_changed reached@customer.example',
    `holder_changed ${body.email}`,
    'holder_verification reached@customer.example',
  ]);
  const notice = notices.find(({ kind }) => kind === 'holder_verification')!;
  const resent = await t.call('POST', `/v1/domains/${id}/irtp_verification/resend`, { form: { type: 'email' } });
  expect(resent.body).toEqual({ domain_id: id, sent: true });
  expect((await fetch(await linkOf(notice.notice_id), { method: 'POST' })).status).toBe(200);
  await vi.waitFor(
    async () => {
      await processVerifications(t.ctx);
      expect(await raa(id)).toMatchObject({ status: 'Verified', on_hold: false });
    },
    { timeout: 300_000 },
  );
  expect(await registryShows('new-address.com')).not.toContain('clientHold');
});

test('resends up to five times a day, and not if nothing is pending', async () => {
  const id = await buy('again-please.com', await makeRegistrant());
  const resend = (what: string, form = {}) => t.call('POST', `/v1/domains/${id}/${what}_verification/resend`, { form });
  expect((await resend('raa')).body).toEqual({ domain_id: id, sent: true });
  expect((await resend('irtp', { type: 'email' })).body).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('after its registration'),
  });
  expect((await resend('irtp', { type: 'sms' })).body.code).toBe('not_available_yet');
  const statuses = (await Promise.all(Array.from({ length: 12 }, () => resend('raa')))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect((await resend('raa')).body.code).toBe('conflict');
  expect(await noticesOf(id, 'holder_verification')).toHaveLength(5);
  const [latest] = await noticesOf(id, 'holder_verification');
  expect((await fetch(await linkOf(latest!.notice_id), { method: 'POST' })).status).toBe(200);
  expect((await resend('raa')).body.code).toBe('conflict');
  expect((await t.call('POST', '/v1/domains/999999/raa_verification/resend', { form: {} })).status).toBe(404);
});

test('refuses to resend a mail that the daily limit of the mailbox would stop, and names the time of the next try', async () => {
  const limited = await t.second({ NAMEHOLD_MAIL_PER_MAILBOX: '1' });
  try {
    const id = await buy('mailbox-full.com', await makeRegistrant());
    const resent = await limited.call('POST', `/v1/domains/${id}/raa_verification/resend`, { form: {} });
    expect([resent.status, resent.body.code], resent.text).toEqual([429, 'rate_limited']);
    expect(Number(resent.headers.get('retry-after'))).toBeGreaterThan(86_400 - 3_600);
    expect(await noticesOf(id, 'holder_verification')).toHaveLength(1);
  } finally {
    await limited.stop();
  }
});

test('verifies the other domains of a contact in a background job, and leaves none out', async () => {
  const contact = await makeRegistrant();
  const ids: string[] = [];
  for (const name of ['slice-a.com', 'slice-b.com', 'slice-c.com', 'slice-d.com']) ids.push(await buy(name, contact));
  const [first] = (await Promise.all(ids.map((id) => noticesOf(id, 'holder_verification')))).flat();
  expect((await fetch(await linkOf(first!.notice_id), { method: 'POST' })).status).toBe(200);
  const { body } = await t.call('GET', `/v1/customers/2001/contacts/${contact}`);
  verificationPolicy.namesPerChange = 2;
  try {
    const changed = await t.call('PUT', `/v1/customers/2001/contacts/${contact}`, {
      form: { ...partyOf(body), email: 'sliced@customer.example' },
    });
    expect(changed.status, changed.text).toBe(200);
  } finally {
    verificationPolicy.namesPerChange = 500;
  }
  await processVerifications(t.ctx);
  await processVerifications(t.ctx);
  for (const id of ids) expect((await raa(id)).status).toBe('Pending');
  const mails = await Promise.all(ids.map(async (id) => (await noticesOf(id, 'holder_verification')).length));
  // One mail per address, whatever requested it.
  expect(mails.reduce((sum, each) => sum + each)).toBe(2);
  const page = (await noticesOf(ids[0]!, 'holder_verification'))[0]!;
  expect((await fetch(await linkOf(page.notice_id), { method: 'POST' })).status).toBe(200);
  for (const id of ids) expect((await raa(id)).status).toBe('Verified');
});

test('does not verify domains of ccTLDs', async () => {
  const { body } = await t.call('GET', '/v1/tlds');
  const country = Object.values(body as Record<string, { label: string }[]>)
    .map(([first]) => first!.label)
    .find((label) => /^\.[a-z]{2}$/.test(label) && label !== '.us');
  if (!country) throw new Error('the sandbox offers no country');
  const name = `quiet-registrant${country}`;
  const called = await t.call('POST', '/v1/domains', {
    form: { ...orderOf(name), registrant_contact_id: await makeRegistrant() },
  });
  expect([200, 202], called.text).toContain(called.status);
  expect((await raa(called.body.domain_id)).status).toBe('NotRequired');
});
