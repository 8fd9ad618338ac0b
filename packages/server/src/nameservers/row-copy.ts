import { createReadStream, mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { crc32 } from 'node:zlib';
import { z } from 'zod';

const batchRows = 200;
/** Maximum share of time for writing, regardless of the number of rows. */
const restForWork = 20;
const shortestRestMs = 1_000;

const lastLine = z.object({ rows: z.number(), checksum: z.number() });

/** Followed rows, one for each domain. */
export interface FollowedRow {
  readonly domain_id: string;
}

/** A copy on disk of the served rows, for times without the database. Encrypted fields stay encrypted. */
export class RowCopy<R extends FollowedRow> {
  readonly #path: string;
  readonly #revive: (stored: R) => R;
  #restUntil = 0;

  /** `revive`: restores a row from JSON, for fields such as dates. */
  constructor(path: string, revive: (stored: R) => R = (stored) => stored) {
    this.#path = path;
    this.#revive = revive;
  }

  /** Reads every row. False: there is no complete copy, and nothing was returned. */
  async read(take: (row: R) => void): Promise<boolean> {
    if (!(await this.#isWhole())) return false;
    for await (const line of this.#lines()) {
      if (line.startsWith('{"domain_id"')) take(this.#revive(JSON.parse(line)));
    }
    return true;
  }

  get mayWrite(): boolean {
    return performance.now() >= this.#restUntil;
  }

  /** Written to a temporary file, which then replaces the former copy. */
  async write(rows: Iterable<R>): Promise<void> {
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
        if (lines.length >= batchRows) await put();
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
      const stated = lastLine.parse(JSON.parse(last));
      return stated.rows === rows && stated.checksum === checksum;
    } catch {
      return false;
    }
  }

  #lines(): AsyncIterable<string> {
    return createInterface({ input: createReadStream(this.#path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  }
}
