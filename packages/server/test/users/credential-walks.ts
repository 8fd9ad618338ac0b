import { allTenants, sql } from '@namehold/postgres';
import { SoftwareAuthenticator } from '../../../../test/support/authenticator.ts';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import { mailsTo } from '../../../../test/support/mail.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import type { Called, TestService } from '../../../../test/support/service.ts';
import { cookieOf, openSession } from '../../../../test/support/users.ts';
import { processMailTargets } from '../../src/core/mail-forwarding/process-targets.ts';
import { deviceLimits, deviceText } from '../../src/core/users/device.ts';
import { userLogin } from '../../src/core/users/guessing.ts';
import { stepAt, totpCode } from '../../src/core/users/totp.ts';

/** One row of the table of credentials. */
export interface Walk {
  /** Creation by a caller with less than it grants, which must be refused; a text says why there is no such call. */
  readonly beyond: (() => Promise<Called>) | string;
  /** A use of the credential before and after the event that ends it. */
  readonly ended: () => Promise<{ readonly before: number; readonly after: number }>;
  /** The statuses of a use after each further event that ends it. */
  readonly otherEnds?: () => Promise<Readonly<Record<string, number>>>;
  /** How a use is refused after that event. Default: 401. */
  readonly refusal?: number;
}

/** The statuses of a call before and after an event. */
export async function around(use: () => Promise<{ readonly status: number }>, end: () => Promise<unknown>) {
  const before = (await use()).status;
  await end();
  return { before, after: (await use()).status };
}

export const password = 'a long enough one';

let made = 0;
export const address = (): string => {
  made += 1;
  return `path${made}@paths.example`;
};

export const signInTo =
  (t: TestService) =>
  (json: object, cookie = '') =>
    t.call('POST', '/v1/session', { json, session: cookie });

/** A session of an owner whose identity was confirmed too long ago. */
export async function staleSession(t: TestService): Promise<string> {
  const session = await openSession(t, '1000');
  const { session_id } = (await t.call('GET', '/v1/session', { session })).body;
  const past = sql`update person_session set sudo_until = now() - interval '1 second' where id = ${session_id}`;
  await t.ctx.db.transaction(allTenants, (tx) => tx.run(past));
  return session;
}

export const codeOf = (t: TestService, secret: string) => totpCode(secret, stepAt(t.ctx.wall.now()));

