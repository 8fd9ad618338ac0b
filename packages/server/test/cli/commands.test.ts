import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allTenants } from '@namehold/postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { commands } from '../../src/cli/commands.ts';
import { runCommand } from '../../src/cli/run.ts';
import { tools } from '../../src/command-line.ts';
import { readCatalogue, usualRules } from '../../src/core/tlds/load.ts';
import { seedCatalogue } from '../../src/core/tlds/seed.ts';
import { unreachable } from '../../src/unreachable.ts';

let t: TestService;
let env: Record<string, string>;
const outer = { ...process.env };
beforeAll(async () => {
  t = await startTestService();
  env = {
    DATABASE_URL: t.databaseUrl,
    NAMEHOLD_DATA_DIR: t.folder,
    NAMEHOLD_PORT: '0',
    NAMEHOLD_DNS_PORT: 'off',
    NAMEHOLD_PRIMARY_PORT: '0',
    NAMEHOLD_REDIRECT_PORT: 'off',
    NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
    NAMEHOLD_SANDBOX_PORT: '0',
  };
});
afterAll(() => t.stop());
afterEach(() => {
  process.env = { ...outer };
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
  readonly json: any;
}

/** Runs one command as main.ts does, and captures its output. */
async function run(line: string | string[], change: Record<string, string> = {}): Promise<Ran> {
  const kept = Object.entries(outer).filter(([name]) => !name.startsWith('NAMEHOLD_'));
  process.env = { ...Object.fromEntries(kept), ...env, ...change };
  const out: string[] = [];
  const err: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text));
  const error = vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text));
  try {
    const code = await runCommand(typeof line === 'string' ? line.split(' ').filter(Boolean) : line, tools);
    const text = out.join('\n');
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { code, out: text, err: err.join('\n'), json };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

const inside = /\bat .+\.ts:\d+|select |insert |violates|syntax for type|invalid input/i;

/** Expects a one-line error without internal details, in text and with --json. */
async function expectRefused(line: string, code: 1 | 2, message: RegExp): Promise<void> {
  const plain = await run(line);
  expect({ line, code: plain.code, err: plain.err }).toMatchObject({ code, err: expect.stringMatching(message) });
  expect(plain.err).not.toMatch(inside);
  if (code === 2) expect(plain.err).toContain('usage: namehold ');
  const asJson = await run(`${line} --json`);
  expect(asJson.code).toBe(code);
  expect(asJson.json.error).toMatch(message);
  expect(asJson.err).toBe('');
}

describe('help', () => {
  test.each(['', '--help', '-h', 'help'])('namehold "%s" lists every command with its summary', async (line) => {
    const { code, out } = await run(line);
    expect(code).toBe(0);
    for (const { name, summary } of commands) {
      expect(out).toContain(name);
      expect(out).toContain(summary);
    }
  });
  test('namehold COMMAND --help prints usage and every option', async () => {
    for (const command of commands) {
      const { code, out } = await run(`${command.name} --help`);
      expect(code).toBe(0);
      expect(out).toContain(`usage: namehold ${command.usage}`);
      for (const name of Object.keys(command.options ?? {})) expect(out).toContain(`--${name}`);
    }
  });
  test.each(['nonsense', 'reseller', 'reseller nonsense', 'key'])(
    'exits with 2 for the unknown command "%s"',
    async (line) => {
      const { code, out } = await run(line);
      expect(code).toBe(2);
      expect(out).toContain(`unknown command "${line}"`);
    },
  );
  test('exits with 2 for an unknown option', async () => {
    for (const { name } of commands) {
      const { code, err } = await run(`${name} --nonsense`);
      expect({ name, code }).toEqual({ name, code: 2 });
      expect(err).toContain('--nonsense');
    }
  });
});

describe('command aliases', () => {
  const former = [
    ['repair', 'mend'],
    ['user invite', 'person invite'],
    ['user list', 'person list'],
    ['user recover', 'person recover'],
    ['reseller registrants', 'reseller holders'],
  ] as const;
  test('are complete in this list, and none is the name of another command', () => {
    const aliases = commands.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [name, alias]));
    expect(aliases.sort()).toEqual(former.map((pair) => [...pair]).sort());
    const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });
  test.each(former)('%s can be called as %s, and both help texts show it', async (name, alias) => {
    const help = await run(`${name} --help`);
    expect(help.out).toContain(`(alias: ${alias})`);
    expect((await run(`${alias} --help`)).out).toBe(help.out);
    expect((await run('--help')).out).toMatch(new RegExp(`^  ${name} .*\\(alias: ${alias}\\)$`, 'm'));
  });
  test('print the help of the renamed group for a former group name', async () => {
    const { code, out } = await run('person --help');
    expect([code, out]).toEqual([0, (await run('user --help')).out]);
  });
  test('return the same results as the present names', async () => {
    for (const [now, before] of [
      ['user list --json', 'person list --json'],
      ['repair --dry-run --json', 'mend --dry-run --json'],
      ['verify --source entries --json', 'verify --book entries --json'],
      ['reseller registrants 1000 --by service', 'reseller holders 1000 --by platform'],
    ] as const) {
      const present = await run(now);
      expect(present, present.err).toMatchObject({ code: 0, err: '' });
      expect(await run(before)).toMatchObject({ code: 0, err: '' });
      if (!now.startsWith('verify')) expect((await run(before)).out).toBe(present.out);
    }
    for (const decision of ['recheck', 'ask-again', 'ask_again'])
      await expectRefused(`operation settle op_nothing --decision ${decision} --reason test`, 1, /not found/);
    await expectRefused('operation settle op_nothing --decision nothing --reason test', 2, /done, refused or recheck/);
  });
  test('exit with 2 when an option and its former name are given together', () =>
    expectRefused('verify --source entries --book entries', 2, /--book is the former name of --source/));
});

