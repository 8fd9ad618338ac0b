import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `npm run bench` runs all benches; `npm run bench -- http dns` only these; arguments after `--` are passed to each. */
const known = ['http', 'epp', 'sandbox', 'checks', 'dns', 'domains', 'edge', 'mx', 'console', 'memory', 'upstream'];
const split = process.argv.indexOf('--', 2);
const words = process.argv.slice(2, split < 0 ? undefined : split);
const options = split < 0 ? [] : process.argv.slice(split + 1);
const unknown = words.filter((word) => !known.includes(word));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(2);
}
let failed = 0;
for (const name of words.length > 0 ? words : known) {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  if (!existsSync(file)) continue;
  console.log(`\n== ${name} ==`);
  const { status } = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`bench ${name} failed`);
    failed += 1;
  }
}
process.exit(failed === 0 ? 0 : 1);
