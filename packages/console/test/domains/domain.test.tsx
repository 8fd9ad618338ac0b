import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Method, Path, Schema } from '../../src/api/shapes.ts';
import DomainPage from '../../src/domains/domain.tsx';
import { reasonText, registryStatusText } from '../../src/domains/format-status.ts';
import { messages } from '../../src/domains/messages.ts';
import { messages as timelineMessages } from '../../src/domains/timeline-messages.ts';
import { Fix } from '../../src/domains/verbs.tsx';
import { messages as common } from '../../src/messages/common.ts';
import { messages as operations } from '../../src/operations/messages.ts';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
type Timeline = Schema<'Timeline'>;
type Block = Timeline['blocks'][number];
const name = 'shop.example';

beforeEach(() => signIn({ business_time: '2026-11-15T09:00:00Z' }));

const allowed = (...actions: Block['action'][]): Block[] =>
  actions.map((action) => ({ action, allowed: true, reasons: [] }));
const blocked = (action: Block['action'], because: string, fix: string | null = null): Block =>
  ({ action, allowed: false, reasons: [{ because, set_by: 'reseller', fix }] }) as unknown as Block;
const milestone = (what: string, at: string, changes = {}): Timeline['milestones'][number] =>
  ({ ...example('Timeline').milestones[0]!, what, at, price: null, price_lines: [], ...changes }) as never;
const mustAct = (who: Timeline['must_act']['who'], by: string | null = null) => ({ who, by, sentence: 'As reported.' });

interface Given {
  readonly operations?: Schema<'Operation'>[];
  readonly domain?: Partial<Schema<'DomainDetail'>>;
  readonly timeline?: Partial<Timeline>;
  readonly at?: string;
}

const open = async ({ domain = {}, timeline = {}, operations: waiting = [], at = '' }: Given = {}) => {
  page.api
    .list('/operations', waiting)
    .respond('get', '/domains/{domain_id}', () => ({
      body: example('DomainDetail', { domain_id: '5001', domain_name: name, ...domain }),
    }))
    .answer('get', '/domains/{domain_id}/timeline', example('Timeline', { domain_name: name, ...timeline }) as never)
    .respond('get', '/operations/{operation_id}', () => ({ body: example('Operation') }));
  await page.show(DomainPage, { at: `/app/domains/${name}${at}`, route: '/app/domains/:name' });
};
const main = () => page.root.querySelector<HTMLElement>('.page-head, header')!;
const dialog = () => page.get('dialog');
const submit = () => dialog().querySelector<HTMLButtonElement>('[type=submit]')!;

