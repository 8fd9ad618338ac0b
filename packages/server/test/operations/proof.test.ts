import { money, systemClock } from '@namehold/base';
import { allTenants, sql, type Tx } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppContext } from '../../src/core/app-context.ts';
import { balance } from '../../src/core/ledger/balance.ts';
import { capture } from '../../src/core/ledger/capture.ts';
import { holdBilled } from '../../src/core/ledger/hold.ts';
import { release } from '../../src/core/ledger/release.ts';
import type { Operation } from '../../src/core/model/operation.ts';
import { decideOperation } from '../../src/core/operations/decide.ts';
import { Engine } from '../../src/core/operations/engine.ts';
import { journalAnswered, journalPrepared, journalUnsent } from '../../src/core/operations/journal.sql.ts';
import { operationChannel } from '../../src/core/operations/notify.sql.ts';
import { dueOperations } from '../../src/core/operations/operation.sql.ts';
import { type DomainOrder, placeOperation } from '../../src/core/operations/order.ts';
import type { Found, Run, WorkflowResult, Workflows } from '../../src/core/operations/run.ts';
import type { CommandContext, Registry, Reply } from '../../src/core/ports/registry.ts';
import { onResumeNotify, resumeOperations } from '../../src/jobs/resume-operations.ts';
import { actorOf, type TestContext, testContext } from '../ledger/context.ts';

