import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createEppPool, DEFAULT_PROFILE, type KeysysFields } from '@namehold/epp';
import { sandboxSystems } from '@namehold/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newLabel, strongPw } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
let pool: ReturnType<typeof createEppPool>;
let state: TestRegistry['sandbox']['systems'][number];
let contact: string;
beforeAll(async () => {
  registry = await startTestRegistry();
  const { sandbox } = registry;
  state = sandbox.systems.find(({ name }) => name === 'centralnic-reseller')!;
  pool = createEppPool({
    endpoint: {
      host: sandbox.host,
      port: state.port,
      ca: readFileSync(sandbox.caFile),
      cert: readFileSync(state.cert_file),
      key: readFileSync(state.key_file),
    },
    credentials: { clID: state.client_id, pw: state.password },
    profile: {
      ...DEFAULT_PROFILE,
      namespaces: sandboxSystems.find(({ name }) => name === 'centralnic-reseller')!.namespaces,
      limits: { ...DEFAULT_PROFILE.limits, commandsPerSecond: 10_000 },
    },
  });
  contact = await newContact();
});
afterAll(async () => {
  await pool.close();
  await registry.close();
});

const details = (name: string) => ({
  postal: [{ type: 'int' as const, name, addr: { street: ['1 Road'], city: 'Oxford', cc: 'GB' } }],
  voice: { number: '+44.1865123456' },
  email: 'holder@example.org',
  authInfo: { pw: strongPw },
});

async function newContact(name = 'Jane Example', keysys?: KeysysFields): Promise<string> {
  const ext = keysys ? { ext: { keysys } } : {};
  const made = await pool.send({ object: 'contact', verb: 'create', id: 'our-handle', ...details(name), ...ext });
  if (made.kind !== 'done' || !made.data) throw new Error(JSON.stringify(made));
  return made.data.id;
}

async function newDomain(tld: string, keysys: KeysysFields): Promise<string> {
  const name = `${newLabel()}.${tld}`;
  const contacts = (['admin', 'tech'] as const).map((type) => ({ type, id: contact }));
  const made = await pool.send({
    ...{ object: 'domain', verb: 'create', name, registrant: contact, contacts },
    ...{ period: { value: 1, unit: 'y' }, authInfo: { pw: strongPw }, ext: { keysys } },
  });
  expect(made.code, JSON.stringify(made)).toBe(1000);
  return name;
}

interface Shown {
  readonly code: number | undefined;
  readonly exDate?: Date | undefined;
  readonly fields?: KeysysFields;
}

const infoOf = async (name: string): Promise<Shown> => {
  const shown = await pool.send({ object: 'domain', verb: 'info', name });
  if (shown.kind !== 'done') return { code: shown.code };
  const { keysys } = shown.ext;
  return { code: shown.code, exDate: shown.data?.exDate, ...(keysys ? { fields: keysys.fields } : {}) };
};

const charges = async (name: string) => {
  const { entries } = await registry.control<{ entries: { command: string }[] }>(
    'GET',
    `/statement?client=${state.client_id}&domain=${name}`,
  );
  return entries.map(({ command }) => command);
};

/** One query of the HTTP API; the properties of the answer. */
async function query(command: string, parameters: Record<string, string> = {}, pw = state.password) {
  const response = await fetch(`http://127.0.0.1:${state.http_port}/api/call.cgi`, {
    method: 'POST',
    body: new URLSearchParams({ s_login: state.client_id, s_pw: pw, command, ...parameters }),
  });
  const text = await response.text();
  const code = /^code = (\d+)/m.exec(text)?.[1];
  const property = (name: string) =>
    [...text.matchAll(new RegExp(`^property\\[${name}\\]\\[\\d+\\] = (.*)\r$`, 'gm'))].map(([, value]) => value);
  return { code, property };
}

test('assigns the ids of contacts, and one id to equal data unless the command forces another', async () => {
  expect(contact).toMatch(/^P-[A-Z0-9]{8}$/);
  expect(await newContact()).toBe(contact);
  const other = await newContact('Jane Example', { forceDuplication: '1' });
  expect(other).not.toBe(contact);
  expect(await newContact('Another Example')).not.toBe(contact);
});