describe('what the domain waits for', () => {
  const title = () => page.root.querySelector('.note strong')?.textContent;

  const at = '2026-12-01T09:00:00Z';
  test.each<[Timeline['must_act']['who'], Partial<Timeline>, string]>([
    ['reseller', {}, 'Action required by Dec 1, 2026'],
    ['registry', {}, 'Waiting for registry by Dec 1, 2026'],
    ['nobody', { state: 'pending_delete' }, 'No action needed until Dec 1, 2026'],
    ['nobody', { renewal_mode: 'manual' }, 'Expires Dec 1, 2026'],
    ['nobody', { renewal_mode: 'delete' }, 'Will be deleted Dec 1, 2026'],
    ['nobody', { renewal_mode: 'renew', milestones: [milestone('renewal', at)] }, 'Automatic renewal on Dec 1, 2026'],
  ])('is with %s of %j: "%s"', async (who, timeline, text) => {
    await open({ timeline: { ...timeline, must_act: mustAct(who, at) } });
    expect(title()).toBe(text);
  });

  test.each([
    ['over_resolving', 'interrupted'],
    ['over', 'renew_by'],
  ])('is described as "%s" in Indonesian if the domain ended and the next date is %s', async (key, what) => {
    speak('id');
    await open({ timeline: { must_act: mustAct('reseller', at), milestones: [milestone(what, at)] } });
    expect(page.text()).toContain(timelineMessages().statusTexts[key]);
  });

  test('is with the registrant, who can get the email again', async () => {
    const at = '2026-11-30T09:00:00Z';
    await open({ timeline: { must_act: mustAct('registry', at), milestones: [milestone('verify_by', at)] } });
    expect(title()).toContain(timelineMessages().registrantMustConfirm);
    page.api.respond('post', '/domains/{domain_id}/raa_verification/resend', () => ({
      body: example('SentAgain' as never),
    }));
    await page.doubleClick(page.button(messages().resend));
    expect(page.api.writes).toHaveLength(1);
  });

  test('is described by the service in English, and by the console in Indonesian', async () => {
    await open({ timeline: { must_act: mustAct('nobody') } });
    expect(page.text()).toContain('As reported.');
    await page.leave();
    speak('id');
    await open({ timeline: { must_act: mustAct('nobody'), state: 'redemption' } });
    expect(page.text()).not.toContain('As reported.');
  });

  test('shows the suspension as the status, whatever else is open', async () => {
    await open({
      domain: { suspended: true },
      timeline: { must_act: mustAct('nobody'), blocks: [blocked('transfer', 'suspended (unpaid bill)')] },
    });
    expect(title()).toBe(messages().suspended);
    expect(page.text(page.root.querySelector('.note')!)).toContain('“unpaid bill”');
    await page.click(page.button(messages().verbs.resume, page.root.querySelector('.note')!));
    expect(page.text(dialog())).toContain(messages().switches.resume.text);
  });

  test('is an operation, with its progress', async () => {
    await open({ timeline: { operation_id: 'op_1', must_act: mustAct('platform') } });
    expect(page.api.sent('get', '/operations/{operation_id}').map(({ params }) => params.operation_id)).toEqual([
      'op_1',
    ]);
  });
});