test('prints the release for --version', async () => {
  expect((await run('--version')).out).toMatch(/^namehold \d+\.\d+\.\d+$/);
});

test('names the data folder in which credentials found nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-none-'));
  const { code, out } = await run('credentials', { NAMEHOLD_DATA_DIR: folder });
  expect([code, out]).toEqual([1, expect.stringContaining(folder)]);
  rmSync(folder, { recursive: true });
});

test('names ids by their object in lists with --json, such as reseller_id', async () => {
  for (const [line, id] of [
    ['reseller list', 'reseller_id'],
    ['key list 1000', 'key_id'],
  ] as const) {
    const [first] = (await run(`${line} --json`)).json;
    expect(Object.keys(first)[0]).toBe(id);
    expect(first).not.toHaveProperty('id');
  }
});

test('invites, lists and recovers users, and refuses wrong arguments', async () => {
  const invited = await run('user invite cli@people.example --reseller 1000 --role staff --scopes domains:read --json');
  const redeem = (code: string, password: string) =>
    t.call('POST', '/v1/session/code', { json: { code, password }, session: '' });
  const made = await redeem(invited.json.code, 'a long enough one');
  expect(made.body.account).toMatchObject({ reseller_id: '1000', role: 'staff', scopes: ['domains:read'] });
  const { json } = await run('user list --reseller 1000 --json');
  expect(json).toMatchObject([{ person_id: made.body.person.person_id, email: 'cli@people.example', role: 'staff' }]);
  expect(JSON.stringify(json)).not.toContain('argon2');
  const recovered = await run('user recover CLI@people.example --json');
  expect((await redeem(recovered.json.code, 'another long one')).status).toBe(200);
  const operator = await run('user invite op@people.example --operator');
  expect(operator.out).toMatch(/\nnh_[\w-]+$/);
  await expectRefused('user invite op@people.example', 2, /--reseller ID, or --operator/);
  await expectRefused('user invite op@people.example --reseller 999999', 1, /Reseller not found/);
  await expectRefused('user invite nonsense --operator', 1, /email address/);
  await expectRefused('user invite op@people.example --operator --role king', 2, /--role must be one of/);
  await expectRefused('user invite op@people.example --operator --role staff', 1, /scope/);
  await expectRefused('user recover nobody@people.example', 1, /No user has this email address/);
});

