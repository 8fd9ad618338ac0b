import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import { RDATA_TEXT } from '../../packages/dns/test/arbitrary.ts';
import { hostileText } from './hostile.ts';
import { someIds } from './run.ts';
import { openTarget } from './target.ts';

const inFlight = 4;

/** Elements of the format itself, in places where they do not belong. */
const crumbs = fc.constantFrom(
  '(',
  ')',
  '((',
  '"',
  '"open',
  ';',
  '\\',
  '\\0',
  '\\999',
  '\\"',
  '@',
  '*',
  '$',
  '\t',
  '\r',
  '\u0000',
  '\ufeff',
  'IN',
  'CH',
  '\\# 4 c0000201',
  '\\# 65536 00',
  '\\# -1',
);
const directive = fc.oneof(
  fc.constantFrom(
    '$TTL 300',
    '$TTL',
    '$TTL -1',
    '$TTL 99999999999',
    '$TTL 1w2d3h',
    '$ORIGIN',
    '$ORIGIN sub',
    '$ORIGIN .',
  ),
  fc.constantFrom('$INCLUDE /etc/passwd', '$GENERATE 1-1000000 h$ A 192.0.2.1', '$UNKNOWN x', '$ORIGIN other.example.'),
  hostileText.map((text) => `$ORIGIN ${text}`),
);
const types = Object.keys(RDATA_TEXT);
const owner = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('@', 'www', 'a.b', '*', '_sip._tcp', '', 'x'.repeat(63), 'fuzzed.com.') },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(64), 'a..b', '.', 'other.example.', 'a.'.repeat(130)) },
  { weight: 1, arbitrary: hostileText },
);
const ttl = fc.constantFrom('', '', '300', '0', '1h', '2147483648', '-5', '1x', '4294967295');
const record = fc
  .constantFrom(...types)
  .chain((type) =>
    fc
      .tuple(
        owner,
        ttl,
        fc.constantFrom('', 'IN', 'CH'),
        fc.oneof({ weight: 8, arbitrary: RDATA_TEXT[type]! }, hostileText),
      )
      .map(([name, seconds, cls, data]) => `${name} ${seconds} ${cls} ${type} ${data}`),
  );
const line = fc.oneof(
  { weight: 12, arbitrary: record },
  { weight: 2, arbitrary: directive },
  { weight: 1, arbitrary: crumbs },
  { weight: 1, arbitrary: hostileText },
);

interface Cut {
  readonly at: number;
  readonly piece: string;
  readonly kind: 'insert' | 'cut' | 'double' | 'octet';
}
const cut: fc.Arbitrary<Cut> = fc.record({
  at: fc.nat(1_000_000),
  piece: crumbs,
  kind: fc.constantFrom<Cut['kind'][]>('insert', 'cut', 'double', 'octet'),
});

function spoilt(file: Buffer<ArrayBuffer>, { at, piece, kind }: Cut): Buffer<ArrayBuffer> {
  const place = file.length === 0 ? 0 : at % file.length;
  if (kind === 'insert') return Buffer.concat([file.subarray(0, place), Buffer.from(piece), file.subarray(place)]);
  if (kind === 'cut') return file.subarray(0, place);
  if (kind === 'double') return Buffer.concat([file, file.subarray(place)]);
  const copy = Buffer.from(file);
  if (copy.length > 0) copy[place] = at & 0xff;
  return copy;
}

/** Records that a zone may contain together; each gets an owner of its own. */
const tame = fc
  .constantFrom('A', 'AAAA', 'TXT', 'MX', 'SRV', 'CAA', 'TLSA', 'SSHFP', 'HTTPS')
  .chain((type) => RDATA_TEXT[type]!.map((data) => `300 IN ${type} ${data}`));

