import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { printTable } from './dns/table.ts';
import { newFolder, startService } from './http/stage.ts';
import { openHeap } from './memory/heap.ts';
import { MixedLoad } from './memory/mixed-load.ts';

/**
 * Memory under mixed load: `npm run bench -- memory -- --minutes 120`. After each tenth of the time the load pauses, the inspector
 * collects garbage, and the heap is read. A leak shows as a heap that grows with the calls. The baseline is the heap after the first
 * tenth, when caches and compiled code are in place.
 */
const option = (name: string, other: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? other : Number(process.argv[at + 1]);
};
const minutes = option('minutes', 2);
const perSecond = option('rate', 20);
const samples = 10;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const folder = newFolder();
const inspectorPort = await freePort();
const command = [process.execPath, `--inspect=127.0.0.1:${inspectorPort}`, 'packages/server/src/main.ts', 'serve'];
const started = await startService(folder, command, { NAMEHOLD_DNS_PORT: '0' });
try {
  const heap = await openHeap(inspectorPort, started.child.pid!);
  const load = await MixedLoad.open(started.credentials);
  const rows: { minute: string; calls: number; failed: number; heap: number; external: number; resident: number }[] =
    [];
  for (let sample = 1; sample <= samples; sample += 1) {
    await load.run((minutes * 60_000) / samples, perSecond);
    const { heapMiB, externalMiB, residentMiB } = await heap.settled();
    const minute = ((minutes * sample) / samples).toFixed(1);
    rows.push({
      minute,
      calls: load.calls,
      failed: load.failed,
      heap: heapMiB,
      external: externalMiB,
      resident: residentMiB,
    });
    console.log(`${minute} min, ${load.calls} calls, ${load.failed} failed, heap ${heapMiB.toFixed(1)} MiB`);
  }
  heap.close();
  printTable('Memory after garbage collection', [
    ['minutes', 'calls', '5xx', 'heap MiB', 'external MiB', 'resident MiB', 'heap to the first'],
    ...rows.map((row) => [
      row.minute,
      String(row.calls),
      String(row.failed),
      row.heap.toFixed(1),
      row.external.toFixed(1),
      row.resident.toFixed(0),
      (row.heap / rows[0]!.heap).toFixed(2),
    ]),
  ]);
  const [half, last] = [rows[samples / 2 - 1]!, rows.at(-1)!];
  const perCall = ((last.heap - half.heap) * 1024 * 1024) / (last.calls - half.calls);
  console.log(`heap growth in the second half: ${perCall.toFixed(0)} bytes a call`);
} finally {
  await started.stop();
  rmSync(folder, { recursive: true, force: true });
}
