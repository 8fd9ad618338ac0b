import { buildRRset, checkZone, type RRset, RRsetError, rrText, serialIsNewer } from '@namehold/dns';
import { allTenants, sql } from '@namehold/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { times } from '../../../../test/support/times.ts';
import type { Actor } from '../../src/core/app-context.ts';
import { Refusal } from '../../src/core/errors.ts';
import type { RRsetEdit } from '../../src/core/model/zone-task.ts';
import { readDomain } from '../../src/core/tables/domain.sql.ts';
import { rollbackZone } from '../../src/core/zones/change/rollback.ts';
import { journalSince, streamZone, zoneRRsets, zoneSnapshot } from '../../src/core/zones/publish/publish.ts';
import { feedCursor, zoneHeadByName, zonesChangedSince } from '../../src/core/zones/publish/zone-head.sql.ts';
import { patchRRsets } from '../../src/core/zones/rrsets/patch-rrsets.ts';
import { makeDomain } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const actor: Actor = {
  resellerId: '1000',
  keyId: null,
  address: 'test',
  requestId: 'req_test',
  scopes: ['full'],
  isOperator: false,
};
const domainOf = (id: string) => readDomain(t.ctx.db.as(allTenants), id);

/** Names that are each other's parents, targets, wildcards and cuts, so that every rule between RRsets can be broken with them. */
const names = ['@', 'a', 'b', '*', 'sub', 'x.sub', '*.sub', 'y.x.sub'];
const values: Record<string, string[]> = {
  A: ['192.0.2.1', '192.0.2.2'],
  TXT: ['one', 'two'],
  CNAME: ['a', 'sub', 'away.example.net.'],
  MX: ['10 a', '20 x.sub', '10 mail.example.net.'],
  NS: ['a', 'x.sub', 'b', 'ns1.example.net.', 'ns2.example.net.'],
  DNAME: ['away.example.net.', 'a'],
  SRV: ['0 0 80 b', '0 0 80 away.example.net.'],
};
const edit = fc
  .record({
    name: fc.constantFrom(...names),
    type: fc.constantFrom(...Object.keys(values)),
    ttl: fc.constantFrom(60, 300),
  })
  .chain(({ name, type, ttl }) =>
    fc
      .subarray(values[type]!, {
        minLength: 0,
        maxLength: type === 'CNAME' || type === 'DNAME' ? 1 : values[type]!.length,
      })
      .map((records): RRsetEdit => ({ name, type, ttl, records })),
  );

type Model = Map<string, RRset>;
const keyOf = (set: { name: string; type: string }) => `${set.name} ${set.type}`;
const plain = (sets: Iterable<RRset>) =>
  [...sets]
    .map(
      (set) =>
        `${keyOf(set)} ${set.ttl} ${set.records
          .map((record) => record.text)
          .sort()
          .join(' | ')}`,
    )
    .sort();

