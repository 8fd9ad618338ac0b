import { sql } from '@namehold/base';
import { registryTenant } from '../registry/registry.ts';
import type { ControlCall } from './control.ts';

export const showHealth: ControlCall = async ({ registry }) => {
  await registry.db.as(registryTenant).one(sql`select 1 as alive`);
  return { status: 'ok', now: registry.clock.now().toISOString() };
};

export const showStats: ControlCall = async ({ registry, tally }) => {
  const counts = await registry.db.as(registryTenant).one<Record<string, string>>(sql`
    select (select count(*) from domain) as domains, (select count(*) from contact) as contacts,
      (select count(*) from host) as hosts, (select count(*) from poll_message) as poll_messages,
      (select count(*) from statement) as statement_lines,
      (select count(*) from transfer where state = 'pending') as pending_transfers`);
  return {
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])),
    sessions: tally.sessions(),
    broken_frames: tally.brokenFrames(),
    answers: tally.answers(),
    rss_bytes: process.memoryUsage().rss,
  };
};
