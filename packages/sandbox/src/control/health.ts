import { registryTenant } from '../registry/registry.ts';
import type { ControlCall } from './control.ts';
import { countRows, pingDatabase } from './health.sql.ts';

export const showHealth: ControlCall = async ({ registry }) => {
  await pingDatabase(registry.db.as(registryTenant));
  return { status: 'ok', now: registry.clock.now().toISOString() };
};

export const showStats: ControlCall = async ({ registry, tally }) => {
  const counts = await countRows(registry.db.as(registryTenant));
  return {
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])),
    sessions: tally.sessions(),
    broken_frames: tally.brokenFrames(),
    answers: tally.answers(),
    rss_bytes: process.memoryUsage().rss,
  };
};