/** Half of them valid line by line, half random; a third of all damaged; some long enough for a worker thread. */
const zoneFile: fc.Arbitrary<Buffer<ArrayBuffer>> = fc
  .record({
    lines: fc.oneof(
      fc.array(line, { minLength: 1, maxLength: 30 }).map((wild) => () => wild),
      fc
        .array(tame, { minLength: 1, maxLength: 30 })
        .map((all) => (round: number) => all.map((text, place) => `h${round}-${place} ${text}`)),
    ),
    times: fc.oneof(
      { weight: 30, arbitrary: fc.constant(1) },
      { weight: 3, arbitrary: fc.integer({ min: 2, max: 60 }) },
      { weight: 1, arbitrary: fc.constant(300) },
    ),
    end: fc.constantFrom('\n', '\r\n'),
    cuts: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Cut[]>([]) },
      { weight: 1, arbitrary: fc.array(cut, { maxLength: 4 }) },
    ),
  })
  .map(({ lines, times, end, cuts }) => {
    const all = Array.from({ length: times }, (_, round) => lines(round)).flat();
    return cuts.reduce(spoilt, Buffer.from(`${all.join(end)}${end}`.toWellFormed()));
  });

interface ZoneFuzzReport {
  readonly files: number;
  /** Served zones, passed to Debian's checkers. */
  readonly checked: number;
  readonly byStatus: Record<string, number>;
  readonly failures: readonly string[];
  readonly worstTurnMs: number;
}

const run = promisify(execFile);
/** Three programs must accept it. Hosts without addresses are allowed by the format. */
const checkers: readonly (readonly [string, (name: string, file: string) => string[]])[] = [
  ['named-checkzone', (name, file) => ['-i', 'none', '-k', 'ignore', '-n', 'ignore', name, file]],
  ['kzonecheck', (name, file) => ['-o', name, file]],
  ['nsd-checkzone', (name, file) => [name, file]],
];

/** The errors of the checkers for a zone; empty if it is valid. */
async function problemsOf(name: string, text: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-zone-'));
  const file = join(folder, 'zone');
  writeFileSync(file, text);
  const tried = checkers.map(([program, args]) =>
    run(program, args(name, file)).then(
      () => '',
      (error: { stdout?: string; stderr?: string }) =>
        `${program}: ${error.stdout ?? ''}${error.stderr ?? ''}\n${text.slice(0, 3_000)}`,
    ),
  );
  const problems = await Promise.all(tried);
  rmSync(folder, { recursive: true, force: true });
  return problems.filter((problem) => problem !== '');
}

/** Sends `count` generated zone files, most as a dry run, and some to be kept. */
export async function fuzzZoneFiles(count: number, seed: number): Promise<ZoneFuzzReport> {
  const t = await openTarget();
  try {
    const id = (await someIds(t)).domain_id![0]!;
    const path = `/v1/domains/${id}/zone/file`;
    const put = (body: Uint8Array<ArrayBuffer>, query: Record<string, string>) =>
      t.call('PUT', path, {
        raw: { type: 'text/dns', body },
        query,
        headers: query.dry_run ? {} : { 'If-Match': '*' },
      });
    // The first large file starts the threads, and code that has never run is compiled in its first tick.
    for (const times of [1, 5_000, 1, 1, 1, 1, 1, 1])
      await put(Buffer.from(`$TTL 300\n${'w A 192.0.2.1\n'.repeat(times)}`), { dry_run: 'true' });
    await t.service.watchStalls();
    const byStatus: Record<string, number> = {};
    const failures: string[] = [];
    let checked = 0;
    const files = fc.sample(zoneFile, { numRuns: count, seed });
    for (let at = 0; at < files.length; at += inFlight) {
      const sent = files.slice(at, at + inFlight).map(async (file, place) => {
        const answer = await put(file, (at + place) % 10 === 0 ? {} : { dry_run: 'true' });
        byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
        // 503: one reseller's large files wait in a short queue.
        if (answer.status >= 500 && answer.status !== 503)
          failures.push(`${answer.text}\n${file.subarray(0, 2_000).toString('latin1')}`);
      });
      await Promise.all(sent);
      // Every tenth valid file is kept, and the checkers then read the served zone.
      if ((at / inFlight) % 10 !== 0) continue;
      const zone = await t.call('GET', path);
      failures.push(...(await problemsOf('fuzzed.com', zone.text)));
      checked += 1;
    }
    const exported = await t.call('GET', path);
    expect(exported.status, exported.text.slice(0, 500)).toBe(200);
    expect(t.service.isAlive).toBe(true);
    return { files: files.length, checked, byStatus, failures, worstTurnMs: t.service.worstTurnMs };
  } finally {
    await t.stop();
  }
}
