import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { type Command, parse, type Tools } from '../../src/cli/command.ts';
import { nameserverCommands } from '../../src/cli/nameserver-commands.ts';
import { readConfig } from '../../src/config.ts';
import { createDemoAccounts } from '../../src/core/composition/first-accounts.ts';
import { createLogger } from '../../src/logger.ts';
import { openParts, type Parts } from '../../src/parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'namehold-cli-'));
let database: Awaited<ReturnType<typeof migratedDatabase>>;
let parts: Parts;

beforeAll(async () => {
  database = await migratedDatabase();
  const config = readConfig({
    DATABASE_URL: database.url,
    NAMEHOLD_DATA_DIR: folder,
    NAMEHOLD_PRIMARY_HOST: '0.0.0.0',
  });
  parts = await openParts(config, createLogger('silent'));
  await createDemoAccounts(parts.ctx);
});

afterAll(async () => {
  await parts?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

function run(line: string) {
  const words = line.split(' ');
  const command = nameserverCommands.find(({ name }) => line.startsWith(name)) as Command;
  const tools = {
    config: () => parts.ctx.config,
    withContext: <T>(work: (ctx: Parts['ctx']) => Promise<T>) => work(parts.ctx),
  } as unknown as Tools;
  return command.run({ tools, ...parse(command, words.slice(2)) });
}

test('adds, lists, prints as configuration and removes nameservers', async () => {
  const secret = Buffer.alloc(32, 7).toString('base64');
  writeFileSync(join(folder, 'secret'), `${secret}\n`);
  await run('nameserver add knot1 --engine knot --address 192.0.2.53');
  await run(
    `nameserver add bind1 --engine bind --address 192.0.2.54 --tsig xfr:hmac-sha512 --tsig-secret-file ${folder}/secret`,
  );
  await run('nameserver add nsd1 --engine nsd --address 2001:db8::53 --port 5353');
  await run('nameserver add pdns1 --engine powerdns --address 192.0.2.56');
  await run('nameserver add front --engine embedded --address 192.0.2.57');
  const { lines } = await run('nameserver list');
  expect(lines).toEqual([
    'bind1  bind at 192.0.2.54 port 53  key xfr.  0 zones current, 0 outdated',
    'front  embedded at 192.0.2.57 port 53  no key  0 zones current, 0 outdated',
    'knot1  knot at 192.0.2.53 port 53  key knot1.namehold.  0 zones current, 0 outdated',
    'nsd1  nsd at 2001:db8::53 port 5353  key nsd1.namehold.  0 zones current, 0 outdated',
    'pdns1  powerdns at 192.0.2.56 port 53  key pdns1.namehold., unsigned transfers allowed  0 zones current, 0 outdated',
  ]);
  const bind = (await run('nameserver snippet bind1 --primary 198.51.100.1@5353')).lines!.join('\n');
  expect(bind).toContain(`key "xfr" { algorithm hmac-sha512; secret "${secret}"; };`);
  expect(bind).toContain('primaries { 198.51.100.1 port 5353 key "xfr"; };');
  for (const id of ['knot1', 'nsd1', 'pdns1'])
    expect((await run(`nameserver snippet ${id} --primary 198.51.100.1`)).lines!.join('\n')).toContain('198.51.100.1');
  await run('nameserver remove bind1');
  expect((await run('nameserver list')).lines).toHaveLength(4);
});

test('refuses invalid input and states the reason', async () => {
  await expect(run('nameserver add x --engine knot --address ns.example')).rejects.toThrow(/address: Must be an IPv4/);
  await expect(run('nameserver add x --engine tinydns --address 192.0.2.1')).rejects.toThrow(/--engine must be one of/);
  await expect(run('nameserver add x --address 192.0.2.1 --tsig k:md5')).rejects.toThrow(/unknown algorithm/);
  await expect(run('nameserver add x --address 192.0.2.1 --port 0')).rejects.toThrow(/port number/);
  await expect(
    run(`nameserver add x --address 192.0.2.1 --tsig knot1.namehold --tsig-secret-file ${folder}/secret`),
  ).rejects.toThrow(/another secret/);
  await expect(run('nameserver remove nobody')).rejects.toThrow(/not found/);
  await expect(run('nameserver snippet knot1')).rejects.toThrow(/--primary must be the address/);
});
