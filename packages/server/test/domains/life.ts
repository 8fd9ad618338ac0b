import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import type { TestService } from '../../../../test/support/service.ts';
import type { Actor } from '../../src/core/app-context.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';

/** Steps that the tests of a domain's life cycle share. */
export const orderOf = (name: string, more: Record<string, string> = {}) => ({
  domain_name: name,
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3001',
  tech_contact_id: '3001',
  billing_contact_id: '3001',
  invoice_option: 'no_invoice',
  ...more,
});

/** The actor of the purchases, for calls that bypass the request pipeline. */
export const actor: Actor = {
  resellerId: '1000',
  keyId: null,
  address: '127.0.0.1',
  requestId: 'test',
  scopes: ['full'],
  isOperator: false,
};

interface DomainRow {
  readonly id: string;
  readonly registry_id: string;
  readonly state: string;
  readonly removed_reason: string | null;
  readonly end_date: Date;
  readonly registry_expires_at: Date;
  readonly registry_created_at: Date;
  readonly grace_ends_at: Date | null;
  readonly redemption_ends_at: Date | null;
  readonly last_renewed_at: Date | null;
  readonly privacy_until: Date | null;
  readonly synced_at: Date | null;
  readonly rgp_status: string[];
  readonly registry_status: string[];
  readonly unpaid: boolean;
}

export function lifeOf(t: TestService) {
  const db = () => t.ctx.db.as(allTenants);
  return {
    async buy(name: string, more: Record<string, string> = {}): Promise<string> {
      const called = await t.call('POST', '/v1/domains', { form: orderOf(name, more) });
      expect(called.status, called.text).toBe(200);
      return called.body.domain_id as string;
    },
    row: (name: string) => db().one<DomainRow>(sql`select * from domain where name = ${name} order by id desc limit 1`),
    renew: async (name: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) => {
      const { end_date } = await db().one<{ end_date: Date }>(
        sql`select end_date from domain where name = ${name} order by id desc limit 1`,
      );
      const form = {
        years: '1',
        current_date: end_date.toISOString().slice(0, 10),
        invoice_option: 'no_invoice',
        ...more,
      };
      return t.call('POST', `/v1/domains/${name}/renew`, { form, headers });
    },
    balance: async () => {
      const row = await db().one<{ available: string; held: string }>(sql`
        select (select balance from ledger_account where reseller_id = 1000 and kind = 'available') as available,
               coalesce((select balance from ledger_account where reseller_id = 1000 and kind = 'held'), 0) as held`);
      return { available: BigInt(row.available), held: BigInt(row.held) };
    },
    events: async (name: string) => {
      const rows = await db().many<{ type: string }>(
        sql`select type from event where payload->>'domain_name' = ${name} and type like 'domain.%' order by number`,
      );
      return rows.map((row) => row.type);
    },
    count: async (table: 'domain' | 'operation' | 'drift' | 'poll_message') => {
      const { n } = await db().one<{ n: string }>(sql`select count(*) as n from ${sql.raw(table)}`);
      return Number(n);
    },
    statement: async (name: string): Promise<string[]> => {
      const { body } = await t.control('GET', `/statement?client=namehold&domain=${name}`);
      return body.entries.map(
        (e: { kind: string; command: string; amount: string }) => `${e.kind} ${e.command} ${e.amount}`,
      );
    },
    /** The amount owed to the registry by our ledger, and by its statement. */
    async expectReconciled(besides = 0n): Promise<void> {
      const { owed } = await db().one<{ owed: string }>(sql`
        select coalesce(sum(e.amount), 0) as owed from ledger_entry e join ledger_account a on a.id = e.account_id
        where a.kind = 'registry_payable'`);
      const { body } = await t.control('GET', '/statement?client=namehold');
      const cents = (text: string) => BigInt(text.replace('.', ''));
      expect(BigInt(owed) + besides, 'our ledger against the account statement of the registry').toBe(
        cents(body.charged) - cents(body.refunded),
      );
    },
    async ledgerIsSound(): Promise<void> {
      const { differences } = await verifyLedger(t.ctx.db);
      expect(differences).toEqual([]);
    },
    /** The ledger agrees except for purchases that bypassed it, nothing is left on hold, and the service stops. */
    async end(besides = 0n): Promise<void> {
      await this.expectReconciled(besides);
      await this.ledgerIsSound();
      expect((await this.balance()).held).toBe(0n);
      await t.stop();
    },
  };
}
