import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTenants, sql } from '@namehold/postgres';
import { expect, vi } from 'vitest';
import { bareEnv } from '../../../../test/support/bare-env.ts';
import { program } from '../../../../test/support/program.ts';
import { projectRoot, startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { encryptionContext, findRegistry, type RegistrySecrets } from '../../src/core/registries/registry.sql.ts';

const id = 'sandbox';
const leaseMs = '1000';

/** Our account at the registry before a trial. */
interface Before {
  readonly refused: number;
  readonly password: string;
}

/** Our password at the sandbox registry, over its real connection, with two services on the same account. */
export class PasswordTrials {
  readonly t: TestService;
  readonly other: TestService;
  #asked = 0;

  private constructor(t: TestService, other: TestService) {
    this.t = t;
    this.other = other;
  }

  static async open(): Promise<PasswordTrials> {
    const t = await startTestService({ sandbox: true, env: { NAMEHOLD_LEASE_MS: leaseMs } });
    return new PasswordTrials(t, await t.second());
  }

  async close(): Promise<void> {
    await this.other.stop();
    await this.t.stop();
  }

  /** The valid password, read from the registry's own file. */
  truth(): string {
    const file = readFileSync(join(this.t.folder, 'sandbox', 'passwords.json'), 'utf8');
    return (JSON.parse(file) as Record<string, string>).namehold!;
  }

  async secrets(): Promise<RegistrySecrets> {
    const row = (await findRegistry(this.t.ctx.db.as(allTenants), id))!;
    return JSON.parse(this.t.ctx.vault.open(row.secrets_sealed, encryptionContext(id))) as RegistrySecrets;
  }

  async audited(): Promise<string[]> {
    const rows = await this.t.ctx.db
      .as(allTenants)
      .many<{ change: string }>(
        sql`select after ->> 'change' as change from audit where action = 'registry.password' order by id`,
      );
    return rows.map(({ change }) => change);
  }

  async #refused(): Promise<number> {
    const { body } = await this.t.control('GET', '/stats');
    const codes = body.answers['session:login'] ?? {};
    return (codes[2200] ?? 0) + (codes[2501] ?? 0);
  }

  async before(): Promise<Before> {
    return { refused: await this.#refused(), password: this.truth() };
  }

  /** Opens a new session and sends a query. */
  async works(service: TestService): Promise<void> {
    await service.service.parts.registries.reload(id);
    this.#asked += 1;
    const query = { domain: `asked${this.#asked}.org` };
    const called = await service.call('GET', '/v1/domains/availability', { query });
    expect(called.status, called.text).toBe(200);
    expect(called.body[0]).toMatchObject({ status: 'available' });
  }

  async bothWork(): Promise<void> {
    await Promise.all([this.works(this.t), this.works(this.other)]);
  }

  /** Both services log in, no unfinished change is left, and no lock-out was near. */
  async settled(before: Before, { refused, isChanged }: { refused?: number; isChanged: boolean }): Promise<void> {
    await this.bothWork();
    const now = await this.secrets();
    expect(now).not.toHaveProperty('new_password');
    expect(now.password).toBe(this.truth());
    expect(now.password !== before.password).toBe(isChanged);
    if (refused !== undefined) expect((await this.#refused()) - before.refused).toBe(refused);
    expect((await openAlarms(this.t.ctx)).filter(({ key }) => key.includes('login'))).toEqual([]);
  }

  /** The command as an operator runs it. */
  command(args: readonly string[], faults: readonly string[] = [], input = '') {
    const child = spawn(process.execPath, [program, 'registry', 'password', id, ...args], {
      cwd: projectRoot,
      env: {
        ...bareEnv(),
        DATABASE_URL: this.t.databaseUrl,
        NAMEHOLD_DATA_DIR: this.t.folder,
        NAMEHOLD_LEASE_MS: leaseMs,
        NAMEHOLD_TEST_FAULTS: faults.join(','),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        output += piece.toString();
      });
    const ended = once(child, 'exit').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as string | null,
      output,
    }));
    return { child, ended };
  }

  /** Faults of the next login. */
  async harm(kind: string, how: 'silent' | 'close'): Promise<void> {
    const fault = { kind, how, commands: ['login'], client: 'namehold', limit: 1 };
    const turned = await this.t.control('POST', '/faults', fault);
    expect(turned.status, turned.text).toBeLessThan(300);
  }

  /** kill -9 while the command waits for a lost answer. */
  async killWaiting(kind: 'drop-before' | 'drop-after-commit'): Promise<void> {
    const { password } = await this.before();
    await this.bothWork();
    await this.harm(kind, 'silent');
    const { child, ended } = this.command([]);
    const struck = async () => (await this.t.control('GET', '/faults')).body.faults[0].struck as number;
    await vi.waitFor(async () => expect(await struck()).toBe(1), 300_000);
    if (kind === 'drop-after-commit') await vi.waitFor(() => expect(this.truth()).not.toBe(password), 300_000);
    child.kill('SIGKILL');
    await ended;
    await this.t.control('DELETE', '/faults');
  }
}