/** An owner with an authenticator app. */
export async function withTotp(t: TestService): Promise<{ email: string; session: string; secret: string }> {
  const email = address();
  const session = await openSession(t, '1000', { email });
  const { secret } = (await t.call('POST', '/v1/me/totp', { session, json: {} })).body as { secret: string };
  await t.call('PUT', '/v1/me/totp', { session, json: { code: codeOf(t, secret) } });
  // The code of this moment is not counted as used.
  await t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update totp set last_step = 0`));
  return { email, session, secret };
}

function factorWalks(t: TestService): { passkey: Walk; recovery_code: Walk; known_browser: Walk } {
  const signIn = signInTo(t);
  const challenge = async (session: string) =>
    (await t.call('POST', '/v1/me/passkeys/challenge', { session, json: {} })).body.options.challenge as string;
  return {
    passkey: {
      beyond: async () => {
        const passkey = new SoftwareAuthenticator().create('q83vEjRWeJA');
        return t.call('POST', '/v1/me/passkeys', { session: await staleSession(t), json: { name: 'mine', passkey } });
      },
      async ended() {
        const session = await openSession(t, '1000');
        const authenticator = new SoftwareAuthenticator();
        const passkey = authenticator.create(await challenge(session));
        const added = await t.call('POST', '/v1/me/passkeys', { session, json: { name: 'Phone', passkey } });
        return around(
          async () => {
            const { body } = await t.call('POST', '/v1/session/challenge', { session: '', json: {} });
            const json = { passkey: authenticator.get(body.challenge) };
            return t.call('POST', '/v1/session/passkey', { session: '', json });
          },
          () => t.call('DELETE', `/v1/me/passkeys/${added.body.passkey_id}`, { session }),
        );
      },
    },
    recovery_code: {
      beyond: async () => t.call('POST', '/v1/me/recovery_codes', { session: await openSession(t, '1000'), json: {} }),
      refusal: 400,
      async ended() {
        const { email, session } = await withTotp(t);
        const { codes } = (await t.call('POST', '/v1/me/recovery_codes', { session, json: {} })).body;
        return around(
          async () => {
            const half = cookieOf(await signIn({ email, password }));
            return t.call('POST', '/v1/session/factor', { session: half, json: { recovery_code: codes[0] } });
          },
          async () => undefined,
        );
      },
    },
    known_browser: {
      beyond: async () => {
        const email = address();
        await openSession(t, '1000', { email });
        const [, device] = (await signIn({ email, password })).headers.getSetCookie();
        return t.call('GET', '/v1/me', { session: device!.split(';')[0]! });
      },
      // An unknown browser.
      refusal: 429,
      async ended() {
        const email = address();
        await openSession(t, '1000', { email });
        const cookieFrom = (daysAgo: number) => {
          const at = new Date(t.ctx.wall.now().getTime() - daysAgo * 86_400_000);
          return `namehold-device=${deviceText(t.ctx.vault, undefined, userLogin(email), at)}`;
        };
        for (let n = 0; n < 10; n++) await signIn({ email, password: 'a wrong long one' });
        const { status: before } = await signIn({ email, password }, cookieFrom(deviceLimits.livesDays));
        const { status: after } = await signIn({ email, password }, cookieFrom(deviceLimits.livesDays + 1));
        return { before, after };
      },
    },
  };
}

function domainWalks(t: TestService): { auth_code: Walk; approval: Walk; confirmation_link: Walk } {
  const domain = (name: string) =>
    insertDomainRow(t, { resellerId: '1000', customerId: '2001', contactId: '3001', name });
  const buy = async (domain_name: string) => {
    const contacts = { registrant_contact_id: '3001', admin_contact_id: '3001', tech_contact_id: '3001' };
    const form = { domain_name, customer_id: '2001', ...contacts, billing_contact_id: '3001' };
    return (await t.call('POST', '/v1/domains', { form: { ...form, invoice_option: 'no_invoice' } })).body
      .domain_id as string;
  };
  const approve = (id: string, as: string) => t.call('POST', `/v1/operations/${id}/approve`, { as });
  /** A change that waits for approval. */
  const requested = async (name: string) => {
    await buy(name);
    await t.call('PUT', '/v1/account/security', { json: { second_yes: ['nameservers'] } });
    const form = { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' };
    return (await t.call('PUT', `/v1/domains/${name}/ns`, { form })).body.operation_id as string;
  };
  return {
    auth_code: {
      beyond: async () => {
        const as = await keyFor(t, '1000', ['domains:read', 'dns:write', 'customers:write']);
        return t.call('GET', `/v1/domains/${await domain('walk-read.com')}/auth_code`, { as });
      },
      refusal: 400,
      async ended() {
        const taker = await makeReseller(t);
        const customer_id = await makeCustomer(t, taker);
        const codes: string[] = [];
        const names = ['walk-claimed.com', 'walk-changed.com'];
        for (const name of names) {
          await t.call('DELETE', `/v1/domains/${await buy(name)}/theft_protection`);
          codes.push((await t.call('GET', `/v1/domains/${name}/auth_code`)).body as string);
        }
        await t.call('PUT', `/v1/domains/${names[1]}/auth_code`, { form: { auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' } });
        const claim = async (n: number) => {
          const json = { domain_name: names[n], auth_code: codes[n], customer_id };
          return (await t.call('POST', '/v1/moves', { as: taker, json })).status;
        };
        return { before: await claim(0), after: await claim(1) };
      },
    },
    approval: {
      beyond: async () => approve(await requested('walk-own.com'), t.demo),
      refusal: 409,
      async ended() {
        const other = await keyFor(t, '1000');
        const [given, rejected] = [await requested('walk-given.com'), await requested('walk-rejected.com')];
        await t.call('POST', `/v1/operations/${rejected}/decline`, { as: other });
        return { before: (await approve(given, other)).status, after: (await approve(rejected, other)).status };
      },
    },
    confirmation_link: {
      beyond: 'Only the service creates one, and mails it to the address that has to confirm.',
      refusal: 404,
      async ended() {
        const id = await domain('walk-mail.com');
        const link = async (forward_to: string) => {
          await t.call('POST', `/v1/domains/${id}/email_forwarding`, {
            form: { email: forward_to.split('@')[0]!, forward_to },
          });
          const [mail] = await mailsTo(t, forward_to);
          return /^https?:\/\/[^/]+(\/confirm\/\S+)$/m.exec(mail!.text)![1]!;
        };
        const [used, late] = [await link(address()), await link(address())];
        const agree = async (path: string) =>
          (await fetch(`${t.url}${path}`, { method: 'POST', body: new URLSearchParams({ answer: 'yes' }) })).status;
        const before = await agree(used);
        t.moveClock('+8d');
        await processMailTargets(t.ctx);
        return { before, after: await agree(late) };
      },
    },
  };
}

/** Rows of passkeys, codes and confirmed identities. */
export const furtherWalks = (t: TestService) => ({ ...factorWalks(t), ...domainWalks(t) });
