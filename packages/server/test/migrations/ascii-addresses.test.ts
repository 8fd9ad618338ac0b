import { allTenants, migrate } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyDatabase, openRestricted } from '../../../../test/support/database.ts';
import { listDuplicateAddresses } from '../../src/core/reference/address.sql.ts';
import { asciiAddress } from '../../src/core/reference/email.ts';
import { schemaFolder } from '../../src/parts.ts';

const before = '0299_folded_notices.sql';
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let client: pg.Client;
const query = async <T extends object>(text: string, values: unknown[] = []) =>
  (await client.query<T>(text, values)).rows;

const postal = {
  name: 'x',
  company: 'x',
  address_line_1: 'x',
  city: 'x',
  state: 'x',
  country_code: 'ID',
  zipcode: '1',
  tel_cc_no: '62',
  tel_no: '1',
  created_at: new Date(),
};
async function insert(table: string, row: object): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, n) => `$${n + 1}`).join(', ');
  await query(`insert into ${table} (${names.join(', ')}) values (${places})`, Object.values(row));
}
const addCustomer = (id: number, email: string) =>
  insert('customer', { ...postal, id, email, reseller_id: 1, currency: 'USD', password_hash: 'x' });
const addUser = (id: string, email: string) =>
  insert('person', { id, email, name: 'x', password_hash: 'x', created_at: new Date(2026, 0, Number(id)) });

const spellings = [
  'søren@Bücher.example',
  'a+b@bücher.ＥＸＡＭＰＬＥ',
  'one@ｆlood-target.example',
  'two@dup。example',
  'three@他们为什么不说中文.example',
  'four@почемужеонинеговорятпорусски.example',
  'five@mañana。straße．example',
  'six@ひとつ屋根の下2.example',
];

beforeAll(async () => {
  database = await emptyDatabase();
  await migrate({ url: database.url, folder: schemaFolder, upTo: before });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const currencies = { selling_currency: 'USD', accounting_currency: 'USD' };
  const since = new Date(0);
  await insert('reseller', { ...postal, ...currencies, id: 1, email: 'me@bücher.example', email_since: since });
  for (const [n, email] of spellings.entries()) await addCustomer(2001 + n, email);
  await addCustomer(3001, 'Same@dup.example');
  await addCustomer(3002, 'same@ｄup.example');
  await addCustomer(3003, 'same@dup。example');
  await addUser('1', 'user@ｄup.example');
  await addUser('2', 'user@dup。example');
  await addUser('3', 'plain@dup.example');
  await insert('mail_address', { reseller_id: 1, address_key: 'user@ｄup.example', verified_at: since });
  await migrate({ url: database.url, folder: schemaFolder });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it('writes domains of addresses in ASCII, as the service does', async () => {
  const rows = await query<{ email: string }>('select email from customer where id < 3000 order by id');
  expect(rows.map(({ email }) => email)).toEqual(spellings.map(asciiAddress));
  expect(rows.every(({ email }) => /@[\x21-\x7e]+$/.test(email))).toBe(true);
  const [account] = await query('select email, email_since from reseller');
  expect(account).toEqual({ email: 'me@xn--bcher-kva.example', email_since: new Date(0) });
  expect(await query('select address_key from mail_address')).toEqual([{ address_key: 'user@dup.example' }]);
});

it('leaves and reports an address whose mailbox another customer or user has', async () => {
  expect(await query('select id, email from customer where id > 3000 order by id')).toEqual([
    { id: '3001', email: 'Same@dup.example' },
    { id: '3002', email: 'same@ｄup.example' },
    { id: '3003', email: 'same@dup。example' },
  ]);
  expect((await query<{ email: string }>('select email from person order by id')).map(({ email }) => email)).toEqual([
    'user@dup.example',
    'user@dup。example',
    'plain@dup.example',
  ]);
  const db = await openRestricted(database.url);
  expect(await listDuplicateAddresses(db.as(allTenants), 10)).toEqual([
    { kind: 'customer', id: '3002' },
    { kind: 'customer', id: '3003' },
    { kind: 'user', id: '2' },
  ]);
  await db.close();
});