function applied(model: Model, edits: readonly RRsetEdit[], origin: string): Model | undefined {
  const next = new Map(model);
  const seen = new Set<string>();
  for (const { name, type, ttl, records } of edits) {
    const owner = name === '@' ? origin : `${name}.${origin}`;
    const key = `${owner} ${type}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    if (records!.length === 0) next.delete(key);
    else {
      try {
        next.set(
          key,
          buildRRset({ name: owner, type, ttl: ttl!, records: records! }, { origin, dotless: 'absolute-if-dotted' })
            .rrset,
        );
      } catch (error) {
        if (error instanceof RRsetError) return undefined;
        throw error;
      }
    }
  }
  return next;
}

test('refuses exactly the changes that make the zone invalid, and journals every accepted one', async () => {
  let at = 0;
  let accepted = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 15 }),
      async (changes) => {
        at += 1;
        const id = await makeDomain(t, `model${at}.com`);
        const origin = `model${at}.com.`;
        const domain = await domainOf(id);
        await patchRRsets(t.ctx, actor, domain, {
          rrsets: [{ name: 'a', type: 'A', ttl: 60, records: ['192.0.2.1'] }],
        });
        const db = t.ctx.db.as(allTenants);
        const head = (await zoneHeadByName(db, origin))!;
        let model: Model = new Map((await zoneRRsets(db, head.id)).map((set) => [keyOf(set), set]));
        const states: { serial: number; rrsets: string[]; records: Set<string> }[] = [];
        const keep = async () => {
          const now = (await zoneSnapshot(t.ctx, origin))!;
          const lines = now.rrsets.flatMap((set) =>
            set.records.map((record) => `${keyOf(set)} ${set.ttl} ${record.text}`),
          );
          states.push({ serial: now.head.serial, rrsets: plain(now.rrsets), records: new Set(lines) });
          expect(plain(now.rrsets)).toEqual(plain(model.values()));
          expect(now.head.recordCount).toBe(lines.length);
        };
        await keep();
        for (const edits of changes) {
          const next = applied(model, edits, origin);
          const faults = next
            ? checkZone(origin, [head.soa, ...next.values()]).errors
            : [{ name: '', type: '', reason: 'RRset' }];
          try {
            const changed = await patchRRsets(t.ctx, actor, domain, { rrsets: edits });
            expect(faults, `accepted ${JSON.stringify(edits)} on ${plain(model.values()).join('\n')}`).toEqual([]);
            accepted += 1;
            if (changed.isChanged) expect(serialIsNewer(changed.zone.serial, changed.previousSerial)).toBe(true);
            model = next!;
            await keep();
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            expect(
              faults,
              `refused ${JSON.stringify(edits)}: ${error.message} on ${plain(model.values()).join('\n')}`,
            ).not.toEqual([]);
            refused += 1;
          }
        }
        await replay(origin, states);
        const target = states[Math.floor(states.length / 2)]!;
        await rollbackZone(t.ctx, actor, domain, { serial: target.serial, isDryRun: false });
        expect(plain((await zoneSnapshot(t.ctx, origin))!.rrsets)).toEqual(target.rrsets);
      },
    ),
    { seed: 5353, numRuns: times(8, 25) },
  );
  expect(accepted).toBeGreaterThan(10);
  expect(refused).toBeGreaterThan(10);
});

/** What a secondary does with IXFR, from every serial that it may hold. */
async function replay(origin: string, states: readonly { serial: number; records: Set<string> }[]): Promise<void> {
  const db = t.ctx.db.as(allTenants);
  const head = (await zoneHeadByName(db, origin))!;
  for (const held of states) {
    const steps = (await journalSince(db, head, held.serial))!;
    const records = new Set(held.records);
    const line = (rr: Parameters<typeof rrText>[0]) =>
      `${rr.name} ${rr.type} ${rr.ttl} ${rrText(rr).split(`${rr.type}`).slice(1).join(rr.type).trim()}`;
    for (const step of steps) {
      for (const rr of step.deleted)
        expect(records.delete(line(rr)), `${line(rr)} not in ${[...records].join('\n')}`).toBe(true);
      for (const rr of step.added) {
        expect(records.has(line(rr))).toBe(false);
        records.add(line(rr));
      }
    }
    expect([...records].sort()).toEqual([...states.at(-1)!.records].sort());
  }
}

test('misses no zone change in the feed, however late a transaction commits', async () => {
  const db = t.ctx.db.as(allTenants);
  const id = await makeDomain(t, 'feed.com');
  const domain = await domainOf(id);
  await patchRRsets(t.ctx, actor, domain, { rrsets: [{ name: 'a', type: 'A', records: ['192.0.2.1'] }] });
  const start = await feedCursor(db);
  const late = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = t.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`update zone set changed_xid = pg_current_xact_id() where domain_id = ${id}`);
    begun.resolve();
    await late.promise;
  });
  await begun.promise;
  const other = await makeDomain(t, 'feed2.com');
  await patchRRsets(t.ctx, actor, await domainOf(other), {
    rrsets: [{ name: 'a', type: 'A', records: ['192.0.2.1'] }],
  });
  // Zones may be returned again while an older transaction is open; none may be left out.
  const namesOf = ({ zones }: { zones: readonly { name: string }[] }) => zones.map((zone) => zone.name);
  const first = await zonesChangedSince(db, start).finally(late.resolve);
  expect(namesOf(first)).toContain('feed2.com.');
  await slow;
  const second = await zonesChangedSince(db, first.cursor);
  expect(namesOf(second)).toContain('feed.com.');
  const afterwards = async () => namesOf(await zonesChangedSince(db, await feedCursor(db)));
  await expect.poll(afterwards).not.toContain('feed.com.');
});

test('streams a large zone in pages, and has no journal for an unknown serial', async () => {
  const id = await makeDomain(t, 'stream.com');
  const rrsets = Array.from({ length: 100 }, (_, n) => ({ name: `h${n}`, type: 'A', records: ['192.0.2.1'] }));
  await patchRRsets(t.ctx, actor, await domainOf(id), { rrsets });
  const db = t.ctx.db.as(allTenants);
  const head = (await zoneHeadByName(db, 'stream.com.'))!;
  const seen: string[] = [];
  for await (const set of streamZone(db, head.id, 7)) seen.push(keyOf(set));
  expect(new Set(seen).size).toBe(101);
  expect(await journalSince(db, head, 1)).toBeUndefined();
  expect(await journalSince(db, head, head.serial)).toEqual([]);
});