describe('the main actions', () => {
  const states = () =>
    Object.fromEntries(
      page.all('button', undefined, main()).map((each) => [page.text(each), !(each as HTMLButtonElement).disabled]),
    );

  test('are enabled as the service allows, with the reason of those that are not', async () => {
    await open({
      timeline: { blocks: [...allowed('renew'), blocked('update', 'locked (dispute)'), blocked('delete', 'locked')] },
    });
    const t = messages();
    expect(states()).toMatchObject({
      [t.verbs.renew]: true,
      [t.authCode]: false,
      [t.moveDomain]: false,
      [t.verbs.delete]: false,
    });
    expect(page.button(t.authCode).title).toBe('The domain is locked. Reason: “dispute”.');
    expect(page.button(t.verbs.delete).title).toBe('The domain is locked.');
  });

  test('offer a restore instead of a renewal if it is possible', async () => {
    await open({ timeline: { state: 'redemption', blocks: allowed('restore') } });
    expect([page.has('button', messages().verbs.restore), page.has('button', messages().verbs.renew)]).toEqual([
      true,
      false,
    ]);
  });

  test('answer a transfer request', async () => {
    await open({ timeline: { state: 'pending_transfer', blocks: allowed('answer_transfer') } });
    const path = '/domains/{domain_id}/transfer/reject';
    page.api.respond('post', path, () => ({
      status: 202,
      body: { ...example('Order'), operation_state: 'sent', accepted_at: '2026-11-15T09:00:00Z' },
    }));
    await page.click(page.button(messages().rejectTransfer));
    await page.type(page.field('reason'), 'fraud');
    await page.doubleClick(submit());
    expect(page.api.writes.map((each) => [each.path, each.body])).toEqual([[path, { reason: 'fraud' }]]);
    expect(page.text(dialog())).toContain(operations().technicalDetails);
  });

  test.each([
    ['code_refused', true],
    ['pending', false],
  ])('offers, for a transfer in with the status %s, to enter another code: %s', async (status, canEnter) => {
    const transfer = { status } as unknown as Schema<'DomainDetail'>['transfer'];
    await open({ domain: { state: 'pending', transfer }, timeline: { state: 'pending', blocks: [] } });
    expect([page.has('button', messages().enterNewCode), page.has('button', messages().cancelTransfer)]).toEqual([
      canEnter,
      true,
    ]);
    expect(page.text()).toContain(messages().unknownBeforeTransfer);
  });

  test('are none for a user who can only read, also not by the address', async () => {
    signIn({ account: { scopes: ['domains:read'] } });
    await open({ timeline: { blocks: allowed('renew', 'delete') }, at: '?do=delete' });
    expect([
      page.has('dialog'),
      page.has('button', messages().verbs.renew),
      page.has('button', messages().verbs.delete),
    ]).toEqual([false, false, false]);
  });

  test('shows a customer no actions of the reseller', async () => {
    signIn({ account: { scopes: ['domains:write'] }, customer: { customer_id: '7', access: 'manage' } });
    await open({ timeline: { blocks: allowed('renew', 'delete', 'update') }, at: '?do=lock' });
    const t = messages();
    expect(page.has('dialog')).toBe(false);
    expect([t.verbs.renew, t.verbs.delete, t.verbs.move, t.authCode].map((each) => page.has('button', each))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(page.text()).not.toContain('clientTransferProhibited');
  });
});

describe('the action of the address', () => {
  test('ignores an unknown action in ?do=', async () => {
    await open({ at: '?do=explode' });
    expect(page.has('dialog')).toBe(false);
  });

  test('disappears from the address with its dialog, also with the Escape key', async () => {
    await open({ at: '?do=lock' });
    await page.press('Escape');
    expect([page.has('dialog'), location.search]).toEqual([false, '']);
  });
});

describe('a setting', () => {
  const off = {
    locked: false,
    suspended: false,
    theft_protection: 'false',
    privacy_protection_enabled: 'false',
  } as const;
  const on = { locked: true, suspended: true, theft_protection: 'true', privacy_protection_enabled: 'true' } as const;
  const bought = { privacy_ends_at: '2027-11-15T09:00:00Z' };

  test.each<[string, Partial<Schema<'DomainDetail'>>, Method, Path]>([
    ['lock', off, 'put', '/domains/{domain_id}/locked'],
    ['unlock', on, 'delete', '/domains/{domain_id}/locked'],
    ['protect', off, 'put', '/domains/{domain_id}/theft_protection'],
    ['unprotect', on, 'delete', '/domains/{domain_id}/theft_protection'],
    ['suspend', off, 'put', '/domains/{domain_id}/suspended'],
    ['resume', on, 'delete', '/domains/{domain_id}/suspended'],
    ['hide', { ...off, ...bought }, 'put', '/domains/{domain_id}/privacy_protection'],
    ['reveal', { ...on, ...bought }, 'delete', '/domains/{domain_id}/privacy_protection'],
  ])('is switched by "%s" once, after its effect was read', async (verb, domain, method, path) => {
    await open({ domain, timeline: { must_act: mustAct('reseller') } });
    const { settings, settingVerbs, switches } = messages();
    const { title } = { title: switches[verb as keyof typeof switches] }.title;
    const index = { lock: 1, unlock: 1, protect: 2, unprotect: 2, hide: 3, reveal: 3, suspend: 4, resume: 4 }[verb]!;
    const rows = page.get('region', settings).querySelectorAll<HTMLElement>('dl > div');
    await page.click(page.get('button', new RegExp(settingVerbs[verb]!), rows[index]!));
    expect(page.text(dialog())).toContain(`${title}: ${name}`);
    expect(page.api.writes).toEqual([]);
    page.api.answer(method, path);
    await page.doubleClick(submit());
    expect(page.api.writes.map((each) => [each.method, each.path, each.body])).toEqual([
      [method, path, method === 'put' ? {} : undefined],
    ]);
    expect(page.has('dialog')).toBe(false);
  });

  test.each(['lock', 'suspend'])('%s sends the reason without spaces around', async (verb) => {
    await open({ domain: off, at: `?do=${verb}` });
    const path = verb === 'lock' ? '/domains/{domain_id}/locked' : '/domains/{domain_id}/suspended';
    page.api.answer('put', path);
    await page.type(page.field('reason'), '  dispute ');
    await page.click(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ reason: 'dispute' }]);
  });

  test('shows the operation that blocks the setting instead of the form', async () => {
    await open({ domain: off, at: '?do=lock' });
    page.api.refuse('put', '/domains/{domain_id}/locked', 409, { code: 'operation_in_progress', operation_id: 'op_9' });
    await page.click(submit());
    expect(page.text(page.get('alert', undefined, dialog()))).toBe(messages().otherOrderInProgress);
    expect(page.api.sent('get', '/operations/{operation_id}').at(-1)!.params.operation_id).toBe('op_9');
  });

  test('refuses changes of an unpaid order', async () => {
    await open({ timeline: { state: 'unpaid' } });
    expect(page.all('button', undefined, page.get('region', messages().settings))).toEqual([]);
  });

  test('saves the renewal mode only if it differs, and shows its effect', async () => {
    page.api.answer(
      'get',
      '/domains/{domain_id}/renewal_mode',
      example('RenewalMode', { what_happens: 'Renewed by one year.' }),
    );
    await open({ domain: { renewal_mode: 'renew' }, at: '?do=mode' });
    expect([page.text(dialog()).includes('Renewed by one year.'), submit().disabled]).toEqual([true, true]);
    await page.type(page.field('renewal_mode'), 'delete');
    expect(page.text(dialog())).not.toContain('Renewed by one year.');
    page.api.answer('put', '/domains/{domain_id}/renewal_mode', example('RenewalMode'));
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ renewal_mode: 'delete' }]);
  });
});

