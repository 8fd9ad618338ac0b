import { processExpiryOnce } from '../../packages/server/src/core/domains/end/expire.ts';
import { reconcile } from '../../packages/server/src/core/reconciliation/reconcile.ts';
import { type Buyer, registration } from './buyers.ts';
import { Growth } from './grow.ts';
import { measure, rounded, show } from './rate.ts';
import type { Stage } from './stage.ts';

const orders = 60;
const reads = 100;
const listed = 100;
/** A day without orders across midnight. */
const nextYear = new Date(new Date().setUTCFullYear(new Date().getUTCFullYear() + 1)).toISOString().slice(0, 10);

/** Orders, lists, searches and reconciliation as the number of registrations grows, and the data of each registration. */
export async function measureGrowth(
  stage: Stage,
  [grown, other]: readonly Buyer[],
  largest: number,
  { isBare, isVerified }: { readonly isBare: boolean; readonly isVerified: boolean },
): Promise<object[]> {
  const growth = await Growth.begin(stage, grown!, isBare);
  const rows: object[] = [];
  try {
    const empty = await growth.sizes();
    for (const size of [...[10_000, 100_000, 1_000_000, 10_000_000].filter((each) => each < largest), largest]) {
      const begun = performance.now();
      await growth.to(size);
      const fill_seconds = rounded((performance.now() - begun) / 1_000);
      const octets = [...(await growth.sizes())].map(
        ([table, now]) => [table, Math.round((now - (empty.get(table) ?? 0)) / size)] as const,
      );
      const bytes_a_name = Object.fromEntries(octets.filter(([, each]) => each > 0).sort((a, b) => b[1] - a[1]));
      const bytes_in_all = octets.reduce((sum, [, each]) => sum + each, 0);
      rows.push({
        names: size,
        fill_seconds,
        ...(await measureSize(stage, grown!, other!, size)),
        ...(isVerified ? { verify_seconds: await measureBooks(stage) } : {}),
        bytes_in_all,
        bytes_a_name,
      });
      process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
    }
  } finally {
    await growth.close();
  }
  return rows;
}

async function measureSize(stage: Stage, grown: Buyer, other: Buyer, size: number): Promise<object> {
  const call = async (buyer: Buyer, method: string, path: string, form?: Record<string, string>) => {
    const { status, body } = await stage.call(buyer.credentials, method, path, form ? { form } : {});
    // An empty list is fast and measures nothing.
    if (status !== 200 || (Array.isArray(body) && body.length !== listed))
      throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  };
  const get = (path: string) => () => call(grown, 'GET', path);
  const ordered = (index: number) => `at-${size}-${index}.com`;
  const order = (index: number) => call(other, 'POST', '/v1/domains', registration(other, ordered(index)));
  const renewal = (index: number) =>
    call(other, 'POST', `/v1/domains/${ordered(index)}/renew`, {
      years: '1',
      current_date: nextYear,
      invoice_option: 'no_invoice',
    });
  await measure(10, 1, (index) => order(orders + index));
  return {
    balance_call: show(await measure(reads, 1, get('/v1/account/balance'))),
    order: show(await measure(orders, 1, order)),
    renewal: show(await measure(orders, 1, renewal)),
    list_first_100: show(await measure(reads, 1, get(`/v1/domains?limit=${listed}`))),
    list_last_100: show(
      await measure(reads, 1, get(`/v1/domains?limit=${listed}&page_no=${Math.floor(size / listed)}`)),
    ),
    search: show(
      await measure(reads, 1, (index) =>
        get(`/v1/search?q=grown-${String(1 + ((index * 7_919) % size)).padStart(9, '0')}`)(),
      ),
    ),
    expiry_run_seconds: await seconds(() => processExpiryOnce(stage.ctx)),
  };
}

const measureBooks = async (stage: Stage) => ({
  entries: await seconds(() => agreed(stage, 'entries')),
  operations: await seconds(() => agreed(stage, 'operations')),
  domains: await seconds(() => agreed(stage, 'domains')),
});

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return rounded((performance.now() - begun) / 1_000, 2);
}

/** The sandbox registry does not have the copies, so its source is not compared. */
async function agreed(stage: Stage, book: 'entries' | 'operations' | 'domains'): Promise<void> {
  const { found, differences } = await reconcile(stage.ctx, [book]);
  if (found > 0) throw new Error(`${found} differences, the first of them ${JSON.stringify(differences[0])}`);
}
