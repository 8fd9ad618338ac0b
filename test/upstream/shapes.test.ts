import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tools } from '../../packages/server/src/command-line.ts';
import {
  expectedShapes,
  expectedShapesFile,
  written,
} from '../../packages/server/src/registries/upstream/shapes/expected.ts';
import { recordShapes } from '../../packages/server/src/registries/upstream/shapes/record.ts';
import {
  compareShapes,
  fieldsIn,
  merged,
  type Shapes,
  shapeOf,
} from '../../packages/server/src/registries/upstream/shapes/shape.ts';
import { dialectsOfOthers, type SimulatedUpstream, upstreams } from './simulators/upstreams.ts';

/** Shapes of answers: `namehold registry record`. `UPDATE_SHAPES=1` writes those of the simulators. */
const ctx = { wall: { now: () => new Date('2026-11-15T09:00:00Z') } };

/** Field names of the simulators. Other keys are numbers of rows, ids, domain names and products. */
const fieldNames = {
  has: (key: string) => /^[A-Za-z_][\w.:-]*$/.test(key) && !/\.org$|^org$|^dom(cno|org)$|^dot[a-z]+$|^third/.test(key),
};

function loginTo(simulated: SimulatedUpstream) {
  const { port, reseller, key } = simulated.way;
  const given = { kind: 'upstream', currency: simulated.ledger.currency, transport: 'http', ...simulated.profile };
  const profile = tools.readProfile(JSON.stringify(given), 'shapes');
  return { id: 'shapes', profile, host: '127.0.0.1', port, clientId: reseller, secret: key };
}

async function recorded(dialect: string, fields: Parameters<typeof recordShapes>[2]['fields']) {
  const simulated = await upstreams[dialect]!();
  simulated.addDomain('secret-name.org');
  const found = await recordShapes(ctx, loginTo(simulated), { tld: 'org', fields });
  const calls = simulated.server.log.requests.map(({ method, call }) => `${method} ${call}`);
  await simulated.stop();
  return { ...found, calls, key: simulated.way.key };
}

describe.each(dialectsOfOthers())('the shapes of %s', (dialect) => {
  test('are those of its simulator', async () => {
    const { shapes } = await recorded(dialect, fieldNames);
    if (process.env.UPDATE_SHAPES)
      writeFileSync(expectedShapesFile(dialect), `${JSON.stringify(written(shapes), null, 2)}\n`);
    expect(expectedShapes(dialect)).toEqual(shapes);
  });

  test('are recorded with queries only, and without a value, a name or an id', async () => {
    const { shapes, calls, key } = await recorded(dialect, fieldsIn(expectedShapes(dialect)!));
    expect(compareShapes(expectedShapes(dialect)!, shapes)).toEqual([]);
    expect(JSON.stringify(shapes)).not.toMatch(/secret-name|namehold-shape|@/);
    expect(JSON.stringify(shapes)).not.toContain(key);
    expect(
      calls.filter((call) => /register|renew|transferDomain|create|update|delete(?!d)|modify/i.test(call)),
    ).toEqual([]);
    expect(readFileSync(expectedShapesFile(dialect), 'utf8')).not.toMatch(/secret-name|4711/);
  });
});

describe('a recording', () => {
  const expected: Shapes = {
    'GET /x': shapeOf({ status: 'ok', rows: [{ id: 1, owner: { email: 'a' } }], empty: [] }, { has: () => true }),
  };
  const record = (body: unknown) => {
    const others: string[] = [];
    return { shape: shapeOf(body, fieldsIn(expected), (key) => others.push(key)), others };
  };

  test('contains no key that is not a known field name', () => {
    const { shape, others } = record({
      status: 'Budi Santoso',
      rows: [{ id: 2, 'budi@example.com': { phone: '+62' } }],
      'budi.example': 1,
    });
    expect(JSON.stringify(shape)).not.toMatch(/budi|62/i);
    expect(others).toEqual(['budi@example.com', 'phone', 'budi.example']);
  });

  test('reports missing and new fields and other types, and nothing below an empty list', () => {
    const found = (body: unknown) =>
      compareShapes(expected, { 'GET /x': record(body).shape }).map(({ kind, path }) => `${kind} ${path}`);
    expect(found({ status: 'ok', rows: [], empty: [{ id: 1 }] })).toEqual([]);
    expect(found({ status: 1, rows: [{ id: null, owner: { email: 'b' } }], empty: [] })).toEqual(['type /status']);
    expect(found({ rows: [{ id: 1, extra: true }], empty: [] })).toEqual([
      'new /rows/[]/*',
      'missing /rows/[]/owner',
      'missing /status',
    ]);
    expect(compareShapes(expected, {})).toEqual([]);
  });

  test('has the types of all answers of a call', () => {
    const one = shapeOf({ a: 1 }, { has: () => true });
    expect(merged(one, shapeOf({ a: 'x', b: null }, { has: () => true }))).toEqual({
      '/': ['object'],
      '/a': ['number', 'text'],
      '/b': ['null'],
    });
  });
});