describe('a deletion', () => {
  type Deletion = NonNullable<Timeline['deletion']>;
  const refund = { amount: '11.50', currency: 'USD' };

  test.each<[Deletion, readonly string[]]>([
    [{ refund, add_grace_ends_at: '2026-11-20T09:00:00Z', restore_days: null }, ['Nov 20, 2026', 'USD', '11.50']],
    [{ refund: null, add_grace_ends_at: null, restore_days: 30 }, ['30']],
    [{ refund, add_grace_ends_at: null, restore_days: null }, ['11.50', 'cannot be restored']],
  ])('shows the consequence of %j', async (deletion, parts) => {
    await open({ timeline: { deletion }, at: '?do=delete' });
    for (const part of parts) expect(page.text(dialog())).toContain(part);
  });

  test('needs the name, in any case, and then shows the operation', async () => {
    await open({ timeline: { blocks: allowed('delete') }, at: '?do=delete' });
    page.api.answer('delete', '/domains/{domain_id}');
    for (const [typed, isReady] of [
      ['shop', false],
      [`${name}.`, false],
      [' SHOP.example ', true],
    ] as const) {
      await page.type(page.field('typed'), typed);
      expect([typed, submit().disabled]).toEqual([typed, !isReady]);
    }
    await page.doubleClick(submit());
    expect(page.api.writes.map(({ params }) => params.domain_id)).toEqual(['5001']);
    expect(page.text(dialog())).toContain(operations().technicalDetails);
  });
});

describe('the allowed actions', () => {
  const card = () => page.get('region', messages().actions);

  test('groups actions with the same reason in one line, and omits actions that do not apply', async () => {
    const blocks = [
      blocked('transfer', 'theft_protection'),
      blocked('move', 'theft_protection'),
      ...allowed('renew', 'lock'),
      blocked('unlock', 'x'),
      blocked('restore', 'y'),
      blocked('resume', 'z'),
      blocked('answer_transfer', 'w'),
    ];
    await open({ domain: { locked: false, suspended: false }, timeline: { blocks } });
    const t = messages().verbs;
    expect(page.all('listitem', undefined, card()).map((each) => page.text(each.querySelector('p')!))).toEqual([
      `${t.renew}, ${t.lock}`,
      `${t.transfer}, ${t.move}`,
    ]);
  });

  test('offer the way out of a block in the console', async () => {
    await open({
      timeline: { blocks: [blocked('transfer', 'theft_protection', 'DELETE /v1/domains/5001/theft_protection')] },
    });
    await page.click(page.button(messages().fixes.unprotect!, card()));
    expect(location.search).toBe('?do=unprotect');
    expect(page.text(dialog())).toContain(messages().switches.unprotect.text);
  });
});

