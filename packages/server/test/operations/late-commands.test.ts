import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import type { AppContext } from '../../src/core/app-context.ts';
import { domainWorkflows } from '../../src/core/composition/workflows.ts';
import { orderPurchase } from '../../src/core/domains/buy/order-purchase.ts';
import { restore } from '../../src/core/domains/buy/restore.ts';
import { orderDeletion } from '../../src/core/domains/end/delete.ts';
import { Engine } from '../../src/core/operations/engine.ts';
import { journalPrepared, journalUnknown } from '../../src/core/operations/journal.sql.ts';
import type { CommandContext, Registry, Reply } from '../../src/core/ports/registry.ts';
import { actor, lifeOf } from '../domains/life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_LEASE_MS: '120000' } });
  life = lifeOf(t);
});
afterAll(async () => {
  await life.ledgerIsSound();
  await life.expectReconciled();
  await t.stop();
});

/** The first command is journalled and delayed on its way; it arrives just before the second one. */
async function contextWithLate(hold: (real: Registry, late: Late) => Partial<Registry>): Promise<AppContext> {
  const real = await t.ctx.registries.of('sandbox');
  let isFirst = true;
  const late: Late = async (context, deliver, second) => {
    if (!isFirst) {
      await deliver();
      return second();
    }
    isFirst = false;
    const clTRID = t.ctx.ids.next('nh');
    await journalPrepared(t.ctx.db, {
      clTRID,
      registryId: real.id,
      operationId: context.operationId!,
      step: context.step!,
      fence: context.fence!,
      object: 'domain',
      verb: 'update',
      name: null,
      encryptedFrame: '',
      frameSha256: '',
      at: new Date(),
    });
    await journalUnknown(t.ctx.db, clTRID, new Date(), new Date());
    return { kind: 'unknown', why: 'timeout', evidence: { clTRID } };
  };
  const registry: Registry = { ...real, ...hold(real, late) };
  const engine = new Engine(domainWorkflows, `late-${t.ctx.ids.next('e')}`);
  const ctx: AppContext = {
    ...t.ctx,
    engine,
    registries: {
      tldFields: t.ctx.registries.tldFields,
      of: async () => registry,
      isReachable: () => true,
      hasFreeSession: async () => true,
      isSessionLimitReached: async () => false,
      hasSession: async () => true,
      close: async () => {},
    },
  };
  engine.bind(ctx);
  return ctx;
}
type Late = (
  context: CommandContext,
  deliver: () => Promise<unknown>,
  second: () => Promise<Reply<null>>,
) => Promise<Reply<null>>;

const read = (id: string) =>
  t.ctx.db
    .as(allTenants)
    .one<{ state: string; proof: string }>(sql`select state, proof from operation where id = ${id}`);

test('settles a late delete as done, although the repeated delete was refused', async () => {
  await life.buy('late-delete.com');
  t.moveClock('+30d');
  const ctx = await contextWithLate((real, late) => ({
    remove: (name, context) =>
      late(
        context,
        () => real.remove(name, { priority: 'money' }),
        () => real.remove(name, context),
      ),
  }));
  const id = await orderDeletion(ctx, actor, { domain: 'late-delete.com', customerId: undefined });
  await ctx.engine.start(id);
  expect(await read(id)).toEqual({ state: 'done', proof: 'found' });
  expect((await life.row('late-delete.com')).state).toBe('redemption');
});

test('settles a late restore as done and captures the money once, although the repeat was refused', async () => {
  const before = await life.balance();
  const ctx = await contextWithLate((real, late) => ({
    restore: (name, fee, context) =>
      late(
        context,
        () => real.restore(name, fee, { priority: 'money' }),
        () => real.restore(name, fee, context),
      ),
  }));
  const id = await orderPurchase(ctx, actor, restore, {
    domain: 'late-delete.com',
    customerId: undefined,
    guard: {},
  });
  await ctx.engine.start(id);
  expect(await read(id)).toEqual({ state: 'done', proof: 'found' });
  expect((await life.row('late-delete.com')).state).toBe('live');
  const after = await life.balance();
  expect(after.held).toBe(0n);
  expect(after.available).toBeLessThan(before.available);
});