describe('the renewal mode decides at the end of the term', () => {
  test.each([
    { tld: 'org', mode: 'AUTOEXPIRE', years: 0, after: 'AUTOEXPIRE', charged: ['create'] },
    { tld: 'org', mode: 'DEFAULT', years: 1, after: 'DEFAULT', charged: ['create', 'autorenew'] },
    { tld: 'nl', mode: 'RENEWONCE', years: 1, after: 'DEFAULT', charged: ['create', 'autorenew'] },
    { tld: 'nl', mode: 'RENEWONCETHENAUTOEXPIRE', years: 1, after: 'AUTOEXPIRE', charged: ['create', 'autorenew'] },
  ])('$mode under $tld', async ({ tld, mode, years, after, charged }) => {
    const name = await newDomain(tld, { renewalmode: mode });
    const before = await infoOf(name);
    await registry.move('+366d');
    const shown = await infoOf(name);
    expect(shown.fields?.renewalmode).toBe(after);
    expect(shown.exDate!.getUTCFullYear() - before.exDate!.getUTCFullYear()).toBe(years);
    expect(await charges(name)).toEqual(charged);
  });
});

test('shows a domain of another account only with its auth code', async () => {
  const name = `${newLabel()}.org`;
  const holder = { object: 'contact', verb: 'create', id: 'elsewhere', ...details('Elsewhere Example') } as const;
  await registry.otherRegistrar.done(holder);
  const contacts = (['admin', 'tech'] as const).map((type) => ({ type, id: 'elsewhere' }));
  const created = {
    object: 'domain',
    verb: 'create',
    name,
    registrant: 'elsewhere',
    contacts,
    authInfo: { pw: '' },
  } as const;
  await registry.otherRegistrar.done(created);
  expect(await infoOf(name)).toEqual({ code: 2303 });
});

describe('the HTTP API', () => {
  test('refuses a wrong password', async () => {
    expect((await query('StatusAccount', {}, 'wrong')).code).toBe('530');
  });

  test('lists domains by pages, and bookings', async () => {
    const names = [
      await newDomain('org', { renewalmode: 'AUTOEXPIRE' }),
      await newDomain('nl', { renewalmode: 'RENEWONCE' }),
    ].sort();
    const all = (await query('QueryDomainList', { WIDE: '1' })).property('DOMAIN');
    expect(all).toEqual(expect.arrayContaining(names));
    const pages = await Promise.all(all.map((_, at) => query('QueryDomainList', { FIRST: String(at), LIMIT: '1' })));
    expect(pages.flatMap(({ property }) => property('DOMAIN'))).toEqual(all);
    const [one] = names;
    const booked = await query('QueryAccountingList', { MINDATE: '2000-01-01', OBJECT: one! });
    expect(booked.property('ACCOUNTING_DESCRIPTION')).toEqual([one]);
    expect(booked.property('ACCOUNTING_TYPE')).toEqual(['ADD_DOMAIN']);
    const coming = await query('QueryUpcomingAccountingList');
    expect(coming.property('DOMAIN')).toEqual([names.find((name) => name.endsWith('.nl'))]);
    expect((await query('QueryAccountingList')).code).toBe('504');
  });

  test('shows balance and prices', async () => {
    expect((await query('StatusAccount')).property('CURRENCY')).toEqual(['USD']);
    const zones = await query('QueryZoneList');
    expect(zones.property('ZONE')).toEqual(['org', 'nl']);
    expect(zones.property('ANNUAL')).toEqual(['10.74', '4.50']);
  });
});

const script = fileURLToPath(new URL('./net-epp-keysys.pl', import.meta.url));
test('accepts the extension from Net::EPP of Debian', async () => {
  const file = join(registry.folder, 'upstream.json');
  const { host, caFile } = registry.sandbox;
  writeFileSync(file, JSON.stringify({ ...state, host, ca_file: caFile, contact }), { mode: 0o600 });
  const { stdout } = await promisify(execFile)('perl', [script, file, newLabel('perl')], { timeout: 600_000 });
  expect(stdout.trim().split('\n').at(-1)).toBe('all done');
  expect(stdout).toContain('no explicit renewal: 2102');
});