test('prints a catalogue with tld list --json that tld load accepts', async () => {
  const entries = ['com', 'net'].map((name) => ({ name, registry: null, is_offered: true, rules: usualRules }));
  await t.ctx.db.transaction(allTenants, (tx) => seedCatalogue(t.ctx, tx, entries));
  const { json } = await run('tld list --json');
  expect(json[0]).toMatchObject({ name: 'com', registry: null, is_offered: true });
  expect(readCatalogue(JSON.stringify(json)).map(({ stated: _, ...entry }) => entry)).toEqual(entries);
  // Rules of the registry profile are not part of the file, because the profile may change.
  const decided = [json[0].rules.auth_code, json[0].rules.contacts.model, json[0].rules.dnssec.records];
  expect([...decided, json[0].rules.nameservers.host_model]).toEqual(Array(4).fill(undefined));
});

test('updates the profile of the operator with operator change', async () => {
  const profileOptions = [
    '--name',
    'Olga',
    '--company',
    'Registrar GmbH',
    '--email',
    'ops@registrar.example',
    '--country',
    'DE',
  ];
  const rest = ['--city', 'Bonn', '--street', 'Am Rhein 1', '--zipcode', '53111', '--phone', '+49.228123456'];
  expect((await run(['operator', 'change', ...profileOptions, ...rest])).out).toContain('Registrar GmbH');
  const profile = await t.call('GET', '/v1/account/profile', { as: t.operator });
  expect(profile.body).toMatchObject({ company: 'Registrar GmbH', country_code: 'DE' });
});

describe('reseller commands', () => {
  const create = (changes: Record<string, string> = {}) => {
    const options = {
      name: 'Ann Other',
      company: 'Other Ltd',
      email: 'ann@other.example',
      currency: 'USD',
      country: 'GB',
      city: 'London',
      street: '1 Street',
      zipcode: 'SW1A 1AA',
      phone: '+44.2079460000',
      ...changes,
    };
    return [
      'reseller',
      'create',
      ...Object.entries(options).flatMap(([name, value]) => (value ? [`--${name}`, value] : [])),
    ];
  };
  test('create, list, suspend and activate resellers', async () => {
    const made = await run([...create(), '--json']);
    expect(made).toMatchObject({ code: 0, err: '' });
    const id = made.json.reseller_id as string;
    const listed = await run('reseller list --json');
    expect(listed.json).toContainEqual(
      expect.objectContaining({ reseller_id: id, parent_reseller_id: '1', status: 'Active' }),
    );
    expect((await run('reseller list')).out).toContain('Other Ltd <ann@other.example>');
    const below = await run([...create({ email: 'below@other.example', parent: id }), '--json']);
    const child = below.json.reseller_id as string;
    // A reseller that is not a direct child of the operator.
    expect((await run(`reseller registrants ${child} --by reseller --json`)).json.looks_after_holders).toBe(true);
    await expectRefused(`reseller registrants ${child} --by nobody`, 2, /reseller or service/);
    await expectRefused('reseller registrants 1 --by reseller', 1, /Reseller not found/);
    expect((await run(`reseller suspend ${child}`)).out).toContain(`reseller ${child} is Suspended`);
    expect((await run('reseller list --json')).json).toContainEqual(
      expect.objectContaining({ reseller_id: child, status: 'Suspended' }),
    );
    expect((await run(`reseller activate ${child} --json`)).json).toEqual({ reseller_id: child, status: 'Active' });
  });
  test('name the missing or invalid option in the error', async () => {
    for (const name of ['name', 'company', 'email', 'currency', 'country', 'city', 'street', 'zipcode', 'phone']) {
      const { code, err } = await run(create({ [name]: '' }));
      expect({ name, code }).toEqual({ name, code: 2 });
      expect(err).toContain(`--${name} is missing`);
    }
    for (const [change, message] of [
      [{ country: 'ZZ' }, /country/],
      [{ currency: 'XXL' }, /currency/],
      [{ phone: '12345' }, /--phone/],
      [{ email: 'nobody' }, /email/],
      [{ email: 'demo@reseller.example' }, /already uses this email address/],
      [{ parent: '99999', email: 'p@x.example' }, /Reseller 99999 not found/],
      [{ parent: 'abc', email: 'p@x.example' }, /must be a number/],
    ] as const) {
      const { code, err } = await run(create(change));
      expect(code).toBeGreaterThan(0);
      expect(err).toMatch(message);
      expect(err).not.toMatch(inside);
    }
    const json = (await run([...create({ country: 'ZZ' }), '--json'])).json;
    expect(json).toMatchObject({
      code: 'invalid_argument',
      errors: [expect.objectContaining({ field: 'country' })],
    });
  });
  test('refuse invalid ids in suspend and activate', async () => {
    for (const word of ['suspend', 'activate']) {
      await expectRefused(`reseller ${word}`, 2, /the id of the reseller is missing/);
      await expectRefused(`reseller ${word} 99999`, 1, /Reseller 99999 not found/);
      await expectRefused(`reseller ${word} abc`, 2, /must be a number/);
    }
    await expectRefused('reseller suspend 1', 1, /operator/);
  });
});

