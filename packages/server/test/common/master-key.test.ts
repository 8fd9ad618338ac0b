import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareEnv } from '../../../../test/support/bare-env.ts';
import { program } from '../../../../test/support/program.ts';
import { projectRoot, startTestService, type TestService } from '../../../../test/support/service.ts';
import { encryptedColumns } from '../../src/core/vault/vault.sql.ts';

let t: TestService;
const keyFile = () => join(t.folder, 'master.key');
const keys = () => readFileSync(keyFile(), 'utf8').trim().split('\n');
const frame = '<domain:name>example.com</domain:name>'.repeat(20);
beforeAll(async () => {
  t = await startTestService();
  for (const id of ['r1', 'r2', 'r3'])
    await t.ctx.db.autocommit(allTenants).run(sql`
      insert into registry (id, profile, host, port, client_id, secrets_sealed, created_at)
      values (${id}, '{}', 'x', 1, 'x', ${t.ctx.vault.encrypt(`secret of ${id}`, `registry:${id}`)}, now())`);
  await t.ctx.db.autocommit(allTenants).run(sql`
    insert into registry_command (cltrid, registry_id, object, verb, frame_sealed, frame_sha256, state, prepared_at)
    values ('kept', 'r1', 'domain', 'create', ${t.ctx.vault.encryptCompressed(frame, 'command:kept')}, '', 'prepared', now())`);
  for (let n = 0; n < 1_200; n++)
    await t.ctx.db.autocommit(allTenants).run(sql`
      insert into poll_message (registry_id, message_id, received_at, kind, body_sealed)
      values ('r1', ${String(n)}, now(), 'x', ${t.ctx.vault.encrypt(`message ${n}`, `poll:r1:${n}`)})`);
});
afterAll(() => t.stop());

function namehold(args: string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [program, ...args], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...bareEnv(), DATABASE_URL: t.databaseUrl, NAMEHOLD_DATA_DIR: t.folder, ...env },
  });
}

async function expectAllDecrypt(): Promise<void> {
  const db = t.ctx.db.as(allTenants);
  for (const { id, secrets_sealed } of await db.many<{ id: string; secrets_sealed: string }>(
    sql`select id, secrets_sealed from registry where id like 'r_'`,
  ))
    expect(t.ctx.vault.open(secrets_sealed, `registry:${id}`)).toBe(`secret of ${id}`);
  const messages = await db.many<{ id: string; body_sealed: string }>(
    sql`select message_id as id, body_sealed from poll_message`,
  );
  const { frame_sealed } = await db.one<{ frame_sealed: string }>(
    sql`select frame_sealed from registry_command where cltrid = 'kept'`,
  );
  expect(frame_sealed, 'remains compressed').toMatch(/^v2\./);
  expect(t.ctx.vault.open(frame_sealed, 'command:kept')).toBe(frame);
  expect(messages).toHaveLength(1_200);
  for (const { id, body_sealed } of messages)
    expect(t.ctx.vault.open(body_sealed, `poll:r1:${id}`)).toBe(`message ${id}`);
}

test('rotates every encrypted column of the schema', async () => {
  const { rows } = {
    rows: await t.ctx.db.as(allTenants).many<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and (column_name like '%\_sealed' or column_name = 'sealed') and data_type = 'text' order by 1`),
  };
  const known = encryptedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map((row) => row.name).filter((name) => !known.includes(name))).toEqual([]);
});

test('denies other users access to the data folder', () => {
  expect(statSync(t.folder).mode & 0o777 & ~0o010).toBe(0o700);
});

test('refuses to start with a wrong key, and doctor reports it', async () => {
  const other = 'ab'.repeat(32);
  await expect(
    startTestService({ databaseUrl: t.databaseUrl, folder: t.folder, env: { NAMEHOLD_MASTER_KEY: other } }),
  ).rejects.toThrow(/master key does not decrypt .* NAMEHOLD_MASTER_KEY .* NAMEHOLD_DATA_DIR/);
  const doctor = namehold(['doctor'], { NAMEHOLD_MASTER_KEY: other });
  expect(doctor.status).toBe(1);
  expect(doctor.stdout).toMatch(/FAIL master key/);
  expect(namehold(['doctor']).stdout).toMatch(/ok {3}master key/);
});

test('reads the key from a command, and does not print its output when it fails', async () => {
  const [own] = keys();
  expect(namehold(['doctor'], { NAMEHOLD_MASTER_KEY_COMMAND: `echo ${own}` }).stdout).toMatch(/ok {3}master key/);
  const failed = namehold(['doctor'], { NAMEHOLD_MASTER_KEY_COMMAND: `echo ${own}; exit 3` });
  expect(failed.stdout + failed.stderr).toMatch(/failed \(3\)/);
  expect(failed.stdout + failed.stderr).not.toContain(own);
});

test('completes a rotation that was killed in the middle while the service keeps running', async () => {
  const [old] = keys();
  const killed = namehold(['master-key', 'rotate'], { NAMEHOLD_TEST_FAULTS: 'master-key:row-700' });
  expect(killed.signal).toBe('SIGKILL');
  expect(keys()).toHaveLength(2);
  expect(keys()[1]).toBe(old);
  await expectAllDecrypt();
  expect((await t.call('GET', '/v1/account/balance')).status).toBe(200);
  const again = namehold(['master-key', 'rotate', '--json']);
  expect(again.stderr).toBe('');
  const report = JSON.parse(again.stdout) as { resealed: number; total: number };
  expect(report.resealed).toBeGreaterThan(400);
  expect(report.resealed).toBeLessThan(report.total);
  const [newKey, ...rest] = keys();
  expect([newKey === old, rest]).toEqual([false, []]);
  await expectAllDecrypt();
  // API keys are hashes that cannot be made anew: they work on.
  expect((await t.call('GET', '/v1/account/balance')).status).toBe(200);
  t.service.evictCachedKeys();
  expect((await t.call('GET', '/v1/account/balance')).status).toBe(200);
  const second = await t.second();
  expect((await second.call('GET', '/v1/account/balance', { as: t.demo })).status).toBe(200);
  await second.stop();
  // The old key decrypts nothing any more.
  expect(namehold(['doctor'], { NAMEHOLD_MASTER_KEY: old! }).stdout).toMatch(/FAIL master key/);
});

test('requires both keys for the rotation of a key that the operator provides', async () => {
  const [now] = keys();
  const next = 'cd'.repeat(32);
  expect(namehold(['master-key', 'rotate'], { NAMEHOLD_MASTER_KEY: now! }).stderr).toMatch(
    /NAMEHOLD_MASTER_KEY_FORMER/,
  );
  const env = { NAMEHOLD_MASTER_KEY: next, NAMEHOLD_MASTER_KEY_FORMER: now! };
  expect(namehold(['doctor'], env).stdout).toMatch(/ok {3}master key/);
  expect(namehold(['master-key', 'rotate'], env).status).toBe(0);
  expect(namehold(['doctor'], { NAMEHOLD_MASTER_KEY: next }).stdout).toMatch(/ok {3}master key/);
  writeFileSync(keyFile(), `${next}\n`);
});