/** The engine alone on a real database, with a workflow for each test. */
let t: TestContext;
let ctx: AppContext;
let script: (run: Run) => Promise<WorkflowResult>;
let buyer: string;
/** Whether this process has a session, or could get one. */
let hasFreeSession = true;
const workflow = {
  kind: 'probe',
  run: (run: Run) => script(run),
  cancel: async (at: AppContext, tx: Tx, operation: Operation) =>
    void (await release(at, tx, { operationId: operation.id })),
};
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  buyer = await t.reseller('1');
  await t.fund(buyer, 100_00n);
  for (const id of ['wire', 'silent'])
    await t.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        insert into registry (id, profile, host, port, client_id, secrets_sealed, created_at)
        values (${id}, '{}', 'localhost', 700, 'us', '', now())`),
    );
  const engine = new Engine({ probe: workflow } as unknown as Workflows, 'proof-test');
  ctx = {
    ...t.ctx,
    wall: systemClock,
    config: { leaseMs: 60_000 },
    registries: {
      of: async (id: string) => ({ id }) as Registry,
      isReachable: () => true,
      hasFreeSession: async () => hasFreeSession,
      hasSession: async () => hasFreeSession,
      close: async () => {},
    },
    engine,
  } as unknown as AppContext;
  engine.bind(ctx);
});
afterAll(() => t.close());

const operator = actorOf('1');

/** A kind without a subject that the table of kinds does not contain. */
const probe = { kind: 'probe', request: {} } as unknown as Pick<DomainOrder<'repair'>, 'kind' | 'request' | 'domainId'>;

async function place(options: { isPaid?: boolean; registryId?: string } = {}): Promise<string> {
  return ctx.db.transaction(buyer, (tx) =>
    placeOperation(ctx, tx, actorOf(buyer), {
      ...probe,
      registryId: options.registryId ?? 'wire',
      holdMoney: async (operationId) =>
        options.isPaid === false
          ? undefined
          : holdBilled(ctx, tx, {
              levels: [{ resellerId: buyer, sellerId: '1', amount: money(5_00n, 'USD') }],
              operationId,
              action: 'create',
              years: 1,
              description: 'probe',
            }),
    }),
  );
}

const read = (id: string) =>
  ctx.db.as(allTenants).one<Operation>(sql`
    select id, state, proof, attention, setbacks, attempts, due_at from operation where id = ${id}`);
const held = async () => (await balance(t.db.as(buyer), buyer, buyer, 'USD')).held.amount;
const alarm = (id: string) =>
  ctx.db
    .as(allTenants)
    .maybe<{ severity: string }>(
      sql`select severity from alarm where key = ${`operation:${id}`} and cleared_at is null`,
    );

/** A command as the pool journals it, with this answer; without one it stays as it was sent. */
const send =
  (code: number | 'unsent' | undefined) =>
  async (context: CommandContext): Promise<Reply<null>> => {
    const clTRID = ctx.ids.next('nh');
    await journalPrepared(ctx.db, {
      clTRID,
      registryId: 'wire',
      operationId: context.operationId!,
      step: context.step!,
      fence: context.fence!,
      object: 'domain',
      verb: 'create',
      name: null,
      encryptedFrame: '',
      frameSha256: '',
      at: new Date(),
    });
    if (code === undefined) return { kind: 'unknown', why: 'timeout', evidence: { clTRID } };
    if (code === 'unsent') {
      await journalUnsent(ctx.db, clTRID, new Date());
      return { kind: 'unsent', why: 'no connection' };
    }
    const at = new Date();
    await journalAnswered(ctx.db, { clTRID, code, svTRID: null, sealed: null, sentAt: at, at });
    if (code >= 2000) return { kind: 'refused', evidence: { clTRID, code } };
    return { kind: 'done', data: null, pending: code === 1001, evidence: { clTRID, code } };
  };
const says = (kind: Found<null>['kind']) => async (): Promise<Found<null>> =>
  kind === 'done' ? { kind, data: null } : kind === 'never' ? { kind } : { kind: 'unknown', why: 'no word' };
const done = (run: Run, more: object = {}): WorkflowResult => ({
  kind: 'done',
  outcome: {},
  ...more,
  settle: async (tx) => void (await capture(ctx, tx, { operationId: run.operation.id })),
});
const refused = (run: Run): WorkflowResult => ({
  kind: 'refused',
  evidence: { text: 'no' },
  settle: async (tx) => void (await release(ctx, tx, { operationId: run.operation.id })),
});
async function run(id: string, work: typeof script): Promise<Operation> {
  script = work;
  await ctx.engine.start(id);
  return read(id);
}

test.each([
  ['answered', async (r: Run) => void (await r.command('probe', send(1000), says('never'))), {}],
  ['found', async (r: Run) => void (await r.command('probe', send(undefined), says('done'))), {}],
  ['nothing_sent', async () => {}, { proof: 'nothing_sent' }],
])('settles an operation as done with its proof: %s', async (proof, work, more) => {
  const id = await place();
  const after = await run(id, async (r) => {
    await work(r);
    return done(r, more);
  });
  expect(after).toMatchObject({ state: 'done', proof });
  expect(await held()).toBe(0n);
});

test('settles an operation as done by the journal when the earlier attempt was executed', async () => {
  const id = await place();
  await run(id, async (r) => {
    await r.command('probe', send(undefined), says('unknown'));
    return { kind: 'unknown', why: 'no word' };
  });
  const after = await run(id, async (r) => done(r, { proof: 'nothing_sent' }));
  expect(after).toMatchObject({ state: 'done', proof: 'found' });
  expect(await held()).toBe(0n);
});

test.each([
  ['yes', 1000, 'done', { state: 'done', proof: 'found' }],
  ['no', 2306, 'never', { state: 'refused', proof: null }],
] as const)(
  'queries the registry again when a crash removed a %s from the database',
  async (_about, code, found, end) => {
    const id = await place();
    const first = await run(id, async (r) => {
      await r.command('probe', send(code), says('unknown'));
      // The rows that were not flushed are gone.
      await ctx.db.transaction(allTenants, (tx) =>
        tx.run(sql`
        update registry_command set state = 'prepared', result_code = null, sent_at = null, answered_at = null
        where operation_id = ${id}`),
      );
      return code === 1000 ? done(r) : { ...refused(r), evidence: { code } };
    });
    expect(first).toMatchObject({ state: 'unknown', proof: null });
    expect(await alarm(id)).toBeUndefined();
    expect(await held()).toBe(5_00n);
    const second = await run(id, async (r) => {
      const reply = await r.command('probe', send(code), says(found));
      return reply.kind === 'done' ? done(r) : { ...refused(r), evidence: { code } };
    });
    expect(second).toMatchObject(end);
    expect(await held()).toBe(0n);
  },
);

test('waits after "accepted for review", which is no proof, and settles when the registry shows it done', async () => {
  const id = await place();
  const first = await run(id, async (r) => {
    await r.command('probe', send(1001), says('never'));
    return { kind: 'waiting', why: 'review' };
  });
  expect(first.state).toBe('waiting_registry');
  const second = await run(id, async (r) => {
    await r.command('probe', send(1000), says('done'));
    return done(r);
  });
  expect(second).toMatchObject({ state: 'done', proof: 'found' });
});

test('requires a manual decision, with an alarm and no further attempts, if no command explains the result', async () => {
  const id = await place();
  const after = await run(id, async (r) => {
    // The success of another step does not count.
    await r.command('contact', send(1000), says('never'));
    return done(r);
  });
  expect(after).toMatchObject({ state: 'action_required', proof: null });
  expect(after.attention?.choices).toEqual(['done', 'refused', 'ask_again']);
  expect((await alarm(id))?.severity).toBe('critical');
  expect(await held()).toBe(5_00n);
  await ctx.db.transaction(allTenants, (tx) => tx.run(sql`update operation set due_at = now() where id = ${id}`));
  const due = await dueOperations(ctx.db.as(allTenants), { perRegistry: 100, all: 100 });
  expect(due.map((each) => each.id)).not.toContain(id);
  expect((await run(id, async (r) => refused(r))).state).toBe('action_required');

  script = async (r) => {
    const reply = await r.command('probe', send(1000), async () =>
      r.isDecidedDone ? { kind: 'done', data: null } : { kind: 'unknown', why: 'unexplained' },
    );
    return reply.kind === 'done' ? done(r) : { kind: 'unknown', why: reply.kind };
  };
  await decideOperation(ctx, operator, id, { says: 'done', reason: 'seen at the registry' });
  expect(await read(id)).toMatchObject({ state: 'done', proof: 'operator', attention: null });
  expect(await alarm(id)).toBeUndefined();
  expect(await held()).toBe(0n);
});

test('releases the money when the operator settles an operation as refused', async () => {
  const id = await place();
  await run(id, async (r) => {
    await r.command('probe', send(undefined), says('unknown'));
    return { kind: 'unknown', why: 'no word' };
  });
  await decideOperation(ctx, operator, id, { says: 'refused', reason: 'the registry says that it has nothing' });
  expect((await read(id)).state).toBe('refused');
  expect(await held()).toBe(0n);
});

test.each([
  ['was carried out', 1000],
  ['may have been carried out', undefined],
])('does not settle an operation as refused if its command %s', async (_, code) => {
  const id = await place();
  const after = await run(id, async (r) => {
    await r.command('probe', send(code), says('unknown'));
    return refused(r);
  });
  expect(after.state).toBe('action_required');
  await decideOperation(ctx, operator, id, { says: 'refused', reason: 'test' });
});

test('waits and does not resend when the registry answered with success and does not show the result', async () => {
  const id = await place();
  await run(id, async (r) => {
    await r.command('probe', send(1000), says('never'));
    throw new Error('the process fails before it settles');
  });
  let sent = 0;
  const after = await run(id, async (r) => {
    const reply = await r.command(
      'probe',
      (context) => {
        sent += 1;
        return send(1000)(context);
      },
      says('never'),
    );
    return { kind: 'unknown', why: reply.kind };
  });
  expect({ state: after.state, sent }).toEqual({ state: 'unknown', sent: 0 });
  await decideOperation(ctx, operator, id, { says: 'refused', reason: 'test' });
});

test('lengthens the delay after failures of the registry, not after internal errors', async () => {
  const id = await place({ isPaid: false });
  for (let n = 0; n < 6; n++) {
    await run(id, async () => {
      throw new Error('ours');
    });
  }
  const ours = await read(id);
  expect(ours).toMatchObject({ setbacks: 0, attempts: 6, state: 'intended' });
  expect((await run(id, async () => ({ kind: 'unsent', why: 'not reachable' }))).setbacks).toBe(1);
  expect((await run(id, async () => ({ kind: 'unknown', why: 'silence' }))).setbacks).toBe(2);
});

test('keeps the state "sent" and does not return to "intended"', async () => {
  const id = await place({ isPaid: false });
  const unsent = await run(id, async (r) => {
    await r.command('contact', send('unsent'), says('never'));
    return { kind: 'unsent', why: 'no connection' };
  });
  expect(unsent.state).toBe('intended');
  const after = await run(id, async (r) => {
    await r.command('contact', send(1000), says('never'));
    return { kind: 'unsent', why: 'no connection' };
  });
  expect(after.state).toBe('sent');
});

test('hands work over to the process with a session, without counting an attempt or moving money', async () => {
  const lent = () =>
    ctx.db.as(allTenants).one(sql`
      select count(*) filter (where lease_owner is not null)::int as leased, bool_and(due_at <= now()) as is_due from operation where id = ${id}`);
  const id = await place();
  const before = await held();
  hasFreeSession = false;
  await resumeOperations(ctx);
  expect(await run(id, () => Promise.reject(new Error('nothing is tried')))).toMatchObject({
    state: 'intended',
    attempts: 0,
    setbacks: 0,
  });
  expect(await lent()).toEqual({ leased: 0, is_due: true });
  expect(await held()).toBe(before);
  // The session was lost on the way: the state sent stays, and the next process with a session continues.
  hasFreeSession = true;
  const half = await run(id, async (r) => {
    await r.command('contact', send(1000), says('never'));
    hasFreeSession = false;
    return { kind: 'unsent', why: 'no session' };
  });
  expect(half).toMatchObject({ state: 'sent', attempts: 1, setbacks: 0 });
  expect(await lent()).toEqual({ leased: 0, is_due: true });
  hasFreeSession = true;
  const unsent = await run(id, async () => ({ kind: 'unsent', why: 'no connection' }));
  expect(unsent).toMatchObject({ state: 'sent', attempts: 2, setbacks: 1 });
  await ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update operation set due_at = now() + interval '1 hour' where id = ${id}`),
  );
});