describe('key commands', () => {
  test('create, use, list and revoke keys', async () => {
    const made = await run(
      'key create 1000 --label panel --ip 127.0.0.1,2001:db8::/32 --scopes read --expires 2099-01-31T00:00:00Z --json',
    );
    expect(made).toMatchObject({ code: 0, err: '' });
    const { key_id, api_key } = made.json;
    expect((await t.call('GET', '/v1/account/profile', { as: `1000:${api_key}` })).status).toBe(200);
    const listed = (await run('key list 1000 --json')).json as { key_id: string }[];
    expect(listed.find((key) => key.key_id === key_id)).toMatchObject({
      label: 'panel',
      scopes: ['read'],
      ip_whitelist: ['127.0.0.1', '2001:db8::/32'],
    });
    expect(JSON.stringify(listed)).not.toContain(api_key);
    expect((await run('key list 1000')).out).toContain('panel');
    const rotated = await run(`key rotate 1000 ${key_id} --overlap 60 --json`);
    expect(rotated.json).toMatchObject({ key_id, reseller_id: '1000', api_key: expect.stringMatching(/^nh_/) });
    const wholeSeconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(rotated.json.previous_key_expires_at).toEqual(wholeSeconds);
    const [shown] = ((await run('key list 1000 --json')).json as { key_id: string }[]).filter(
      (k) => k.key_id === key_id,
    );
    expect(shown).toMatchObject({ previous_key_expires_at: wholeSeconds, created_at: wholeSeconds });
    expect((await run(`key revoke 1000 ${key_id}`)).code).toBe(0);
    t.service.evictCachedKeys();
    expect((await t.call('GET', '/v1/account/profile', { as: `1000:${api_key}` })).status).toBe(401);
    expect((await run('key create 1000 --label plain --ip 127.0.0.1')).out).toMatch(/shown only once:\nnh_[\w-]{43}$/);
  });
  test('preview a revocation with issued keys, then carry it out', async () => {
    const stolen = (await run('key create 1000 --label stolen --ip 127.0.0.1 --json')).json;
    const as = `1000:${stolen.api_key}`;
    const json = { label: 'issued', ip_whitelist: ['127.0.0.1'] };
    const issued = (await t.call('POST', '/v1/account/keys', { json, as })).body.key_id as string;
    const line = `key revoke 1000 ${stolen.key_id} --with-issued-keys`;
    const previewed = (await run(`${line} --dry-run --json`)).json;
    expect(previewed).toMatchObject({ revoked: false, issued_keys: [{ key_id: issued, revoked_at: null }] });
    t.service.evictCachedKeys();
    expect((await t.call('GET', '/v1/account/profile', { as })).status).toBe(200);
    expect((await run('key list 1000')).out).toContain(`issued by ${stolen.key_id}`);
    const revoked = (await run(`${line} --json`)).json;
    expect(revoked).toMatchObject({ revoked: true, issued_keys: [{ key_id: issued, revoked_at: expect.any(String) }] });
  });
  test.each([
    ['key create', 2, /the id of the reseller is missing/],
    ['key create 1000', 2, /--label is missing/],
    ['key create 1000 --label x', 2, /--ip is missing/],
    ['key create 1000 --label x --ip everywhere', 1, /is not an IPv4 or IPv6 address/],
    ['key create 1000 --label x --ip 127.0.0.1 --scopes everything', 1, /is not a scope/],
    ['key create 1000 --label x --ip 127.0.0.1 --expires soon', 2, /--expires/],
    ['key create 1000 --label x --ip 127.0.0.1 --expires 2001-01-01T00:00:00Z', 1, /future/],
    ['key create 99999 --label x --ip 127.0.0.1', 1, /Reseller 99999 not found/],
    ['key create abc --label x --ip 127.0.0.1', 2, /must be a number/],
    ['key list', 2, /the id of the reseller is missing/],
    ['key list 99999', 1, /Reseller 99999 not found/],
    ['key revoke 1000', 2, /the id of the key is missing/],
    ['key revoke 1000 key_nothing', 1, /API key not found/],
    ['key revoke 1 key_nothing', 1, /API key not found/],
  ] as const)('refuse wrong arguments: %s', (line, code, message) => expectRefused(line, code, message));
});

