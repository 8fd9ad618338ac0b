import { readFileSync } from 'node:fs';
import { draw } from './draw/draw.ts';
import { known } from './known.ts';
import { drawn, playScripts } from './run.ts';
import { printed, type Script } from './script.ts';

/** `node test/sim/play.ts 1-20 [--print]`, `known [901,907]`, or a file with a script as JSON: scripts by hand, each with what came of it. */
const [range = '1-10', mode] = process.argv.slice(2);
const [first = 1, last = first] = range.split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, n) => first + n);
function chosen(): Iterable<Script> {
  if (range.endsWith('.json')) return [JSON.parse(readFileSync(range, 'utf8')) as Script];
  if (range === 'known')
    return known.filter(({ seed }) => mode === undefined || mode.split(',').includes(String(seed)));
  return drawn(seeds);
}
if (mode === '--print') for (const seed of seeds) console.log(printed(draw(seed)));
else {
  for await (const { seed, script, failure, settlementsMs, orders } of playScripts(chosen())) {
    const time = new Date().toISOString().slice(11, 19);
    const slowest = Math.round(Math.max(0, ...settlementsMs));
    console.log(`${time} seed ${seed}: ${failure ? 'FAILED' : 'agrees'}, ${orders} orders, slowest ${slowest} ms`);
    if (failure) console.log(`${failure.matter}: ${failure.message}\n${printed(script)}\n`);
  }
}