test('notifies processes that have a session of due work, and waiting processes of its completion', async () => {
  const line = new pg.Client({ connectionString: t.ownerUrl });
  await line.connect();
  await line.query(`listen ${operationChannel}`);
  const notifications: string[] = [];
  line.on('notification', ({ payload = '' }) => void notifications.push(payload));
  const notified = async () => {
    // Earlier notifications arrive before the answer.
    await line.query('select 1');
    return notifications.splice(0);
  };
  const id = await place({ isPaid: false });
  script = async () => ({ kind: 'done', outcome: {}, settle: async () => {} });
  hasFreeSession = false;
  // Whichever process runs it, this one waits.
  const waiting = ctx.engine.startAndWait(buyer, id, 600_000);
  await expect.poll(notified).toEqual([`due wire ${id}`]);
  await onResumeNotify(ctx, `due wire ${id}`);
  expect(await read(id)).toMatchObject({ state: 'intended', attempts: 0 });
  hasFreeSession = true;
  await onResumeNotify(ctx, `due wire ${id}`);
  await expect.poll(notified).toEqual([`over ${id}`]);
  await onResumeNotify(ctx, `over ${id}`);
  expect(await waiting).toMatchObject({ id, state: 'done', attempts: 1 });
  await line.end();
});

test('resumes other operations while some hang', async () => {
  const { promise: never, resolve: release } = Promise.withResolvers<void>();
  const stuck = await Promise.all(Array.from({ length: 20 }, () => place({ isPaid: false, registryId: 'silent' })));
  const well = await Promise.all(Array.from({ length: 5 }, () => place({ isPaid: false })));
  await ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update operation set due_at = now() - interval '1 minute' where id = any (${stuck}::text[])`),
  );
  await ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update operation set due_at = now() where id = any (${well}::text[])`),
  );
  const settled: string[] = [];
  const { promise: allWell, resolve } = Promise.withResolvers<void>();
  script = async (r) => {
    if (r.operation.registry_id === 'silent') await never;
    else settled.push(r.operation.id);
    if (settled.length === well.length) resolve();
    return { kind: 'done', outcome: {}, settle: async () => {} };
  };
  await resumeOperations(ctx);
  await allWell;
  expect(settled.sort()).toEqual([...well].sort());
  release();
  await ctx.engine.drain();
});