describe('money commands', () => {
  test('fund a reseller, set its credit limit and verify the ledger', async () => {
    const funded = await run('reseller fund 1000 12.50 --note hello --json');
    expect(funded.json.transaction_id).toMatch(/^\d+$/);
    expect((await run('reseller fund 1000 5')).out).toMatch(/^transaction \d+: 5\.00 USD$/);
    expect((await run('reseller credit-limit 1000 100')).code).toBe(0);
    const verified = await run('ledger verify --json');
    expect(verified.code).toBe(0);
    expect(verified.json.differences).toEqual([]);
    expect((await run('ledger verify')).out).toContain('no differences');
  });
  test.each([
    ['reseller fund 1000', 2, /the amount is missing/],
    ['reseller fund 1000 -5', 2, /-5/],
    ['reseller fund 1000 lots', 1, /amount/],
    ['reseller fund 99999 5', 1, /not found|there is no reseller/],
    ['reseller fund abc 5', 2, /must be a number/],
    ['reseller credit-limit 1000 x', 1, /amount|credit_limit/],
    ['reseller credit-limit 99999 5', 1, /not found|there is no reseller/],
  ] as const)('refuse wrong arguments: %s', (line, code, message) => expectRefused(line, code, message));
  test('report refused lines and unknown TLDs of a price import', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'namehold-csv-'));
    const file = join(folder, 'prices.csv');
    writeFileSync(file, 'tld,action,years,amount,currency\ncom,create,1,nonsense,USD\n');
    const bad = await run(['price', 'import', file, '--target', 'cost', '--json']);
    expect(bad.code).toBe(1);
    expect(bad.json.refused).toBe(1);
    writeFileSync(file, 'tld,action,amount\nzzz,create,5\nnet,create,8.00\n');
    const unknown = await run(['price', 'import', file, '--target', 'cost']);
    expect(unknown).toMatchObject({ code: 0, out: expect.stringContaining('zzz is not in the TLD catalogue') });
    expect(unknown.out).not.toContain('net is not');
    await expectRefused(`price import ${file} --target nowhere`, 2, /--target/);
    await expectRefused(`price import ${folder}/missing.csv --target cost`, 1, /missing\.csv/);
    await expectRefused('price import', 2, /missing/);
    rmSync(folder, { recursive: true });
  });
});

