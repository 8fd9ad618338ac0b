import { afterEach, describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { now } from '../../src/data/clock.ts';
import { cache } from '../../src/data/resource.ts';
import { locale } from '../../src/messages/locale.ts';
import Alarms from '../../src/operator/alarms.tsx';
import { describeAlarm } from '../../src/operator/describe-alarm.ts';
import Jobs from '../../src/operator/jobs.tsx';
import { messages } from '../../src/operator/messages.ts';
import Reconciliation from '../../src/operator/reconciliation.tsx';
import Settings from '../../src/operator/settings.tsx';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
afterEach(() => {
  locale.value = 'en';
});
const alarmOf = (key: string, changes: Partial<Schema<'Alarm'>> = {}) =>
  example('Alarm', { key, sentence: `About ${key}.`, cleared_at: null, acknowledged: null, ...changes });
const submit = () => page.get('dialog').querySelector<HTMLButtonElement>('[type=submit]')!;

describe('describeAlarm', () => {
  test.each(['unknown:thing', 'registry:a:unknown', '', ':::'])('shows the sentence for the key "%s"', (key) => {
    speak('id');
    expect(describeAlarm({ key, sentence: 'Something happened.' })).toBe('Something happened.');
  });
  test('names the object of the key in Indonesian', () => {
    speak('id');
    const codes = Object.keys(messages().alertTexts);
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) {
      const key = code.startsWith('registry:') ? `registry:sandbox-com:${code.slice(9)}` : `${code}:sandbox-com`;
      expect(describeAlarm({ key, sentence: '-' })).not.toBe('-');
    }
  });
});

describe('alerts', () => {
  const open = async (alarms: Schema<'Alarm'>[], at = '/app/operator/alarms') => {
    page.api.list('/operator/alarms', alarms);
    await page.show(Alarms, { at });
  };

  test('are the open ones unless the address names another state', async () => {
    await open([]);
    await page.leave();
    await open([], '/app/operator/alarms?state=cleared&page=2');
    await page.leave();
    cache.clear();
    await open([], '/app/operator/alarms?state=nonsense');
    expect(page.api.sent('get', '/operator/alarms').map(({ query }) => [query.state, query.page_no])).toEqual([
      ['open', '1'],
      ['cleared', '2'],
      ['open', '1'],
    ]);
  });

  test('can be acknowledged only if they are open', async () => {
    const acknowledged = {
      at: '2026-11-15T09:00:00Z',
      by: 'sari',
      reason: '<i>known</i>',
      until: '2026-11-16T09:00:00Z',
    };
    await open([alarmOf('a'), alarmOf('b', { cleared_at: '2026-11-15T09:00:00Z' }), alarmOf('c', { acknowledged })]);
    expect(page.all('button', /About [abc]\./)).toHaveLength(1);
    expect([page.text().includes('<i>known</i>'), page.root.querySelector('i')]).toEqual([true, null]);
  });

  test('are acknowledged with a reason until a time, once', async () => {
    await open([alarmOf('books:entries:x')]);
    page.api.respond('put', '/operator/alarms/acknowledgement', () => ({ body: alarmOf('books:entries:x') }));
    await page.click(page.button(/About/));
    await page.type(page.field('reason'), '  being repaired ');
    await page.type(page.field('until'), '168');
    await page.doubleClick(submit());
    const body = page.api.writes[0]!.body as { key: string; reason: string; until: string };
    expect(page.api.writes).toHaveLength(1);
    expect([body.key, body.reason]).toEqual(['books:entries:x', 'being repaired']);
    // The service accepts at most this time: a minute is left for the request.
    const hours = (Date.parse(body.until) - now().getTime()) / 3_600_000;
    expect(hours).toBeGreaterThan(167.9);
    expect(hours).toBeLessThan(168);
  });

  test('shows why an acknowledgement cannot be withdrawn, also without a connection', async () => {
    const acknowledged = { at: '2026-11-15T09:00:00Z', by: 'sari', reason: 'known', until: '2026-11-16T09:00:00Z' };
    const { Toasts } = await import('../../src/components/toast.tsx');
    page.api
      .list('/operator/alarms', [alarmOf('a', { acknowledged })])
      .lose('delete', '/operator/alarms/acknowledgement');
    const Both = () => (
      <>
        <Alarms />
        <Toasts />
      </>
    );
    await page.show(Both, { at: '/app/operator/alarms' });
    await page.click(page.button(messages().undo));
    const toasts = page.root.querySelectorAll('.toast span');
    expect(toasts[toasts.length - 1]?.textContent).not.toBe('');
  });

  test('cannot be changed by users who can only read', async () => {
    signIn({ account: { scopes: ['account:read'], is_operator: true } });
    await open([alarmOf('a')]);
    expect(page.has('button', /About/)).toBe(false);
  });
});

