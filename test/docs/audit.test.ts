import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectRoot } from '../support/service.ts';

/** A copy of the lock file and of the committed result, with an `npm` that has no network. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'namehold-audit-'));
  mkdirSync(join(root, 'tools'));
  mkdirSync(join(root, 'bin'));
  for (const file of ['package-lock.json', 'tools/audit.json']) copyFileSync(join(projectRoot, file), join(root, file));
  npmSays({ message: '405 Method Not Allowed' });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const resultFile = () => join(root, 'tools/audit.json');
const result = () => JSON.parse(readFileSync(resultFile(), 'utf8'));
const change = (fields: object) => writeFileSync(resultFile(), JSON.stringify({ ...result(), ...fields }));
const npmSays = (json: object) =>
  writeFileSync(join(root, 'bin/npm'), `#!/bin/sh\necho '${JSON.stringify(json)}'\n`, { mode: 0o755 });
const audit = (...args: string[]) => {
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  const run = spawnSync(process.execPath, [join(projectRoot, 'tools/audit.ts'), '--root', root, ...args], { env });
  return { code: run.status, text: `${run.stdout}${run.stderr}` };
};

describe('npm run audit', () => {
  test('passes for the committed lock file and fails after a change of it', () => {
    expect(audit('--check')).toMatchObject({ code: 0 });
    const lock = join(root, 'package-lock.json');
    writeFileSync(lock, `${readFileSync(lock, 'utf8')}\n`);
    expect(audit('--check')).toMatchObject({ code: 1, text: expect.stringContaining('package-lock.json changed') });
    expect(audit().code).toBe(0);
    expect(audit('--check').code).toBe(0);
  });

  test('marks a result without advisories, and fails as soon as the advisory service answers', () => {
    expect(audit()).toMatchObject({ code: 0, text: expect.stringContaining('NOT looked up') });
    expect(result()).toMatchObject({ advisories: null, advisories_error: expect.stringContaining('405') });
    expect(audit('--check')).toMatchObject({ code: 0, text: expect.stringContaining('no advisories') });
    npmSays({ vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } });
    expect(audit('--check')).toMatchObject({ code: 1, text: expect.stringContaining('npm run audit') });
    expect(audit().code).toBe(0);
    expect(result()).toMatchObject({ advisories: { packages: [] }, advisories_error: null });
    expect(audit('--check').code).toBe(0);
  });

  test('fails for an unaccepted vulnerability and for an unknown licence', () => {
    const advisories = { counts: { high: 1 }, packages: [{ name: 'pg', severity: 'high' }] };
    change({ advisories, date: new Date().toISOString().slice(0, 10) });
    expect(audit('--check')).toMatchObject({ code: 1, text: expect.stringContaining('pg has a known vulnerability') });
    change({ accepted: { pg: 'only in a function that we do not call' } });
    expect(audit('--check').code).toBe(0);
    const lock = join(root, 'package-lock.json');
    writeFileSync(lock, readFileSync(lock, 'utf8').replace('"license": "ISC"', '"license": "GPL-3.0"'));
    expect(audit('--check')).toMatchObject({ code: 1, text: expect.stringContaining('GPL-3.0') });
  });
});