test('lists each background job with its last and next run', async () => {
  await vi.waitFor(async () => expect((await run('jobs')).code).toBe(0), { timeout: 300_000, interval: 1_000 });
  const { json } = await run('jobs --json');
  const verify = json.find((job: { name: string }) => job.name === 'run-reconciliation');
  expect(verify).toMatchObject({ every_seconds: 600, state: 'ok', lag_seconds: 0, last_error: null });
  expect(Date.parse(verify.next_run_at)).toBeGreaterThan(Date.parse(verify.last_run_at));
});

describe('registry and alarm commands', () => {
  test('list registries and alarms', async () => {
    expect(await run('registry list')).toMatchObject({ code: 0, err: '' });
    expect((await run('registry list --json')).json).toEqual([]);
    expect(await run('alarms')).toMatchObject({ code: 0, out: 'no alarms' });
    expect((await run('alarms --json')).json).toEqual([]);
  });
  test.each([
    ['registry add', 2, /an id for the registry is missing/],
    ['registry add x --port 99999', 2, /--port/],
    ['registry add x', 2, /--profile is missing/],
    ['registry add x --profile /nowhere.json', 2, /nowhere\.json is neither a file nor a bundled profile: .*verisign/],
    ['registry test', 2, /the id of the registry is missing/],
    ['registry test nothing', 1, /nothing/],
  ] as const)('refuse wrong arguments: %s', (line, code, message) => expectRefused(line, code, message));
});

describe('exchange-rate commands', () => {
  test('set and list rates', async () => {
    expect((await run('exchange-rate list')).out).toBe('no exchange rates');
    const set = await run('exchange-rate set EUR USD 1.08 --margin 2.5');
    expect(set, set.err).toMatchObject({ code: 0, err: '' });
    expect(set.out).toMatch(/^1 EUR = 1\.08 USD, margin 2\.5 %, from \d{4}-/);
    expect((await run('exchange-rate set usd idr 16250')).code).toBe(0);
    expect((await run('exchange-rate list')).out.split('\n').sort()).toEqual([
      set.out,
      expect.stringMatching(/^1 USD = 16250 IDR, margin 0 %/),
    ]);
    expect((await run('exchange-rate list --json')).json.exchange_rates).toContainEqual(
      expect.objectContaining({ base: 'EUR', quote: 'USD', rate: '1.08', margin_basis_points: 250 }),
    );
  });
  test.each([
    ['exchange-rate set', 2, /the base currency is missing/],
    ['exchange-rate set EUR USD', 2, /the rate is missing/],
    ['exchange-rate set EUR USD 0', 1, /rate: Must be a decimal number above 0/],
    ['exchange-rate set EUR USD 0.000', 1, /rate: Must be a decimal number above 0/],
    ['exchange-rate set EUR USD -1.08', 2, /-1/],
    ['exchange-rate set EUR USD 1,08', 1, /rate: Must be a decimal number above 0/],
    ['exchange-rate set EUR USD 1000001', 1, /rate: Must be a decimal number above 0/],
    ['exchange-rate set EUR eur 1.08', 1, /quote: Must differ from the base currency/],
    ['exchange-rate set EUR ZZZ 1.08', 1, /quote: "ZZZ" is not an ISO 4217 currency code/],
    ['exchange-rate set EURO USD 1.08', 1, /base: "EURO" is not an ISO 4217 currency code/],
    ['exchange-rate set EUR USD 1.08 --margin 101', 1, /margin: Must be a percentage from 0 to 100/],
    ['exchange-rate set EUR USD 1.08 --from 2020-01-01', 1, /valid_from: Must not be in the past/],
    ['exchange-rate set EUR USD 1.08 --from soon', 1, /valid_from: Must be a date/],
  ] as const)('refuse wrong arguments: %s', (line, code, message) => expectRefused(line, code, message));
  test('keep the present margin for a rate without --margin, and print the help of the group', async () => {
    expect((await run('exchange-rate set CHF USD 1.10 --margin 1.25')).code).toBe(0);
    expect((await run('exchange-rate set CHF USD 1.12')).out).toContain('margin 1.25 %');
    expect((await run('exchange-rate set CHF USD 1.12 --margin 0')).out).toContain('margin 0 %');
    const help = await run('exchange-rate --help');
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('usage: namehold exchange-rate set BASE QUOTE')]);
  });
  test('refuse a negative rate after --, and store no refused rate', async () => {
    const negative = await run('exchange-rate set EUR USD -- -1.08');
    expect(negative).toMatchObject({ code: 1, err: expect.stringMatching(/rate: Must be a decimal number above 0/) });
    expect((await run('exchange-rate list --json')).json.exchange_rates).toHaveLength(3);
  });
});