describe('a fix', () => {
  test('calls the service to cancel an order', async () => {
    page.api.answer('post', '/operations/{operation_id}/cancel', example('Operation'));
    await page.show(<Fix fix="POST /v1/operations/op_1/cancel" onVerb={vi.fn()} />);
    await page.click(page.button(messages().cancelOrder));
    expect(page.api.writes.map(({ params }) => params.operation_id)).toEqual(['op_1']);
  });

  test('shows nothing for an unknown call, and advice as text', async () => {
    await page.show(<Fix fix="PATCH /v1/unknown" onVerb={vi.fn()} />);
    expect(page.text()).toBe('');
    await page.show(<Fix fix="renew the domain" onVerb={vi.fn()} />);
    expect([page.text(), page.has('button')]).toEqual(['Renew the domain.', false]);
  });

  test('cannot be used without permission', async () => {
    await page.show(<Fix fix="DELETE /v1/domains/5001/locked" onVerb={undefined} />);
    expect(page.has('button')).toBe(false);
  });
});

describe('texts of the service', () => {
  test.each([
    ['en', 'locked (a “b”)', 'The domain is locked. Reason: “a “b””.'],
    ['en', 'serverHold', 'The registry has set the status serverHold.'],
    ['en', 'some_new reason', 'some new reason'],
    [
      'id',
      'its nameserver ns1.a.example is used by b.example and 3 others',
      'Nameserver ns1.a.example masih dipakai domain lain.',
    ],
    ['id', 'locked ($1 $&)', 'Domain terkunci. Alasan: “$1 $&”.'],
  ] as const)('are translated (%s): %s', (language, text, shown) => {
    speak(language);
    expect(reasonText(text)).toBe(shown);
  });

  test.each([
    ['clientHold', 'clientHold (not in the DNS)'],
    ['serverTransferProhibited', 'serverTransferProhibited (transfers blocked)'],
    ['ok', 'ok (no restrictions)'],
    ['linked', 'linked'],
  ])('the registry status %s', (status, shown) => {
    expect(registryStatusText(status)).toBe(shown);
  });
});

describe('a change that waits for approval', () => {
  const waiting = example('Operation', {
    operation_id: 'op_waiting',
    kind: 'update',
    state: 'action_required',
    is_final: false,
    outcome: null,
    approval: {
      change: 'unlock',
      wanted: { theft_protection: false },
      asked_by: 'per_sari',
      requester_revoked: false,
      until: '2026-11-22T09:00:00Z',
      answer: null,
      answered_by: null,
      answered_at: null,
      confirmations: [],
    },
  });
  const notes = () => page.all('status').map((each) => page.text(each));
  const text = () => operations().waitingChange('Turn off theft protection', 'Nov 22, 2026, 9:00 AM');

  test('is shown with its end and a link', async () => {
    await open({ operations: [waiting] });
    expect(page.api.sent('get', '/operations').map(({ query }) => query)).toEqual([
      { domain_id: '5001', state: 'action_required', limit: '10' },
    ]);
    expect(notes().some((each) => each.replaceAll('\u202f', ' ').includes(text()))).toBe(true);
    expect(page.get('link', operations().viewRequest).getAttribute('href')).toBe('/app/operations/op_waiting');
  });

  test('is shown once if the timeline already shows it', async () => {
    await open({ operations: [waiting], timeline: { operation_id: 'op_waiting' } });
    expect(page.has('link', operations().viewRequest)).toBe(false);
  });

  test('is attributed to the provider for a customer, and is not shown for other operations', async () => {
    signIn({ account: { scopes: ['domains:read'] }, customer: { customer_id: '7', access: 'read' } });
    await open({ operations: [waiting, { ...waiting, operation_id: 'op_2', approval: null }] });
    expect(page.all('link', operations().viewRequest)).toHaveLength(1);
    expect(page.text()).toContain('waiting for your provider');
  });
});

