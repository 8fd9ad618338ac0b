import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { patroniTimes } from './world/patroni.ts';

const page = fileURLToPath(new URL('../../docs/operate/cluster.md', import.meta.url));
const [begin, end] = ['<!-- outages: written by the test below -->\n', '<!-- /outages -->\n'];

export interface Outage {
  readonly name: string;
  /** The longest time in which no order was accepted and no list was read, in milliseconds. */
  readonly writes: number;
  readonly reads: number;
  /** Orders accepted from the fault until full recovery. */
  readonly orders: number;
}

/** Written into docs/operate/cluster.md by each run. */
export function writeOutages(outages: readonly Outage[]): void {
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/operate/cluster.md has no place for the table of outages');
  writeFileSync(page, `${text.slice(0, from + begin.length)}${table(outages)}${text.slice(to)}`);
}

function table(outages: readonly Outage[]): string {
  const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
  const rows = outages.map(
    ({ name, writes, reads, orders }) => `| ${name} | ${seconds(writes)} | ${seconds(reads)} | ${orders} |`,
  );
  const date = new Date().toISOString().slice(0, 10);
  const { ttl, loop_wait, retry_timeout } = patroniTimes;
  return `
| failure | no order accepted for | no list read for | orders accepted meanwhile |
|---|---|---|---|
${rows.join('\n')}

Run on ${date} by \`npm run test:long test/faults/patroni\`, with \`ttl: ${ttl}\`, \`loop_wait: ${loop_wait}\`, \`retry_timeout: ${retry_timeout}\` the defaults of Patroni.

`;
}
