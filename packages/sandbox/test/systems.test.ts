import { readFileSync } from 'node:fs';
import {
  createEppPool,
  DEFAULT_PROFILE,
  type DomainCreateRequest,
  element,
  NAMESTORE,
  type ObjectRequest,
  type RegistryProfile,
} from '@namehold/epp';
import { sandboxSystems } from '@namehold/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLabel, strongPw } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
const pools: ReturnType<typeof createEppPool>[] = [];
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(async () => {
  for (const pool of pools) await pool.close();
  await registry.close();
});

/** A registrar at the endpoint of one registry, with its services; the rules are left to the registry. */
function registrarAt(name: string, change: Partial<RegistryProfile> = {}) {
  const { sandbox } = registry;
  const { namespaces } = sandboxSystems.find((system) => system.name === name)!;
  const state = sandbox.systems.find((system) => system.name === name)!;
  const pool = createEppPool({
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
      namespaces,
      otherExtensionURIs: [NAMESTORE.uri],
      rules: { ...DEFAULT_PROFILE.rules, authInfoMinLength: 0 },
      limits: { ...DEFAULT_PROFILE.limits, commandsPerSecond: 10_000, maxNamesPerCheck: 60 },
      ...change,
    },
  });
  pools.push(pool);
  const code = async (request: ObjectRequest) => (await pool.send(request)).code;
  return { pool, code, clientId: state.client_id };
}

const product = (text: string) => ({
  ext: { other: [element(NAMESTORE.uri, 'namestoreExt', {}, element(NAMESTORE.uri, 'subProduct', {}, text))] },
});
const check = (...names: string[]) => ({ object: 'domain', verb: 'check', names }) as const;
const create = (name: string, pw = strongPw): DomainCreateRequest => ({
  object: 'domain',
  verb: 'create',
  name,
  period: { value: 1, unit: 'y' },
  authInfo: { pw },
});

test('serves each TLD of a registry at one endpoint, and no others there', async () => {
  // An upstream resells TLDs of the others.
  const all = sandboxSystems.filter(({ keysys }) => !keysys).flatMap(({ tlds }) => tlds);
  expect(new Set(all).size).toBe(all.length);
  const { pool } = registrarAt('publicinterest');
  const checked = await pool.send(check('a-name.org', 'a-name.info'));
  expect(checked.kind === 'done' && checked.data.items.map(({ available }) => available)).toEqual([true, false]);
});

test('requires the product in every com command about names and hosts, and has no contacts', async () => {
  const { code, pool } = registrarAt('verisign');
  const name = `${newLabel('product')}.com`;
  expect(await code(check(name))).toBe(2003);
  expect(await code({ ...check(name), ...product('dotNET') })).toBe(2306);
  expect(await code({ ...check(name, 'a.net'), ...product('dotCOM') })).toBe(2306);
  const checked = await pool.send({ ...check(name), ...product('dotCOM') });
  expect(checked).toMatchObject({ code: 1000, ext: { other: [{ name: 'namestoreExt' }] } });
  expect(await code(create(name))).toBe(2003);
  expect(await code({ ...create(name), ...product('dotCOM') })).toBe(1000);
  expect(await code({ ...create(`${newLabel()}.com`), registrant: 'holder-1', ...product('dotCOM') })).toBe(2306);
  const host = { object: 'host', verb: 'create', name: `ns1.${newLabel()}.example` } as const;
  expect(await code(host)).toBe(2003);
  expect(await code({ ...host, ...product('dotORG') })).toBe(2306);
  expect(await code({ ...host, ...product('dotCOM') })).toBe(1000);
});

test('answers a balance query of balance-1.0 at the verisign endpoint only', async () => {
  const { pool, clientId, code } = registrarAt('verisign');
  const query = { object: 'balance', verb: 'info' } as const;
  await registry.control('POST', `/accounts/${clientId}`, {
    ...{ balance: '-150.00', credit_limit: '1000.00', low_balance_threshold: '500.00' },
  });
  expect(await pool.send(query)).toMatchObject({
    kind: 'done',
    data: {
      creditLimit: '1000.00',
      balance: '150.00',
      availableCredit: '850.00',
      threshold: { type: 'FIXED', value: '500.00' },
    },
  });
  expect(await code({ ...create(`${newLabel('paid')}.com`), ...product('dotCOM') })).toBe(1000);
  const after = await pool.send(query);
  expect(after.kind === 'done' && Number(after.data.availableCredit)).toBeLessThan(850);
  await expect(registrarAt('pandi').pool.send(query)).rejects.toThrow('not served');
});

test('gives every name an auth code from the start without RFC 9154', async () => {
  const { code } = registrarAt('generic-rfc');
  expect(await code({ ...create(`${newLabel()}.biz`, ''), registrant: 'none' })).toBe(2003);
  expect(await code(check(...Array.from({ length: 6 }, (_, at) => `a${at}.biz`)))).toBe(2004);
});

test('has an account of ours at each registry, with its own statement and messages', async () => {
  const { code, clientId } = registrarAt('nomulus');
  const name = `${newLabel('own')}.app`;
  expect(await code(create(name))).toBe(1000);
  const { entries } = await registry.control<{ entries: object[] }>('GET', `/statement?client=${clientId}`);
  expect(entries).toMatchObject([{ kind: 'charge', domain: name, amount: '12.00' }]);
});