describe('the timeline', () => {
  const rows = () => [...page.root.querySelectorAll('.milestones li')].map((each) => page.text(each));

  test('shows each date with its distance from the time of the service, and the parts of a price', async () => {
    const amount = (text: string) => ({ amount: text, currency: 'USD' });
    const price_lines = [
      { line: 'restore', years: 0, amount: amount('80.00') },
      { line: 'renewal', years: 1, amount: amount('11.50') },
    ];
    await open({
      timeline: {
        as_of: '2026-11-15T09:00:00Z',
        milestones: [milestone('redemption_ends', '2026-11-27T09:00:00Z', { price: amount('91.50'), price_lines })],
      },
    });
    const text = rows()[0]!.replaceAll('\u00a0', ' ');
    for (const each of ['Nov 27, 2026', 'in 12 days', 'USD 91.50', 'Restore USD 80.00 + Renewal USD 11.50'])
      expect(text).toContain(each);
  });

  test('shows the phases in order, each until the next begins', async () => {
    await open({
      timeline: {
        milestones: [
          milestone('expires', '2026-12-01T00:00:00Z'),
          milestone('deleted', '2027-01-15T00:00:00Z'),
          milestone('redemption_ends', '2027-02-14T00:00:00Z'),
          milestone('dropped', '2027-02-19T00:00:00Z'),
        ],
      },
    });
    const { phases, phaseUntil } = timelineMessages();
    expect([...page.root.querySelectorAll('.phases li')].slice(1).map((each) => page.text(each))).toEqual([
      phaseUntil(phases.term, 'Dec 1, 2026'),
      phaseUntil(phases.grace, 'Jan 15, 2027'),
      phaseUntil(phases.redemption, 'Feb 14, 2027'),
      phaseUntil(phases.leaving, 'Feb 19, 2027'),
    ]);
    const bars = [...page.root.querySelectorAll('rect')].map((each) => [
      parseFloat(each.getAttribute('x')!),
      parseFloat(each.getAttribute('width')!),
    ]);
    for (const [n, [x, width]] of bars.entries()) {
      expect(width).toBeGreaterThan(0);
      if (bars[n + 1]) expect(bars[n + 1]![0]).toBeCloseTo(x! + width!);
    }
  });

  test('says in Indonesian whether the domain will be suspended, and who gets a link', async () => {
    speak('id');
    const of = (what: string, sentence: string) => milestone(what, '2026-12-04T09:00:00Z', { sentence });
    await open({
      timeline: {
        milestones: [
          of('verify_by', 'Last day for the registrant to confirm their email address.'),
          of(
            'verify_by',
            'Last day for the registrant to confirm their email address. Otherwise, the domain is suspended.',
          ),
          of('mail_target_lapses', 'The link that confirms email forwarding to sari@example.net expires.'),
        ],
      },
    });
    expect(rows().map((each) => /ditangguhkan/.test(each))).toEqual([false, true, false]);
    expect(rows()[2]).toContain('sari@example.net');
  });

  test('says to customers that their provider pays', async () => {
    signIn({ account: { scopes: ['domains:write'] }, customer: { customer_id: '7', access: 'manage' } });
    await open();
    expect(rows()[0]).toContain(timelineMessages().byProvider);
    await page.leave();
    signIn({ account: { scopes: ['domains:write'] }, customer: { customer_id: '7', access: 'order' } });
    await open();
    expect(rows()[0]).toContain(timelineMessages().actors.reseller);
  });
});

test('an error of one request shows it, keeps the rest, and both are read again', async () => {
  page.api.refuse('get', '/domains/{domain_id}/timeline', 503, { code: 'overloaded' });
  page.api.respond('get', '/domains/{domain_id}', () => ({ body: example('DomainDetail', { domain_name: name }) }));
  page.api.list('/operations', []);
  await page.show(DomainPage, { at: `/app/domains/${name}`, route: '/app/domains/:name' });
  expect([
    page.has('alert'),
    page.has('region', messages().facts),
    page.has('region', timelineMessages().timeline),
  ]).toEqual([true, true, false]);
  page.api.answer('get', '/domains/{domain_id}/timeline', example('Timeline'));
  await page.click(page.button(common().retry, page.get('alert')));
  expect([page.has('alert'), page.has('region', timelineMessages().timeline)]).toEqual([false, true]);
});