describe('sandbox commands', () => {
  test('show and move the business clock, in sandbox mode only', async () => {
    const before = Date.parse((await run('sandbox clock --json')).json.now);
    const after = Date.parse((await run('sandbox clock +30d --json')).json.now);
    expect(Math.round((after - before) / 86_400_000)).toBe(30);
    await run('sandbox clock -- -30d');
    await expectRefused('sandbox clock tomorrow', 2, /\+30d/);
    expect(
      (
        await run('sandbox clock +1d', {
          NAMEHOLD_MODE: 'production',
          NAMEHOLD_MASTER_KEY: createHash('sha256').update('a key').digest('hex'),
          NAMEHOLD_PUBLIC_URL: 'https://x.example',
        })
      ).err,
    ).toContain('only in sandbox mode');
  });
  test.each([
    ['sandbox fault', 2, /kind of fault/],
    ['sandbox fault drop --rate lots', 2, /--rate/],
    ['sandbox fault drop', 2, /not running/],
    ['sandbox fault off', 2, /not running/],
    ['sandbox show', 2, /the domain is missing/],
    ['sandbox show x.com', 2, /not running/],
  ] as const)('refuse wrong arguments: %s', (line, code, message) => expectRefused(line, code, message));
});

describe('service commands', () => {
  test('migrate reports that the schema is up to date', async () => {
    expect((await run('migrate')).out).toBe('the schema is up to date');
    expect((await run('migrate --json')).json).toEqual({ applied: [] });
  });
  test('credentials prints the account ID, or how to create the credentials', async () => {
    expect((await run('credentials --json')).json).toMatchObject({ reseller_id: '1000' });
    const none = await run('credentials', { NAMEHOLD_DATA_DIR: mkdtempSync(join(tmpdir(), 'namehold-none-')) });
    expect(none.code).toBe(1);
    expect(none.out).toContain('start the service');
  });
  test('refuse backup and restore for a database in DATABASE_URL', async () => {
    await expectRefused('backup', 2, /the file to write is missing/);
    await expectRefused('backup /tmp/x.tar.gz', 2, /DATABASE_URL is set/);
    await expectRefused('restore /tmp/x.tar.gz', 2, /DATABASE_URL is set/);
  });
  test('exit with an error for any command when a setting is unknown', async () => {
    for (const line of ['serve', 'migrate', 'reseller list', 'backup x']) {
      const { code, err } = await run(line, { NAMEHOLD_TYPO: '1' });
      expect(code).toBe(1);
      expect(err).toContain('NAMEHOLD_TYPO is not a setting');
    }
  });
});

