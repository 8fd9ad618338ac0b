import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Edits, indexed, type RRsetText } from '../../src/zones/draft.ts';
import { messages as zones } from '../../src/zones/messages.ts';
import { WizardDialog } from '../../src/zones/wizard-dialog.tsx';
import { messages } from '../../src/zones/wizard-messages.ts';
import { speak, usePage } from '../support/dom.ts';

const page = usePage();
const origin = 'shop.example.';
const onEdits = vi.fn<(edits: Edits) => void>();
const onClose = vi.fn();
beforeEach(() => {
  onEdits.mockClear();
  onClose.mockClear();
});

const txt = (...records: string[]): RRsetText => ({ name: origin, type: 'TXT', ttl: 300, records });
const open = (base: readonly RRsetText[] = [], edits: Edits = {}) =>
  page.show(<WizardDialog origin={origin} base={indexed(base)} edits={edits} onEdits={onEdits} onClose={onClose} />);
const fill = async (kind: string, fields: Readonly<Record<string, string>> = {}) => {
  await page.type(page.field('kind'), kind);
  for (const [name, text] of Object.entries(fields)) await page.type(page.field(name), text);
};
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;
const code = () => page.root.querySelector('.helper-note code')?.textContent;
const note = () => page.text(page.root.querySelector('.helper-note')!);
const added = () =>
  onEdits.mock.calls.map(([edits]) =>
    Object.values(edits).map(({ name, type, ttl, records }) => [name, type, ttl, records]),
  );

describe('the record wizard', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['mx', { host: 'mail.example.net' }, '@ MX 10 mail.example.net.'],
    ['srv', { service: 'sip', port: '5060', host: 'sip.example.net' }, '_sip._tcp SRV 10 0 5060 sip.example.net.'],
    ['caa', { value: 'letsencrypt.org' }, '@ CAA 0 issue "letsencrypt.org"'],
    [
      'dmarc',
      { reports: 'mailto:a@example.net', percent: '50' },
      '_dmarc TXT "v=DMARC1; p=none; pct=50; rua=mailto:a@example.net"',
    ],
    ['https', { alpn: 'h2 h3' }, '@ HTTPS 1 . alpn=h2,h3'],
    ['tlsa', { digest: `${'AB:'.repeat(31)}AB` }, `_443._tcp TLSA 3 1 1 ${'AB'.repeat(32)}`],
  ])('writes %s from %j', async (kind, fields, record) => {
    await open();
    await fill(kind, fields);
    expect(code()).toBe(record);
    await page.click(submit());
    expect([onEdits.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 1]);
  });

  test('describes the record in the language of the user', async () => {
    speak('id');
    await open();
    await fill('mx', { host: 'mail.example.net' });
    expect(note()).toContain(zones().sentence.mailTo('shop.example', 'mail.example.net', '10'));
  });

  test.each([
    ['mx', {}],
    ['mx', { host: 'mail.example.net', priority: 'high' }],
    ['dkim', { selector: 's1' }],
    ['srv', { service: 'sip', host: 'sip.example.net' }],
  ] as const)('%s with %j is not ready', async (kind, fields) => {
    await open();
    await fill(kind, fields);
    expect([submit().disabled, code()]).toEqual([true, undefined]);
  });

  test.each([
    ['mx', { name: 'a..b', host: 'mail.example.net' }],
    ['mx', { host: 'mail..example.net' }],
    ['tlsa', { digest: 'xyz' }],
  ] as const)('%s with %j explains the error', async (kind, fields) => {
    await open();
    await fill(kind, fields);
    expect([submit().disabled, page.root.querySelector('.helper-note .wrong-text') !== null]).toEqual([true, true]);
  });

  test('replaces the SPF record of the name, and keeps other texts and the TTL', async () => {
    await open([txt('"other"', '"v=spf1 -all"')]);
    await fill('spf', { includes: '_spf.example.net' });
    await page.click(submit());
    expect(added()).toEqual([[[origin, 'TXT', 300, ['"other"', '"v=spf1 mx include:_spf.example.net -all"']]]]);
  });

  test('adds an SPF record to a name with other texts', async () => {
    await open([txt('"other"')]);
    await page.click(submit());
    expect(added()).toEqual([[[origin, 'TXT', 300, ['"other"', '"v=spf1 mx -all"']]]]);
  });

  test('works on the draft, not on the published zone', async () => {
    await open([txt('"v=spf1 -all"')], { [`${origin} TXT`]: txt('"v=spf1 a -all"', '"new"') });
    await page.click(submit());
    expect(added()).toEqual([[[origin, 'TXT', 300, ['"new"', '"v=spf1 mx -all"']]]]);
  });

  test('counts DNS lookups, and warns from the eleventh on', async () => {
    await open();
    const hosts = (n: number) => Array.from({ length: n }, (_, at) => `s${at}.example.net`).join('\n');
    await fill('spf', { includes: hosts(9) });
    expect([note().includes(messages().lookups(10)), page.root.querySelector('.helper-note .wrong-text')]).toEqual([
      true,
      null,
    ]);
    await fill('spf', { includes: hosts(10) });
    expect(page.root.querySelector('.helper-note .wrong-text')?.textContent).toBe(messages().lookups(11));
  });

  test('repairs pasted signs, and says so', async () => {
    await open();
    await fill('mx', { host: 'mail.example.net\u200b' });
    expect([code(), note().includes(zones().repairs.invisible)]).toEqual(['@ MX 10 mail.example.net.', true]);
  });

  test('begins again when another record is chosen', async () => {
    await open();
    await fill('mx', { host: 'mail.example.net' });
    await fill('srv');
    expect(page.field('host').value).toBe('');
  });
});
