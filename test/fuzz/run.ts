import fc from 'fast-check';
import { expect } from 'vitest';
import { makeContact, makeCustomer, person } from '../support/parties.ts';
import type { Called, CallOptions } from '../support/service.ts';
import { type FuzzRequest, operationsOf, requestTo } from './requests.ts';
import { openTarget, type Target } from './target.ts';

const inFlight = 8;
const urlBytes = 7_000;

interface FuzzReport {
  readonly requests: number;
  readonly byStatus: Record<string, number>;
  /** One for each operation that gave a 500, or an answer that the document does not describe. */
  readonly failures: readonly string[];
  /** The longest tick of the service's main thread, in milliseconds of processor time. */
  readonly worstTurnMs: number;
}

/** Sends `count` generated requests, the same number to each operation. */
export async function fuzz(count: number, seed: number): Promise<FuzzReport> {
  const t = await openTarget({ NAMEHOLD_WAIT_MS: '2000' });
  try {
    const ids = await someIds(t);
    await warmUp(t);
    await t.service.watchStalls();
    // Deleting operations come last, so that the others have objects to work on.
    const operations = operationsOf(t.openApi).sort(
      (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    );
    const each = Math.ceil(count / operations.length);
    const byStatus: Record<string, number> = {};
    const failures = new Map<string, string>();
    let requests = 0;
    for (const [index, operation] of operations.entries()) {
      const made = fc.sample(requestTo(operation, ids), { numRuns: each, seed: seed + index });
      for (let at = 0; at < made.length; at += inFlight) {
        const answered = await Promise.all(made.slice(at, at + inFlight).map((one) => sendOne(t, one)));
        for (const answer of answered) {
          const status = typeof answer === 'string' ? 'failed' : answer.status;
          byStatus[status] = (byStatus[status] ?? 0) + 1;
          if (typeof answer === 'string') failures.getOrInsert(`${operation.method} ${operation.path}`, answer);
        }
        requests += answered.length;
      }
    }
    // The service still works, and no caller gained rights.
    expect((await t.call('GET', '/v1/account/profile')).status).toBe(200);
    const { worstTurnMs } = t.service;
    expect(t.service.isAlive).toBe(true);
    const resellers = await t.call('GET', '/v1/resellers', { as: t.operator });
    // The object made for it may have been deleted by an earlier request; the demo reseller is in use and stays.
    expect(resellers.text).toContain('"reseller_id":"1000"');
    return { requests, byStatus, failures: [...failures.values()], worstTurnMs };
  } finally {
    await t.stop();
  }
}

/** Code that has never run is compiled in its first tick. The test measures the cost of a request, not of a start. */
async function warmUp(t: Target): Promise<void> {
  for (let round = 0; round < 30; round++) {
    await Promise.all(
      ['/v1/account/profile', '/v1/customers', '/v1/domains', '/v1/tlds', '/v1/account/keys', '/v1/events'].map(
        (path) => t.call('GET', path),
      ),
    );
  }
}

async function sendOne(t: Target, made: FuzzRequest): Promise<Called | string> {
  const options = optionsOf(made);
  const context = `${made.operation.method} ${made.target} ${JSON.stringify(options).slice(0, 3_000)}`;
  try {
    const called = await t.call(made.operation.method, `/v1${made.target}`, {
      ...options,
      as: made.isOperator ? t.operator : t.demo,
    });
    expect(called.status, called.text.slice(0, 500)).not.toBe(500);
    expect(called.status, 'a status at all').toBeLessThan(600);
    return called;
  } catch (error) {
    return `${context}\n${(error as Error).message}`;
  }
}

function optionsOf({ encoding, fields, headers, raw }: FuzzRequest): CallOptions {
  if (encoding === 'json') return { json: fields, headers };
  if (encoding === 'raw') return { raw: { type: 'text/dns', body: raw.toWellFormed() }, headers };
  const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
  if (encoding === 'form') return { form: texts, headers };
  if (encoding === 'multipart') return { multipart: texts, headers };
  const query = new URLSearchParams(texts).toString();
  return { query: query.slice(0, urlBytes), headers };
}

function textOf(value: unknown): string {
  const text =
    typeof value === 'string' ? value : typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value);
  return text.toWellFormed();
}

/** Existing objects, so that generated requests pass the first look-up; never the key or the account in use. */
export async function someIds(t: Pick<Target, 'call' | 'operator'>): Promise<Record<string, readonly string[]>> {
  const [customer, other] = [await makeCustomer(t), await makeCustomer(t)];
  const contact = await makeContact(t, customer);
  const made = await t.call('POST', '/v1/resellers', {
    form: person({ email: 'fuzz@reseller.example', password: 'a long enough one', selling_currency: 'USD' }),
    as: t.operator,
  });
  expect(made.status, made.text).toBe(200);
  const reseller = made.body.reseller_id as string;
  const key = await t.call('POST', '/v1/account/keys', { json: { label: 'fuzz', ip_whitelist: ['127.0.0.1'] } });
  const bought = await t.call('POST', '/v1/domains', {
    form: {
      domain_name: 'fuzzed.com',
      customer_id: customer,
      years: '1',
      invoice_option: 'no_invoice',
      registrant_contact_id: contact,
      admin_contact_id: contact,
      tech_contact_id: contact,
      billing_contact_id: contact,
    },
  });
  // A busy machine answers 202; the domain exists all the same.
  expect([200, 202], bought.text).toContain(bought.status);
  return {
    domain_id: [bought.body.domain_id as string, 'fuzzed.com'],
    customer_id: [customer, other],
    contact_id: [contact],
    registrant_contact_id: [contact],
    admin_contact_id: [contact],
    tech_contact_id: [contact],
    billing_contact_id: [contact],
    reseller_id: [reseller],
    key_id: [key.body.key_id as string],
  };
}
