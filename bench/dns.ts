import { parseArgs } from 'node:util';
import { removeNameserver } from '../packages/server/src/core/nameservers/remove.ts';
import { Fleet } from '../test/nameservers/support/fleet.ts';
import { measureAmplification } from './dns/amplification.ts';
import { measureAnswers } from './dns/answers.ts';
import { measureCreation } from './dns/creation.ts';
import { measureGrowth } from './dns/growth.ts';
import { measureLag } from './dns/lag.ts';
import { measureLarge } from './dns/large.ts';
import { measureQueries } from './dns/queries.ts';
import { measureReload } from './dns/reload.ts';
import { measureWorst } from './dns/worst.ts';

/**
 * Publishing to Debian's Knot, BIND, NSD and PowerDNS as secondaries: time until a change is served by each, zones created per second, a
 * large change, a large transfer, and the slowest answer beside a large zone. Then queries a second as a ratio to Knot and NSD with the
 * same zones in the same run, amplification, and the slowest answer while 100,000 zones are loaded again. `--growth 100000` measures
 * memory and start time as zones grow from 1,000; run it by hand.
 */
const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '20' },
    zones: { type: 'string', default: '500' },
    served: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    growth: { type: 'string', default: '0' },
    reloaded: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'amplification,answers,reload,lag,creation,queries,large,worst' },
  },
});
const wanted = new Set(values.only.split(','));
const zones = Number(values.zones);

if (wanted.has('amplification')) measureAmplification();
if (wanted.has('reload')) await measureReload(Number(values.reloaded));
if (wanted.has('answers')) await measureAnswers(Number(values.served), Number(values.rounds), Number(values.seconds));
const needsFleet =
  ['lag', 'creation', 'queries', 'large', 'worst'].some((part) => wanted.has(part)) || Number(values.growth) > 0;
if (!needsFleet) process.exit(0);
const fleet = await Fleet.start({}, true);
try {
  if (wanted.has('lag')) await measureLag(fleet, Number(values.changes));
  if (wanted.has('creation')) await measureCreation(fleet, zones);
  if (wanted.has('creation') && wanted.has('queries')) measureQueries(fleet, zones);
  if (wanted.has('large')) await measureLarge(fleet);
  if (wanted.has('worst')) await measureWorst(fleet);
  if (Number(values.growth) > 0) {
    // Only the embedded nameserver is measured: missing secondaries would be searched for.
    for (const peer of fleet.peers) {
      await peer.stop();
      await removeNameserver(fleet.lab.ctx, fleet.lab.actor, peer.id);
    }
    await measureGrowth(fleet, Number(values.growth));
  }
} finally {
  await fleet.stop();
}
