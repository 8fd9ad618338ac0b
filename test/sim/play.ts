import { draw } from './draw.ts';
import { known } from './known.ts';
import { drawn, playScripts } from './run.ts';
import { printed } from './script.ts';

/** `node test/sim/play.ts 1-20 [--print]`, or `known`: scripts by hand, each with what came of it. */
const [range = '1-10', mode] = process.argv.slice(2);
const [first = 1, last = first] = range.split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, n) => first + n);
if (mode === '--print') for (const seed of seeds) console.log(printed(draw(seed)));
else {
  const scripts = range === 'known' ? known : drawn(seeds);
  for await (const { seed, script, failure, slowestMs, orders } of playScripts(scripts)) {
    const time = new Date().toISOString().slice(11, 19);
    console.log(
      `${time} seed ${seed}: ${failure ? 'FAILED' : 'agrees'}, ${orders} orders, slowest ${Math.round(slowestMs)} ms`,
    );
    if (failure) console.log(`${failure.message}\n${printed(script)}\n`);
  }
}
