import { hottest, readProfile, type Span, sharedMicroseconds, timeByPart } from './flame.ts';
import { load } from './load.ts';
import { basic, databaseOf, seedCustomers, startService } from './stage.ts';

interface Loaded {
  readonly name: string;
  readonly span: Span;
  readonly requests: number;
}

const shown = (figure: number) => figure.toFixed(1);

/** The time of a request by part: the service under load with Node's own profiler, which slows it down a little. */
export async function profiled(
  folder: string,
  { customers, connections, ms }: { customers: number; connections: number; ms: number },
): Promise<void> {
  const main = [
    '--cpu-prof',
    '--cpu-prof-interval=200',
    `--cpu-prof-dir=${folder}`,
    'packages/server/src/main.ts',
    'serve',
  ];
  const service = await startService(folder, [process.execPath, ...main]);
  const loaded: Loaded[] = [];
  try {
    const { base_url, reseller_id } = service.credentials;
    await seedCustomers(await databaseOf(folder), reseller_id, customers);
    for (const path of ['/v1/account/profile', '/v1/customers?limit=100']) {
      const ask = () =>
        load(`${base_url}${path}`, [`Authorization: ${basic(service.credentials)}`], { connections, ms });
      await ask();
      const from = sharedMicroseconds();
      const { requests } = await ask();
      loaded.push({ name: `GET ${path}`, span: { from, to: sharedMicroseconds() }, requests });
    }
  } finally {
    await service.stop();
  }
  const profile = readProfile(folder, service.child.pid!);
  for (const { name, span, requests } of loaded) {
    const { waiting = 0, ...busy } = Object.fromEntries(timeByPart(profile, span));
    const all = Object.values(busy).reduce((sum, each) => sum + each, 0);
    const rows = Object.entries(busy).sort(([, a], [, b]) => b - a);
    console.log(
      `\n${name}: ${requests} requests, ${shown(all / requests)} µs each; waiting ${shown(waiting / requests)} µs`,
    );
    console.table(rows.map(([part, sum]) => ({ part, µs: shown(sum / requests), '%': shown((100 * sum) / all) })));
    console.table(hottest(profile, span, 30).map(([what, sum]) => ({ 'self time': what, µs: shown(sum / requests) })));
  }
}
