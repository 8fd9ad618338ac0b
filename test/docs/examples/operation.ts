import { setTimeout as sleep } from 'node:timers/promises';
import type { TestService } from '../../support/service.ts';
import type { Example, ExampleValues } from '../example.ts';

const contacts = {
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3001',
  tech_contact_id: '3002',
  billing_contact_id: '3001',
  invoice_option: 'no_invoice',
};

async function finished(t: TestService, values: ExampleValues): Promise<void> {
  for (let waited = 0; waited < 300_000; waited += 100) {
    const operation = await t.call('GET', `/v1/operations/${values.slowOperation}`);
    if (operation.body.is_final) return;
    await sleep(100);
  }
}

/** The page shows an operation whose command is under way, also on a slow machine. */
async function leftForRegistry(t: TestService, values: ExampleValues): Promise<void> {
  for (let waited = 0; waited < 300_000; waited += 50) {
    const operation = await t.call('GET', `/v1/operations/${values.slowOperation}`);
    if (operation.body.state !== 'intended') return;
    await sleep(50);
  }
}

/** Waiting, timeouts, reviews, events. */
export const operationExamples: readonly Example[] = [
  {
    kind: 'http',
    name: 'register-async',
    path: '/v1/domains',
    headers: { Prefer: 'respond-async', 'Idempotency-Key': 'order-2' },
    form: { domain_name: 'later.com', ...contacts },
    status: 202,
    showHeaders: ['Location', 'Retry-After', 'Preference-Applied'],
    remember: (body, values) => {
      values.slowOperation = body.operation_id;
    },
    after: finished,
  },
  {
    kind: 'http',
    name: 'operation-done',
    path: (values) => `/v1/operations/${values.slowOperation}`,
    keep: [
      'operation_id',
      'kind',
      'state',
      'is_final',
      'domain_name',
      'result_code',
      'cltrid',
      'svtrid',
      'steps',
      'outcome',
    ],
  },
  {
    kind: 'http',
    name: 'operation-in-progress',
    method: 'PUT',
    path: '/v1/domains/later.com/suspended',
    before: async (t, values) => {
      await t.control('POST', '/faults', { kind: 'delay', ms: 3_000, commands: ['domain:update'], limit: 1 });
      const first = await t.call('DELETE', '/v1/domains/later.com/theft_protection', {
        headers: { Prefer: 'respond-async' },
      });
      values.slowOperation = first.body.operation_id;
      await leftForRegistry(t, values);
    },
    after: finished,
    status: 409,
    showHeaders: ['Retry-After'],
  },
  {
    kind: 'http',
    name: 'register-silence',
    path: '/v1/domains',
    form: { domain_name: 'silence.com', ...contacts },
    before: async (t) => {
      await t.control('POST', '/faults', { kind: 'drop-after-commit', commands: ['domain:create'], limit: 1 });
    },
    after: async (t, values) => {
      await t.control('DELETE', '/faults');
      await finished(t, values);
    },
    status: 202,
    showHeaders: ['Location', 'Retry-After'],
    remember: (body, values) => {
      values.slowOperation = body.operation_id;
    },
  },
  {
    kind: 'http',
    name: 'operation-silence',
    path: (values) => `/v1/operations/${values.slowOperation}`,
    keep: ['operation_id', 'state', 'steps'],
  },
  {
    kind: 'http',
    name: 'register-review',
    path: '/v1/domains',
    form: { domain_name: 'warung.co.id', ...contacts },
    status: 202,
    remember: (body, values) => {
      values.slowOperation = body.operation_id;
      values.reviewId = body.domain_id;
    },
  },
  {
    kind: 'http',
    name: 'operation-reviewed',
    path: (values) => `/v1/operations/${values.slowOperation}`,
    before: async (t, values) => {
      await t.control('POST', '/domains/warung.co.id/review', { decision: 'approve' });
      // Any command's answer announces the message, so it is read at once.
      await t.call('GET', '/v1/domains/availability', { query: { domain: 'warung2.co.id' } });
      await finished(t, values);
    },
    keep: ['operation_id', 'state', 'is_final', 'steps'],
  },
  {
    kind: 'http',
    name: 'events',
    path: '/v1/events',
    query: { type: 'domain.*', limit: '2' },
    remember: (body, values) => {
      values.after = body.next_after;
    },
  },
  {
    kind: 'http',
    name: 'events-after',
    path: (values) => `/v1/events?type=domain.*&limit=1&after=${values.after}`,
  },
];
