import { readFileSync } from 'node:fs';
import { draw } from './draw/draw.ts';
import { known } from './known.ts';
import { describeSpent } from './play-script.ts';
import { drawn, playScripts } from './run.ts';
import { printed, type Script } from './script.ts';
import { requestedSeeds } from './seeds.ts';

/**
 * `node test/sim/play.ts 1-20,4711 [--print]`, `known [901,907]`, or a file with a script as JSON: runs scripts and prints the result of
 * each.
 */
const [range = '1-10', mode] = process.argv.slice(2);
const seeds = requestedSeeds(range) ?? [];
function chosen(): Iterable<Script> {
  if (range.endsWith('.json')) return [JSON.parse(readFileSync(range, 'utf8')) as Script];
  if (range === 'known')
    return known.filter(({ seed }) => mode === undefined || mode.split(',').includes(String(seed)));
  return drawn(seeds);
}
if (mode === '--print') for (const seed of seeds) console.log(printed(draw(seed)));
else {
  for await (const { seed, script, failure, settlementsMs, orders, spent } of playScripts(chosen())) {
    const time = new Date().toISOString().slice(11, 19);
    const slowest = Math.round(Math.max(0, ...settlementsMs));
    const came = failure ? 'FAILED' : 'agrees';
    console.log(`${time} seed ${seed}: ${came}, ${orders} orders, slowest ${slowest} ms, ${describeSpent(spent)}`);
    if (failure) console.log(`${failure.matter}: ${failure.message}\n${printed(script)}\n`);
  }
}
