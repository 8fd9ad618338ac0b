import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RealService } from '../support/process.ts';
import { moveTime } from './renewal-verb.ts';
import { detail, order, registeredOnce, type Verb } from './verb.ts';

const customer = '/v1/customers/2001/transactions';
/** By name: the unpaid bill and its expected payment. */
const billIds = new Map<string, string>();
const domainIds = new Map<string, string>();
const payments = new Map<string, { payment_id: string; reference: string }>();

/** Retries a call that may be cut off until it is executed. */
async function made(service: RealService, path: string, body: { form?: Record<string, string>; json?: unknown }) {
  const called = await service.call('POST', path, body);
  if (called.status !== 0) expect(called.status, JSON.stringify(called.body)).toBe(200);
  return called;
}

async function ordered(service: RealService, domain: string, invoice_option: string): Promise<void> {
  const { body } = await made(service, '/v1/domains', { form: { ...order(domain), invoice_option } });
  billIds.set(domain, body.transaction_id);
  domainIds.set(domain, body.domain_id);
}

const waiting = (service: RealService, domain: string) => ordered(service, domain, 'only_add');

/** The customer's transactions about this name. */
async function rowsOf(service: RealService, domain: string): Promise<string[]> {
  const { body } = await service.call('GET', `${customer}?limit=100`);
  return (body as { description: string; status: string; transaction_type: string }[])
    .filter(({ description }) => description.includes(domain))
    .map(({ transaction_type, status }) => `${transaction_type} ${status}`)
    .sort();
}

async function paidOnce(service: RealService, domain: string): Promise<void> {
  await registeredOnce(service, domain);
  expect(await rowsOf(service, domain)).toEqual(['deposit completed', 'domain completed']);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 300_000; waited += 50) {
    if (await isSo()) return;
    await sleep(50);
  }
}

/** A customer's payment places the order that waited for it. */
const pay: Verb = {
  name: 'pay',
  kind: 'register',
  step: 'register',
  isRepeatable: true,
  prepare: waiting,
  call: (domain) => (service, headers) =>
    service.call('POST', `${customer}/pay`, {
      form: { transaction_id: billIds.get(domain)!, subtract_balance: 'false' },
      headers,
    }),
  check: paidOnce,
};

/** Without a key: a retry is another request. */
const payAgain: Verb = {
  ...pay,
  name: 'pay again',
  points: ['order:before-pay', 'order:in-pay'],
  call: (domain) => (service) =>
    made(service, `${customer}/pay`, { form: { transaction_id: billIds.get(domain)!, subtract_balance: 'false' } }),
};

const payKept: Verb = {
  ...payAgain,
  name: 'pay kept',
  goesOnFrom: 'done',
  prepare: (service, domain) => ordered(service, domain, 'keep_invoice'),
};

const execute = (cancel_invoice: 'true' | 'false'): Verb => ({
  ...payAgain,
  name: cancel_invoice === 'true' ? 'give away' : 'execute',
  points: ['before', 'in'].map((failpoint) => `order:${failpoint}-${cancel_invoice === 'true' ? 'cancel' : 'keep'}`),
  call: (domain) => (service) =>
    made(service, `${customer}/execute`, { form: { transaction_id: billIds.get(domain)!, cancel_invoice } }),
  async check(service, domain) {
    await registeredOnce(service, domain);
    expect(await rowsOf(service, domain)).toEqual([`domain ${cancel_invoice === 'true' ? 'cancelled' : 'unpaid'}`]);
  },
});

const givenUp = async (service: RealService, domain: string) => {
  expect(await rowsOf(service, domain)).toEqual(['domain cancelled']);
  // A tombstone is found by its id only.
  expect(await detail(service, domainIds.get(domain)!)).toMatchObject({ order_status: 'Cancelled' });
};

const cancel: Verb = {
  ...payAgain,
  name: 'cancel',
  endsAs: 'nothing',
  points: ['order:before-cancel', 'order:in-cancel'],
  call: (domain) => (service) =>
    made(service, `${customer}/cancel`, { form: { transaction_id: billIds.get(domain)! } }),
  check: givenUp,
};

const wait: Verb = {
  ...cancel,
  name: 'wait',
  points: ['order:in-wait'],
  prepare: async () => undefined,
  call: (domain) => (service) =>
    made(service, '/v1/domains', { form: { ...order(domain), invoice_option: 'only_add' } }),
  async check(service, domain) {
    expect(await rowsOf(service, domain)).toEqual(['domain unpaid']);
    expect(await detail(service, domain)).toMatchObject({ order_status: 'Unpaid' });
  },
};

/** Money by bank transfer, for a waiting order and for the bill of an existing domain. */
async function expected(service: RealService, domain: string): Promise<void> {
  const details = { details: 'Bank 1, 4711' };
  await service.call('PUT', '/v1/account/payment_providers/bank_transfer', { json: details });
  await waiting(service, domain);
  const json = { customer_id: '2001', transaction_id: [billIds.get(domain)!], description: `for ${domain}` };
  payments.set(domain, (await made(service, '/v1/payments', { json })).body);
}

const confirm: Verb = {
  ...payAgain,
  name: 'confirm',
  points: ['payment:before-confirm', 'payment:in-confirm'],
  prepare: expected,
  call: (domain) => async (service) => {
    const { payment_id } = payments.get(domain)!;
    const { body } = await service.call('GET', `/v1/payments/${payment_id}`);
    const json = { amount: body.amount.amount, entry_id: `entry of ${domain}` };
    return made(service, `/v1/payments/${payment_id}/confirm`, { json });
  },
  finish: (service, domain) =>
    until(async () => (await rowsOf(service, domain)).join() === 'deposit completed,domain completed'),
  async check(service, domain) {
    await paidOnce(service, domain);
    const { body } = await service.call('GET', `/v1/payments/${payments.get(domain)!.payment_id}`);
    expect(body).toMatchObject({ status: 'paid', settlement: 'done' });
    expect(body.receipts).toHaveLength(1);
  },
};

/** The money has arrived, and the process dies while paying the bill: background jobs continue. */
const settle: Verb = {
  ...confirm,
  name: 'settle',
  isOrderedByClock: true,
  points: ['payment:after-confirm', 'order:before-pay', 'order:in-pay', 'payment:after-settle'],
};

const receive: Verb = {
  ...confirm,
  name: 'receive',
  points: ['payment:before-receive', 'payment:in-receive'],
  call: (domain) => async (service) => {
    const { payment_id, reference } = payments.get(domain)!;
    const { body } = await service.call('GET', `/v1/payments/${payment_id}`);
    return made(service, '/v1/payments/import', {
      json: { csv: `amount,reference\n${body.amount.amount},${reference}` },
    });
  },
};

const received: Verb = { ...receive, name: 'received', isOrderedByClock: true, points: ['payment:after-receive'] };

export const bills: readonly Verb[] = [
  pay,
  payAgain,
  payKept,
  execute('false'),
  execute('true'),
  cancel,
  wait,
  confirm,
  settle,
  receive,
  received,
];

/** The bill was not paid in time, and the process dies in the background job. */
export const expire: Verb = {
  ...cancel,
  name: 'expire',
  isRepeatable: false,
  isOrderedByClock: true,
  points: ['order:in-cancel'],
  call: () => async (service) => {
    let called = await moveTime(service, '+31d');
    await until(async () => {
      if (called.status !== 0) called = await service.call('GET', `${customer}?limit=1`);
      return called.status === 0;
    });
    return called;
  },
  async finish(service, domain) {
    await moveTime(service, '+1h');
    await until(async () => (await rowsOf(service, domain)).join() === 'domain cancelled');
  },
};