describe('namehold doctor', () => {
  const byName = (ran: Ran) =>
    Object.fromEntries(ran.json.map((probe: { name: string; ok: boolean }) => [probe.name, probe.ok]));
  test('reports ok for every check of a working service', async () => {
    const ran = await run('doctor --json');
    expect(ran.code).toBe(0);
    expect(byName(ran)).toMatchObject({
      settings: true,
      database: true,
      migrations: true,
      logins: true,
      clock: true,
      'port http': true,
    });
    expect((await run('doctor')).out).toMatch(/^ok +settings: sandbox mode/);
  });
  test('reports an invalid setting with a fix', async () => {
    const ran = await run('doctor', { NAMEHOLD_PORT: 'x' });
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/FAIL +settings: NAMEHOLD_PORT[\s\S]+fix: /);
  });
  test('reports an unreachable database without its password', async () => {
    const ran = await run('doctor --json', { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(ran.code).toBe(1);
    expect(byName(ran).database).toBe(false);
    expect(ran.json.find((probe: { name: string }) => probe.name === 'database').fix).toContain('DATABASE_URL');
    for (const command of ['serve', 'migrate', 'reseller list']) {
      const other = await run(command, { DATABASE_URL: 'postgresql://nobody:hidden@127.0.0.1:1/none' });
      expect(other.code).toBe(1);
      expect(other.err).toMatch(/the database at 127\.0\.0\.1:1 cannot be reached .*ECONNREFUSED.* set DATABASE_URL/);
      expect(other.err).not.toContain('hidden');
    }
    const login = { NAMEHOLD_DATABASE_SCHEDULER_URL: 'postgresql://nobody:hidden@127.0.0.1:2/none' };
    const { err } = await run('reseller list', login);
    expect(err).toMatch(/at 127\.0\.0\.1:2 cannot be reached .* set NAMEHOLD_DATABASE_SCHEDULER_URL/);
    expect(err).not.toContain('hidden');
    const readOnly = Object.assign(new Error('cannot execute CREATE TABLE in a read-only transaction'), {
      code: '25006',
    });
    expect(String(unreachable('DATABASE_URL', 'postgresql://me:hidden@db.example/namehold', readOnly))).toMatch(
      /the database at db\.example:5432 is read-only, as a standby: set DATABASE_URL to the primary/,
    );
  });
  test('serve refuses an unusable data folder or master key', async () => {
    const nowhere = await run('serve', { NAMEHOLD_DATA_DIR: '/dev/null/namehold' });
    expect(nowhere.code).toBe(1);
    expect(nowhere.err).toMatch(/the data folder \/dev\/null\/namehold cannot be used .*set NAMEHOLD_DATA_DIR/);
    const folder = mkdtempSync(join(tmpdir(), 'namehold-test-'));
    writeFileSync(join(folder, 'master.key'), '');
    const empty = await run('serve', { NAMEHOLD_DATA_DIR: folder });
    expect(empty.code).toBe(1);
    expect(empty.err).toMatch(/master\.key .*32 bytes.*NAMEHOLD_MASTER_KEY/);
    rmSync(folder, { recursive: true });
  });
  test('serve refuses an invalid retention', async () => {
    const { err } = await run('serve', { NAMEHOLD_KEEP_AUDIT_DAYS: '-1' });
    expect(err).toMatch(/NAMEHOLD_KEEP_AUDIT_DAYS .*a whole number from 90 to 36500, or 0 for no limit/);
  });
  test('reports missing migrations', async () => {
    const { emptyDatabase } = await import('../../../../test/support/database.ts');
    const empty = await emptyDatabase();
    const ran = await run('doctor --json', { DATABASE_URL: empty.url });
    expect(ran.code).toBe(1);
    expect(byName(ran).migrations).toBe(false);
    expect((await run('migrate --json', { DATABASE_URL: empty.url })).json.applied.length).toBeGreaterThan(0);
    expect((await run('doctor', { DATABASE_URL: empty.url })).code).toBe(0);
    await empty.drop();
  });
  test('reports an address that cannot be opened', async () => {
    const ran = await run('doctor --json', { NAMEHOLD_HOST: '192.0.2.1', NAMEHOLD_PORT: '8080' });
    expect(byName(ran)['port http']).toBe(false);
  });
});

test('refuses to serve a database with demo accounts in production mode', async () => {
  const database = await migratedDatabase();
  const other = await startTestService({ databaseUrl: database.url });
  const key = readFileSync(join(other.folder, 'master.key'), 'utf8').trim();
  await other.stop();
  const ran = await run('serve', {
    DATABASE_URL: database.url,
    NAMEHOLD_MODE: 'production',
    NAMEHOLD_MASTER_KEY: key,
    NAMEHOLD_PUBLIC_URL: 'https://api.example.net',
  });
  expect(ran.code).toBe(1);
  expect(ran.err).toContain('demo reseller 1000');
  await database.drop();
});
