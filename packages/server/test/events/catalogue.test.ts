import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Tx } from '@namehold/postgres';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../../test/support/service.ts';
import type { AppContext } from '../../src/core/app-context.ts';
import { appendEvent } from '../../src/core/events/append.ts';
import { type EventType, events } from '../../src/core/events/catalogue.ts';

const folder = join(projectRoot, 'packages/server/src');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(ts|sql)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

test('contains every event that SQL appends', () => {
  const written = sources
    .filter(({ path }) => path !== 'core/events/append.ts')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:select|perform)\s+append_event\(([^;]*)/g)].map(([, rest]) => ({ path, rest: rest! })),
    );
  expect(written.length).toBeGreaterThan(1);
  for (const { path, rest } of written) {
    const [, type, object] = /'([a-z_]+\.[a-z_]+)', '([a-z]+)'/.exec(rest) ?? [];
    expect(events[type as EventType]?.object, `${path} appends ${type}`).toBe(object);
  }
});

test('is the only source of events, with its typed helpers', () => {
  const casting = sources.filter(({ text }) => /as (unknown as )?NewEvent\b/.test(text));
  expect(casting.map(({ path }) => basename(path)).sort()).toEqual([
    'life-event.ts',
    'outcome.ts',
    'place-change.ts',
    'propagate.ts',
  ]);
  const inserting = sources.filter(({ path, text }) => path.endsWith('.ts') && /insert into event\b/.test(text));
  expect(inserting.map(({ path }) => path)).toEqual(['core/commit/appended-events.sql.ts']);
});

test('contains no event that is never written', () => {
  const code = sources
    .filter(({ path }) => path.startsWith('core/') && path !== 'core/events/catalogue.ts')
    .map(({ text }) => text)
    .join('\n');
  expect(Object.keys(events).filter((type) => !code.includes(`'${type}'`))).toEqual([]);
});

test('describes every event in a sentence, and every field of its payload', () => {
  for (const [type, { sentence, since, payload }] of Object.entries(events)) {
    expect(sentence, type).toMatch(/^[A-Z].*\.$/);
    expect(since, type).toMatch(/^\d+\.\d+\.\d+$/);
    const undescribed = Object.entries(payload.shape).filter(([, schema]) => !described(schema as Described));
    expect(undescribed, type).toEqual([]);
  }
});

interface Described {
  readonly description?: string;
  readonly unwrap?: () => Described;
}
const described = (schema: Described): boolean =>
  schema.description !== undefined || (schema.unwrap !== undefined && described(schema.unwrap()));

/** Never called: the test is that it compiles, with exactly these errors. */
function acceptedPayloads(ctx: AppContext, tx: Tx): void {
  const ids = { resellerId: '1', objectId: '2' };
  const name = { domain_id: '2', domain_name: 'example.com' };
  void appendEvent(ctx, tx, { ...ids, type: 'domain.dropped', payload: name });
  // @ts-expect-error: not in the catalogue
  void appendEvent(ctx, tx, { ...ids, type: 'domain.sold', payload: name });
  // @ts-expect-error: a fact is missing
  void appendEvent(ctx, tx, { ...ids, type: 'domain.transferred_away', payload: name });
  // @ts-expect-error: a fact of another type
  void appendEvent(ctx, tx, { ...ids, type: 'domain.dropped', payload: { ...name, domain_id: 2 } });
}
void acceptedPayloads;
