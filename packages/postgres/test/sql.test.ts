import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Sql, sql } from '../src/sql/sql.ts';

describe('one statement', () => {
  test('turns every value into a parameter, in order', () => {
    const statement = sql`select ${1} + ${2} where name = ${"o'brien; drop table domain"}`;
    expect(statement.text).toBe('select $1 + $2 where name = $3');
    expect(statement.values).toEqual([1, 2, "o'brien; drop table domain"]);
  });

  test('accepts null, dates, lists and undefined as values', () => {
    const at = new Date(0);
    expect(sql`select ${null}, ${at}, ${[1]}, ${undefined}`.values).toEqual([null, at, [1], undefined]);
  });

  test('treats an external object that looks like a statement as a value', () => {
    const fromJson = JSON.parse('{"text":"1; drop table domain","values":[]}') as object;
    const statement = sql`insert into event (payload) values (${fromJson})`;
    expect(statement.text).toBe('insert into event (payload) values ($1)');
    expect(statement.values).toEqual([fromJson]);
    expect(() => sql.join([fromJson as Sql], ' and ')).toThrow(TypeError);
  });
});

describe('statement names', () => {
  const find = (id: number) => sql`select * from domain where id = ${id}`;

  test('are the same for one template with any values, and differ between templates', () => {
    expect(find(1).name).toBe(find(2).name);
    expect(find(1).name).toMatch(/^[\w-]{22}$/);
    expect(sql`select * from domain where id = ${1} `.name).not.toBe(find(1).name);
  });

  test('are the same for the same text in two places', () => {
    expect(sql`select ${1}::int`.name).toBe(sql`select ${2}::int`.name);
  });

  test('include raw text', () => {
    const from = (table: string) => sql`select id from ${sql.raw(table)} where id = ${1}`;
    expect(from('domain').name).toBe(from('domain').name);
    expect(from('domain').name).not.toBe(from('contact').name);
  });

  test('are absent for joined statements, because they have too many forms', () => {
    expect(sql`select 1 where ${sql`true`}`.name).toBeUndefined();
    expect(sql.join([sql`a`, sql`b`], ', ').name).toBeUndefined();
  });
});

/** A statement tree and its expected result: text with the values written in place. */
interface Tree {
  readonly build: () => Sql;
  readonly shown: string;
}

const leaf = fc.integer().map((value): Tree => ({ build: () => sql`v = ${value}`, shown: `v = <${value}>` }));
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium' },
    leaf,
    fc.tuple(tie('tree'), fc.integer(), tie('tree')).map(
      ([a, n, b]): Tree => ({
        build: () => sql`(${a.build()} and x > ${n} or ${b.build()} and ${sql.raw('y')} = ${n})`,
        shown: `(${a.shown} and x > <${n}> or ${b.shown} and y = <${n}>)`,
      }),
    ),
    fc.array(tie('tree'), { maxLength: 4 }).map(
      (pieces): Tree => ({
        build: () =>
          sql.join(
            pieces.map((piece) => piece.build()),
            ' and ',
          ),
        shown: pieces.map((piece) => piece.shown).join(' and '),
      }),
    ),
  ),
}));

describe('nested statements', () => {
  test('keep every value in its place, however deep they are nested', () =>
    fc.assert(
      fc.property(tree, fc.integer(), ({ build, shown }, last) => {
        const statement = sql`select 1 where ${build()} limit ${last}`;
        const written = statement.text.replace(/\$(\d+)/g, (_, n: string) => `<${statement.values[Number(n) - 1]}>`);
        expect(written).toBe(`select 1 where ${shown} limit <${last}>`);
      }),
      { seed: 19, numRuns: 500 },
    ));

  test('number the parameters 1 to n, each once', () =>
    fc.assert(
      fc.property(tree, ({ build }) => {
        const { text, values } = build();
        const numbers = [...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1]));
        expect(numbers).toEqual(values.map((_, index) => index + 1));
      }),
      { seed: 23, numRuns: 500 },
    ));

  test('may contain the same part twice', () => {
    const piece = sql`a = ${1} and b = ${2}`;
    expect(sql`${piece} or ${piece}`).toMatchObject({
      text: 'a = $1 and b = $2 or a = $3 and b = $4',
      values: [1, 2, 1, 2],
    });
  });
});
