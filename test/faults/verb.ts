import { expect } from 'vitest';
import type { RealCall, RealService } from '../support/process.ts';

type Call = (service: RealService, headers: Record<string, string>) => Promise<RealCall>;

/** A changing command, its preconditions, and how the registry shows that it was executed once. */
export interface Verb {
  readonly name: string;
  /** Prefixes of its failpoints: the operation's kind, and the registry command. */
  readonly kind: string;
  readonly step: string;
  /** Default: `org`. */
  readonly tld?: string;
  /** The same request can be repeated, so its Idempotency-Key must answer. */
  readonly isRepeatable: boolean;
  /** If the verb does not pass all failpoints of its kind. */
  readonly points?: readonly string[];
  /** External steps that it needs to end. */
  finish?(service: RealService, domain: string): Promise<void>;
  /** Default: `done`. */
  readonly endsAs?: 'cancelled' | 'nothing';
  /** The final state of the operation that continues it; most verbs begin one. */
  readonly goesOnFrom?: 'action_required' | 'done';
  /** Started by background jobs, which repeat it: a death before its order loses nothing. */
  readonly isOrderedByClock?: true;
  prepare(service: RealService, domain: string): Promise<void>;
  call(domain: string): Call;
  check(service: RealService, domain: string): Promise<void>;
}

export const order = (name: string): Record<string, string> => ({
  domain_name: name,
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3002',
  tech_contact_id: '3002',
  billing_contact_id: '3001',
  invoice_option: 'no_invoice',
});

export async function registered(service: RealService, domain: string): Promise<void> {
  const called = await service.call('POST', '/v1/domains', { form: order(domain) });
  expect(called.status, JSON.stringify(called.body)).toBe(200);
}

export async function registeredOnce(service: RealService, domain: string): Promise<void> {
  expect(await entries(service, domain, 'create')).toBe(1);
  expect(await detail(service, domain)).toMatchObject({ domain_name: domain });
  expect(await paidFor(service, domain)).toHaveLength(1);
}

interface Entry {
  readonly kind: string;
  readonly command: string;
}

/** Lines of the registry's statement. */
export async function entries(
  service: RealService,
  domain: string,
  command: string,
  { kind = 'charge', client = 'namehold' } = {},
): Promise<number> {
  const statement = (await service.control('GET', `/statement?client=${client}&domain=${domain}`)) as {
    entries: Entry[];
  };
  return statement.entries.filter((entry) => entry.kind === kind && entry.command.includes(command)).length;
}

export const detail = async (service: RealService, domain: string) =>
  (await service.call('GET', `/v1/domains/${domain}`)).body;

export async function paidFor(service: RealService, domain: string): Promise<{ description: string }[]> {
  const listed = await service.call('GET', '/v1/account/transactions?limit=100');
  return (listed.body as { description: string; status: string }[]).filter(
    ({ description, status }) => status === 'completed' && description.includes(domain),
  );
}

/** The number of events about it. */
export async function countEvents(
  service: RealService,
  domain: string,
  type: string,
  headers: Record<string, string> = {},
): Promise<number> {
  let count = 0;
  for (let query = `type=${type}`; ; ) {
    const { body } = await service.call('GET', `/v1/events?limit=1000&${query}`, { headers });
    const events = body.events as { payload: { domain_name?: string } }[];
    count += events.filter(({ payload }) => payload.domain_name === domain).length;
    if (!body.has_more) return count;
    query = `type=${type}&after=${body.next_after}`;
  }
}