describe('reconciliation', () => {
  const open = async (changes: Record<string, unknown> = {}) => {
    page.api.respond('get', '/operator/reconciliation', () => ({ body: { ...base, ...changes } }));
    await page.show(Reconciliation, { at: '/app/operator/reconciliation' });
  };
  const base = {
    running_since: null,
    last_run: {
      started_at: '2026-11-15T03:00:00Z',
      finished_at: null,
      counts: { accounts: 8 },
      skipped: [],
      differences: 0,
    },
    differences: [],
  };

  test('shows the number of differences, or that there are none', async () => {
    await open();
    expect(page.text(page.get('status'))).toBe(messages().balanced);
    await page.leave();
    cache.clear();
    await open({ last_run: { ...base.last_run, differences: 3 } });
    expect(page.text(page.get('status'))).toContain(messages().differences(3));
  });

  test('says that none has run yet', async () => {
    await open({ last_run: null });
    expect(page.text(page.get('status'))).toBe(messages().neverReconciled);
  });

  test('cannot be started while one runs', async () => {
    await open({ running_since: '2026-11-15T03:00:00Z' });
    await page.click(page.button(messages().compare));
    expect(page.api.writes).toEqual([]);
  });

  test('shows why reconciliation is refused, until a later success', async () => {
    await open();
    page.api.refuse('post', '/operator/verify', 409, { code: 'conflict', message: 'Already running.' });
    await page.click(page.button(messages().compare));
    expect(page.text(page.get('alert'))).toContain('Already running.');
    page.api.answer('post', '/operator/verify');
    await page.doubleClick(page.button(messages().compare));
    expect([page.has('alert'), page.api.writes.length]).toEqual([false, 2]);
  });
});

describe('jobs', () => {
  test('lists jobs with problems first, and shows their number', async () => {
    const job = (name: string, state: 'ok' | 'failing' | 'still' | 'not_reported') => example('Job', { name, state });
    const all = [job('a', 'ok'), job('b', 'failing'), job('c', 'ok'), job('d', 'still'), job('e', 'not_reported')];
    page.api.respond('get', '/operator/jobs', () => ({ body: { jobs: all } }));
    await page.show(Jobs, { at: '/app/operator/jobs' });
    expect(page.rows().map(([name]) => name)).toEqual(['b', 'd', 'e', 'a', 'c']);
    expect(page.text()).toContain(messages().jobsFound(3));
  });
});

describe('settings', () => {
  const setting = (name: string, changes: Partial<Schema<'Setting'>> = {}) =>
    example('Setting', {
      name,
      meaning: `Meaning of ${name}.`,
      default: '',
      value: null,
      is_secret: false,
      is_set: false,
      ...changes,
    });
  const all = [
    setting('NAMEHOLD_PORT', { default: '8080', value: '8080', is_set: true }),
    setting('NAMEHOLD_HOST', { default: '127.0.0.1', value: '0.0.0.0', is_set: true }),
    setting('NAMEHOLD_MASTER_KEY', { is_secret: true, is_set: true }),
    setting('NAMEHOLD_SMTP_PASSWORD', { is_secret: true }),
  ];
  const open = async (at = '/app/operator/settings') => {
    page.api.respond('get', '/operator/settings', () => ({ body: { settings: all } }));
    await page.show(Settings, { at });
    return page.rows().map(([name]) => /NAMEHOLD_[A-Z_]*[A-Z](?=Meaning)/.exec(name ?? '')?.[0]);
  };

  test.each([
    ['', ['NAMEHOLD_PORT', 'NAMEHOLD_HOST', 'NAMEHOLD_MASTER_KEY', 'NAMEHOLD_SMTP_PASSWORD']],
    ['?own=1', ['NAMEHOLD_HOST', 'NAMEHOLD_MASTER_KEY']],
    ['?has=MEANING+of+namehold_h', ['NAMEHOLD_HOST']],
    ['?has=port&own=1', []],
    ['?has=%3Cb%3E', []],
  ])('lists for the address %s the settings %j', async (query, names) => {
    expect(await open(`/app/operator/settings${query}`)).toEqual(names);
  });

  test('shows of a secret only whether it is set', async () => {
    await open();
    expect(
      page
        .rows()
        .slice(2)
        .map(([, value]) => value),
    ).toEqual([messages().secret, messages().unset]);
  });
});
