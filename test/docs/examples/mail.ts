import { expect, vi } from 'vitest';
import type { TestService } from '../../support/service.ts';
import type { Example, ExampleValues } from '../example.ts';

/** The id of the mail to an address, once it is in the mailbox of the sandbox. */
const find = (prefix: 'ntc' | 'fwd') => async (t: TestService, values: ExampleValues) => {
  const mail = await vi.waitFor(
    async () => {
      const { body } = await t.call('GET', '/v1/sandbox/mail', { query: { limit: '100' } });
      const found = (body as { mail_id: string; to: string }[]).find(
        ({ mail_id, to }) => mail_id.startsWith(prefix) && to.includes('<sari@example.net>'),
      );
      expect(found).toBeDefined();
      return found!;
    },
    { timeout: 300_000 },
  );
  values[prefix] = mail.mail_id;
};

/** Forwards mail of a domain after the target's consent. */
export const mailExamples: readonly Example[] = [
  {
    kind: 'http',
    name: 'mail-forward',
    path: '/v1/domains/first-shop.com/email_forwarding',
    form: { email: 'info', forward_to: 'sari@example.net' },
    keep: ['email', 'forward_to', 'targets'],
  },
  {
    kind: 'namehold',
    name: 'mail-confirm',
    before: find('ntc'),
    args: (values) => ['sandbox', 'mail', values.ntc!, '--confirm'],
  },
  {
    kind: 'letter',
    name: 'mail-letter',
    from: 'budi@example.org',
    to: 'info@first-shop.com',
    subject: 'Hello',
    text: 'Are you open?',
  },
  { kind: 'namehold', name: 'mail-arrived', before: find('fwd'), args: (values) => ['sandbox', 'mail', values.fwd!] },
];
