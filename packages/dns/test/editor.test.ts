import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, expect, test } from 'vitest';
import type * as Editor from '../src/editor.ts';

/** All exports that the editor may use; its own bundle omits unused ones. */
const budgetOctets = 21_000;

let code = '';

beforeAll(async () => {
  const build = await rolldown({
    input: fileURLToPath(new URL('../src/editor.ts', import.meta.url)),
    platform: 'browser',
    // A Node API must fail here, not in a user's browser.
    external: /^node:/,
  });
  const { output } = await build.generate({ format: 'iife', name: 'dns', minify: true });
  await build.close();
  code = output[0].code;
});

/** Runs the code like a browser: no Node APIs, only the platform's. */
function inBrowser(): typeof Editor {
  const browser = { TextEncoder, TextDecoder, URL };
  return runInNewContext(`${code};dns`, browser) as typeof Editor;
}

test("keeps the editor's part of the library free of Node APIs and within its size", () => {
  expect(code).not.toMatch(/node:/);
  expect(code).not.toMatch(/\bBuffer\b|\bprocess\b|\brequire\b/);
  const octets = gzipSync(code, { level: 9 }).length;
  expect(octets).toBeLessThan(budgetOctets);
});

test('reads, checks and writes a zone file in a browser as on the server', () => {
  const dns = inBrowser();
  const file = [
    '$ORIGIN example.com.',
    '$TTL 3600',
    '@ IN NS ns1.example.net.',
    'www IN A 192.0.2.1',
    'www IN AAAA 2001:DB8:0::1',
    'bücher IN CNAME www',
    '@ IN TXT "v=spf1 -all" "caf\\195\\169"',
    '@ IN CAA 0 issue "ca.example"',
    '_443._tcp IN TLSA 3 1 1 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'bad IN MX 10 192.0.2.1',
    'worse IN AAAA 2001::db8::1',
  ].join('\n');
  const read = dns.readZoneFile(file, { origin: 'example.com.' });
  expect(read.errors.map(({ line, field }) => [line, field])).toEqual([
    [10, 'exchange'],
    [11, 'address'],
  ]);
  const text = dns.writeZoneFile('example.com.', read.rrsets);
  expect(text).toContain('xn--bcher-kva\tIN\tCNAME\twww.example.com.');
  expect(text).toContain('IN\tAAAA\t2001:db8::1');
  expect(text).toContain('"caf\\195\\169"');
  expect(text).toContain('3 1 1 0123456789ABCDEF');
  expect(() =>
    dns.buildRRset({ name: '@', type: 'A', ttl: 300, records: ['192.0.2.256'] }, { origin: 'example.com.' }),
  ).toThrow(/192\.0\.2\.256/);
});
