import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { openVault } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import type { AppContext } from '../../src/core/app-context.ts';
import { registeredEffects } from '../../src/core/composition/effects.ts';
import { createDemoAccounts } from '../../src/core/composition/first-accounts.ts';
import { type App, buildApp } from '../../src/http/app.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { Answer } from '../../src/http/route.ts';
import { billingRoutes } from '../../src/http/v1/billing/index.ts';
import { type TestContext, testContext } from './context.ts';

/** Only the routes of billing, with the accounts of a first start. */
export interface Billing {
  readonly t: TestContext;
  readonly ctx: AppContext;
  readonly app: App;
  readonly demo: string;
  readonly operator: string;
  /** Of the demo reseller. */
  readonly customer: string;
  close(): Promise<void>;
}

export async function openBilling(): Promise<Billing> {
  const t = await testContext();
  const config = readConfig({ NAMEHOLD_DATA_DIR: tmpdir() });
  const ctx = { ...t.ctx, config, vault: openVault(randomBytes(32)), effects: registeredEffects() };
  const { demo, operator } = await createDemoAccounts(ctx);
  const app = buildApp({
    ctx,
    routes: billingRoutes,
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    load: { shares: () => ({ turn: 0, reading: 0, writing: 0, memory: 0 }) },
    unreadyReason: async () => undefined,
    answerOperation: async () => new Answer({}),
  });
  return {
    t,
    ctx,
    app,
    demo: `${demo.resellerId}:${demo.apiKey}`,
    operator: `${operator.resellerId}:${operator.apiKey}`,
    customer: await customerOf(t, demo.resellerId),
    async close() {
      await app.close();
      await t.close();
    },
  };
}

export async function customerOf(t: TestContext, resellerId: string): Promise<string> {
  const row = await t.db.transaction(allTenants, (tx) =>
    tx.one<{ id: string }>(sql`
      insert into customer (reseller_id, email, name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no,
                            currency, password_hash, created_at)
      values (${resellerId}, ${`c${resellerId}@example.com`}, 'C', 'C', 'Street 1', 'City', 'State', 'US', '12345', '1', '5551234', 'USD', 'x', now())
      returning id`),
  );
  return row.id;
}
