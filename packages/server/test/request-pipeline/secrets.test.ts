import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { expect, test } from 'vitest';
import { person } from '../../../../test/support/parties.ts';
import { demoOf, newFolder, removeFolder, startProcess, until } from '../support/process.ts';
import { basic } from './support/raw.ts';

test('leaves no secret in the log, in errors or in the database after typical use', async () => {
  const folder = newFolder();
  const service = await startProcess({ folder, env: { NAMEHOLD_LOG_LEVEL: 'trace' } });
  const bodies: string[] = [];
  const secrets = new Map<string, string>();
  const note = (name: string, value: unknown) => {
    expect(value, name).toBeTypeOf('string');
    secrets.set(name, value as string);
  };
  const call = async (
    method: string,
    path: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = {},
    as = demoOf(service),
  ) => {
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { Authorization: basic(as), ...headers },
      ...(fields ? { body: new URLSearchParams(fields) } : {}),
    });
    const text = await answer.text();
    if (answer.status >= 400) bodies.push(text);
    return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> };
  };
  note('demo key', service.credentials.api_key);
  note('operator key', service.credentials.operator.api_key);
  note('registry password', service.credentials.registry!.password);
  const once = { 'Idempotency-Key': 'the-key-of-a-key' };

  const key = await call('POST', '/v1/account/keys', { label: 'x', ip_whitelist: '127.0.0.1' }, once);
  note('new key', key.body.api_key);
  note('code of the printed link', /#code=(\S+)/.exec(service.output())?.[1]);
  const rotated = await call(
    'POST',
    `/v1/account/keys/${key.body.key_id}/rotate`,
    { overlap_seconds: '0' },
    { 'Idempotency-Key': 'rotate' },
  );
  note('rotated key', rotated.body.api_key);
  secrets.set('password of a customer', 'Tr0ub4dor-and-3-horses');
  const customer = await call(
    'POST',
    '/v1/customers',
    person({ email: 's@made.example', password: 'Tr0ub4dor-and-3-horses' }),
    { 'Idempotency-Key': 'customer' },
  );
  expect(customer.status).toBe(200);
  const temporary = await call('GET', `/v1/customers/${customer.body.customer_id}/temp_password`);
  if (temporary.status === 200) note('temporary password', temporary.body.temp_password ?? temporary.body.password);
  secrets.set('password of a reseller', 'Zebra-77-crossing-the-road');
  await call(
    'POST',
    '/v1/resellers',
    { ...person({ email: 'r@made.example', password: 'Zebra-77-crossing-the-road' }), selling_currency: 'USD' },
    {},
    `1:${service.credentials.operator.api_key}`,
  );

  // A domain, so that auth codes and registry frames exist.
  const owner = ((await call('GET', '/v1/customers?limit=1')).body as unknown as { customer_id: string }[])[0]!
    .customer_id;
  const contact = (
    (await call('GET', `/v1/customers/${owner}/contacts`)).body as unknown as { contact_id: string }[]
  )[0]!.contact_id;
  const order = {
    domain_name: 'secrets-test.com',
    customer_id: owner,
    years: '1',
    invoice_option: 'no_invoice',
    registrant_contact_id: contact,
    admin_contact_id: contact,
    tech_contact_id: contact,
    billing_contact_id: contact,
  };
  const bought = await call('POST', '/v1/domains', order, { 'Idempotency-Key': 'domain' });
  expect(bought.status, JSON.stringify(bought.body)).toBe(200);
  const code = await call('GET', `/v1/domains/${bought.body.domain_id}/auth_code`);
  expect(code.status).toBe(200);
  note('auth code', code.body);

  // Mistakes that contain secrets.
  const wrong = `nh_${'W'.repeat(43)}`;
  secrets.set('guessed key', wrong);
  await call('GET', '/v1/account/profile', undefined, {}, `1000:${wrong}`);
  await call('GET', `/v1/account/profile?api_key=${wrong}`);
  await call('GET', `/v1/account/keys/${wrong}`);
  await call('GET', `/v1/nothing/${wrong}`);
  await call('GET', `/v1/nothing/nh%5F${'W'.repeat(43)}`);
  await call('POST', '/v1/customers', { ...person(), password: 'Tr0ub4dor-and-3-horses', country_code: 'nowhere' });
  await call('POST', '/v1/customers', { ...person({ email: 's@made.example' }), password: 'Tr0ub4dor-and-3-horses' });

  await until(
    () =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes('"msg":"request"')).length >= 15,
  );
  const log = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n');
  expect(log.length).toBeGreaterThan(1_000);
  const dump = await dumpOf(folder);
  expect(dump.length).toBeGreaterThan(10_000);
  const found: string[] = [];
  for (const [name, secret] of secrets) {
    for (const [place, text] of [
      ['log', log],
      ['error bodies', bodies.join('\n')],
      ['database', dump],
    ] as const) {
      const forms = [
        secret,
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('hex'),
        encodeURIComponent(secret),
        basic(`1000:${secret}`).slice(6),
      ];
      if (forms.some((form) => text.includes(form))) found.push(`${name} in ${place}`);
    }
  }
  expect(secrets.size).toBeGreaterThanOrEqual(8);
  expect(found).toEqual([]);
  await service.end();
  removeFolder(folder);
});

/** Every row of every table as text, and the files of the server on disk. */
async function dumpOf(folder: string): Promise<string> {
  const client = new pg.Client({ host: `${folder}/postgres/socket`, user: 'postgres', database: 'namehold' });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  let text = '';
  for (const { name } of rows) {
    const all = await client.query<{ line: string }>(`select t::text as line from ${name} t`);
    text += all.rows.map((row) => row.line).join('\n');
  }
  await client.query('checkpoint');
  await client.end();
  const files = spawnSync(
    'sh',
    [
      '-c',
      `cat ${folder}/postgres/data/base/*/* ${folder}/postgres/data/pg_wal/0* ${folder}/postgres/postgres.log ${folder}/sandbox/sandbox.log 2>/dev/null | strings -n 12`,
    ],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    },
  );
  return `${text}\n${files.stdout}`;
}
