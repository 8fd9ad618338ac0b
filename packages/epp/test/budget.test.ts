import { describe, expect, test } from 'vitest';
import { blockLimitMs, expectNoBlock, threadMs } from '../../../test/support/event-loop-block.ts';
import { EppReadError, parseXml } from '../src/index.ts';
import { XML_BUDGET } from '../src/xml/parse.ts';

/** Documents whose processing time grew, or could grow, faster than their size. */
const repeated = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => each(i)).join('');
const shapes: Record<string, (bytes: number) => string> = {
  'namespaces, nested': (bytes) => {
    const [depth, each] = [200, Math.floor(bytes / 200 / 22)];
    return repeated(depth, (i) => `<a${repeated(each, (j) => ` xmlns:p${i}x${j}="urn:${j}"`)}>`) + '</a>'.repeat(depth);
  },
  'namespaces on one element': (bytes) => `<a${repeated(Math.floor(bytes / 22), (i) => ` xmlns:p${i}="urn:${i}"`)}/>`,
  'namespaces, then children with their own': (bytes) =>
    `<a${repeated(Math.floor(bytes / 44), (i) => ` xmlns:p${i}="urn:${i}"`)}>${'<b xmlns:q="u"/>'.repeat(Math.floor(bytes / 32))}</a>`,
  'attributes on one element': (bytes) => `<a${repeated(Math.floor(bytes / 12), (i) => ` a${i}="x"`)}/>`,
  'small children': (bytes) => `<a>${'<b/>'.repeat(Math.floor(bytes / 4))}</a>`,
  references: (bytes) => `<a>${'&amp;'.repeat(Math.floor(bytes / 5))}</a>`,
  'text and comments in turn': (bytes) => `<a>${'x<!---->'.repeat(Math.floor(bytes / 8))}</a>`,
  'unlimited depth': (bytes) => '<a>'.repeat(Math.floor(bytes / 3)),
  'one long text': (bytes) => `<a>${'x'.repeat(bytes)}</a>`,
  'one long attribute': (bytes) => `<a b="${'x'.repeat(bytes)}"/>`,
};

describe('parsing', () => {
  test.each(
    Object.keys(shapes).flatMap((shape) =>
      [29_000, 300_000, 2_000_000, 4_000_000].map((bytes) => [shape, bytes] as const),
    ),
  )('does not block the event loop: %s, %i bytes', (shape, bytes) => {
    const xml = Buffer.from(shapes[shape]!(bytes));
    const once = () =>
      threadMs(() => {
        try {
          parseXml(xml);
        } catch (error) {
          if (!(error instanceof EppReadError)) throw error;
        }
      });
    // The first runs also compile the code and collect earlier garbage, and a busy machine has colder caches. Work that grows too fast is
    // slow in every run.
    let used = once();
    for (let tries = 1; tries < 10 && used >= blockLimitMs; tries++) used = Math.min(used, once());
    expectNoBlock(used, shape);
  });
});

test('keeps documents of real registries far below the budget', () => {
  const names = repeated(1_000, (i) => `<domain:cd><domain:name avail="1">name-${i}.example</domain:name></domain:cd>`);
  const check = `<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><response><resData><domain:chkData xmlns:domain="urn:ietf:params:xml:ns:domain-1.0">${names}</domain:chkData></resData></response></epp>`;
  expect(check.match(/[<=&]/g)!.length).toBeLessThan(XML_BUDGET.marks);
  expect(parseXml(check).children).toHaveLength(1);
});
