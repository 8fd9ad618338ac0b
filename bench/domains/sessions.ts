import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { type Buyer, registration } from './buyers.ts';
import { measure, rounded } from './rate.ts';
import type { Stage } from './stage.ts';

const sessionCounts = [1, 2];
const buyersAtOnce = [1, 3];
/** Longer than cached settings of an open connection are valid. */
const settleMs = 6_000;

/** The same orders at one process and at three, with fewer registry sessions than processes. */
export async function measureSessions(stage: Stage, buyers: readonly Buyer[], orders: number): Promise<object[]> {
  const processes = [stage.credentials.base_url];
  const seconds = async (sessions: number, atOnce: number): Promise<number> => {
    const mark = `s${sessions}-b${atOnce}-p${processes.length}`;
    const order = async (name: string, index: number) => {
      const buyer = buyers[index % buyers.length]!;
      const { status, body } = await stage.call(buyer.credentials, 'POST', '/v1/domains', {
        form: registration(buyer, name),
        headers: { 'Idempotency-Key': name },
        at: processes[index % processes.length]!,
      });
      if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    };
    await measure(processes.length * 4, atOnce, (index) => order(`warm-${mark}-${index}.com`, index));
    return orders / (await measure(orders, atOnce, (index) => order(`${mark}-${index}.com`, index))).perSecond;
  };
  const all = async (): Promise<number[]> => {
    const durations: number[] = [];
    for (const sessions of sessionCounts) {
      await allow(stage, sessions);
      for (const atOnce of buyersAtOnce) durations.push(await seconds(sessions, atOnce));
    }
    return durations;
  };
  const one = await all();
  for (const _ of [2, 3]) processes.push(await stage.another());
  const three = await all();
  return sessionCounts.flatMap((sessions, at) =>
    buyersAtOnce.map((atOnce, index) => {
      const place = at * buyersAtOnce.length + index;
      return {
        sessions,
        'buyers at once': atOnce,
        orders,
        'one process, s': rounded(one[place]!, 2),
        'three processes, s': rounded(three[place]!, 2),
        ratio: rounded(three[place]! / one[place]!, 2),
      };
    }),
  );
}

/** Limits the number of sessions over all processes; processes with a session lose it. */
async function allow(stage: Stage, sessions: number): Promise<void> {
  await stage.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(
      sql`update registry set profile = jsonb_set(profile, '{limits,sessions}', ${String(sessions)}::jsonb) where id = 'sandbox'`,
    );
    await tx.run(sql`delete from registry_slot where registry_id = 'sandbox'`);
    await tx.run(
      sql`insert into registry_slot (registry_id, slot) select 'sandbox', s from generate_series(1, ${sessions}::int) s`,
    );
  });
  await sleep(settleMs);
}
