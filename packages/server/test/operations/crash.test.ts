import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock, systemIds } from '@namehold/base';
import { allTenants, type Database, migrate, sql } from '@namehold/postgres';
import { type Cluster, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRestricted } from '../../../../test/support/database.ts';
import type { AppContext } from '../../src/core/app-context.ts';
import { Engine } from '../../src/core/operations/engine.ts';
import { journalPrepared } from '../../src/core/operations/journal.sql.ts';
import type { Found, Run, WorkflowResult, Workflows } from '../../src/core/operations/run.ts';
import type { CommandContext, Registry, Reply } from '../../src/core/ports/registry.ts';

/** A database of its own with asynchronous commits delayed as far as possible, so that a crash shows what was not on disk. */
const folder = mkdtempSync(join(tmpdir(), 'namehold-crash-'));
const lazy = { wal_writer_delay: '10000ms', max_connections: '40' };
let cluster: Cluster;
let db: Database;

beforeAll(async () => {
  cluster = await openCluster({ folder, settings: lazy });
  await ensureDatabase(cluster, 'namehold');
  const url = cluster.url('namehold');
  await migrate({ url, folder: join(import.meta.dirname, '../../src/schema') });
  db = await openRestricted(url);
  await db.transaction(allTenants, async (tx) => {
    await tx.run(sql`
      insert into reseller (id, parent_id, email, name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no,
                            selling_currency, accounting_currency, created_at)
      values (1, null, 'a@example.com', 'Test', 'Test', 'Street 1', 'City', 'State', 'US', '12345', '1', '5551234', 'USD', 'USD', now())`);
    await tx.run(sql`
      insert into registry (id, profile, host, port, client_id, secrets_sealed, created_at)
      values ('wire', '{}', 'localhost', 700, 'us', '', now())`);
  });
});
afterAll(async () => {
  await db.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** SIGQUIT is PostgreSQL's immediate shutdown: nothing is flushed, the next start recovers from the log. */
async function crash(): Promise<void> {
  process.kill(cluster.pid, 'SIGQUIT');
  while (cluster.isRunning()) await sleep(20);
  cluster = await openCluster({ folder, settings: lazy });
}

/** Like real commands. */
async function journal(context: CommandContext): Promise<string> {
  const clTRID = systemIds.next('nh');
  await journalPrepared(db, {
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
    mayBeUnjournaled: context.pendingAnswers !== undefined,
  });
  return clTRID;
}

/** A process with an engine of its own; its commands are journalled, and their answers are lost. */
function processOn(name: string, sent: string[], gate: Promise<void>, queried: string[] = []): Engine {
  const send = async (context: CommandContext): Promise<Reply<null>> => {
    const clTRID = await journal(context);
    sent.push(name);
    return { kind: 'unknown', why: 'no answer', evidence: { clTRID } };
  };
  const ask = async (): Promise<Found<null>> => {
    queried.push(name);
    return { kind: 'unknown', why: 'nobody answers' };
  };
  return engineOf(name, async (run) => {
    await gate;
    const reply = await run.command('probe', send, ask);
    return reply.kind === 'unknown' ? { kind: 'unknown', why: reply.why } : { kind: 'unsent', why: reply.kind };
  });
}

function engineOf(name: string, run: (run: Run) => Promise<WorkflowResult>): Engine {
  const workflow = { kind: 'probe', run };
  const engine = new Engine({ probe: workflow } as unknown as Workflows, name);
  engine.bind({
    config: { leaseMs: 60_000 },
    db,
    wall: systemClock,
    clock: systemClock,
    ids: systemIds,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    failpoint: () => undefined,
    registries: {
      of: async () => ({ id: 'wire' }) as Registry,
      isReachable: () => true,
      hasFreeSession: async () => true,
      close: async () => {},
    },
    engine,
  } as unknown as AppContext);
  return engine;
}

async function place(): Promise<string> {
  const id = systemIds.next('op');
  await db.transaction(allTenants, (tx) =>
    tx.run(sql`
      insert into operation (id, reseller_id, kind, registry_id, request, state, due_at, created_at, updated_at)
      values (${id}, 1, 'probe', 'wire', '{}', 'intended', now(), now(), now())`),
  );
  return id;
}

test('sends a command once although a database crash removed the claim of the sending process', async () => {
  const id = await place();
  const sent: string[] = [];
  const { promise: pause, resolve: resume } = Promise.withResolvers<void>();
  const first = processOn('first', sent, pause).start(id);
  while ((await claimed(id)) !== 'first') await sleep(20);
  await crash();
  // Precondition of this test: the claim was not on disk.
  expect(await claimed(id)).toBeNull();
  await processOn('second', sent, Promise.resolve()).start(id);
  expect(sent).toEqual(['second']);
  resume();
  await first;
  expect(sent).toEqual(['second']);
});

test('decides by the journal, not by the number of attempts, whether a command may have been sent', async () => {
  const id = await place();
  await processOn('first', [], Promise.resolve()).start(id);
  await db.transaction(allTenants, (tx) => tx.run(sql`update operation set attempts = 0 where id = ${id}`));
  const [sent, queried]: [string[], string[]] = [[], []];
  await processOn('second', sent, Promise.resolve(), queried).start(id);
  expect({ sent, asked: queried }).toEqual({ sent: [], asked: ['second'] });
});

test('queries the registry after a crash removed a journal row, and keeps the rows that must be durable', async () => {
  const id = await place();
  const { promise: pause, resolve: resume } = Promise.withResolvers<void>();
  const [sent, queried]: [string[], string[]] = [[], []];
  const answered: Reply<null> = { kind: 'done', data: null, pending: false, evidence: {} };
  const both = (name: string, gate: Promise<void>) =>
    engineOf(name, async (run) => {
      for (const [step, nature] of [['probe', 'durable'] as const, ['lock', 'non_durable'] as const])
        await run.command(
          step,
          async (context) => {
            await journal(context);
            sent.push(`${name} ${step}`);
            return answered;
          },
          async (): Promise<Found<null>> => {
            queried.push(`${name} ${step}`);
            return name === 'first' ? { kind: 'never' } : { kind: 'done', data: null };
          },
          nature,
        );
      await gate;
      return { kind: 'done', outcome: {}, settle: async () => undefined };
    });
  const steps = async () =>
    (
      await db
        .as(allTenants)
        .many<{ step: string }>(sql`select step from registry_command where operation_id = ${id} order by prepared_at`)
    ).map(({ step }) => step);
  const first = both('first', pause).start(id);
  while (sent.length < 2) await sleep(20);
  expect(await steps()).toEqual(['probe', 'lock']);
  await crash();
  // Precondition of this test: only the row of the second command that must be durable was on disk.
  await expect.poll(() => steps().catch(() => undefined)).toEqual(['probe']);
  await db.autocommit(allTenants).run(sql`update operation set leased_until = null where id = ${id}`);
  await both('second', Promise.resolve()).start(id);
  resume();
  await first;
  // The first process knows that its journal is complete, because the missing row was never there.
  expect({ sent, asked: queried }).toEqual({
    sent: ['first probe', 'first lock'],
    asked: ['second probe', 'second lock'],
  });
  const { state } = await db.as(allTenants).one<{ state: string }>(sql`select state from operation where id = ${id}`);
  expect(state).toBe('done');
});

async function claimed(id: string): Promise<string | null> {
  const row = await db
    .as(allTenants)
    .one<{ lease_owner: string | null }>(sql`select lease_owner from operation where id = ${id}`)
    .catch(() => ({ lease_owner: '' }));
  return row.lease_owner;
}
