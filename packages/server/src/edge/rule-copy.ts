import { createReadStream, mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { ForwardedRow } from '../core/forwarding/feed.sql.ts';

const rowsAtOnce = 200;
/** Writing takes no more than this share of the time, however many rules there are. */
const restForWork = 20;
const shortestRestMs = 1_000;

const lastLine = z.object({ rows: z.number(), checksum: z.number() });

/** The rules and certificates of an edge on disk, so that it starts without the database. Keys are sealed there as they are in the database. */
export class RuleCopy {
  readonly #path: string;
  #restUntil = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Hands over every row. False: there is no copy, or it is not whole; then nothing was handed over. */
  async read(take: (row: ForwardedRow) => void): Promise<boolean> {
    if (!(await this.#isWhole())) return false;
    for await (const line of this.#lines()) {
      if (!line.startsWith('{"domain_id"')) continue;
      const row = JSON.parse(line) as Omit<ForwardedRow, 'live_since'> & { readonly live_since: string | null };
      take({ ...row, live_since: row.live_since === null ? null : new Date(row.live_since) });
    }
    return true;
  }

  get mayWrite(): boolean {
    return performance.now() >= this.#restUntil;
  }

  /** Beside the former one, and in its place when it is whole. */
  async write(rows: Iterable<ForwardedRow>): Promise<void> {
    const began = performance.now();
    const draft = `${this.#path}.${process.pid}`;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = await open(draft, 'w', 0o600);
    try {
      let count = 0;
      let checksum = 0;
      let lines: string[] = [];
      const put = async () => {
        const text = lines.join('');
        checksum = crc32(text, checksum);
        lines = [];
        await file.write(text);
      };
      for (const { domain_id, ...rest } of rows) {
        lines.push(`${JSON.stringify({ domain_id, ...rest })}\n`);
        count += 1;
        if (lines.length >= rowsAtOnce) await put();
      }
      await put();
      await file.write(`${JSON.stringify({ rows: count, checksum })}\n`);
      await file.sync();
      await file.close();
      await rename(draft, this.#path);
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
      throw error;
    } finally {
      const now = performance.now();
      this.#restUntil = now + Math.max(shortestRestMs, restForWork * (now - began));
    }
  }

  async #isWhole(): Promise<boolean> {
    let rows = 0;
    let checksum = 0;
    let last = '';
    try {
      for await (const line of this.#lines()) {
        if (last !== '') {
          rows += 1;
          checksum = crc32(`${last}\n`, checksum);
        }
        last = line;
      }
      const said = lastLine.parse(JSON.parse(last));
      return said.rows === rows && said.checksum === checksum;
    } catch {
      return false;
    }
  }

  #lines(): AsyncIterable<string> {
    return createInterface({ input: createReadStream(this.#path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  }
}
