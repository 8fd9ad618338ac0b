import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Known vulnerabilities and licences of all locked packages. Without arguments: writes tools/audit.json again. `--check`: fails if the
 * lock file changed since, if a licence or an advisory is not accepted, or if the result is old and a new one is available.
 */
/** `--root FOLDER`: another checkout, for the test of this tool. */
const rootAt = process.argv.indexOf('--root');
const root = rootAt < 0 ? dirname(dirname(fileURLToPath(import.meta.url))) : process.argv[rootAt + 1]!;
const resultFile = join(root, 'tools/audit.json');
const daysGood = 30;
const dayMs = 86_400_000;
const auditMs = 30_000;

const permissive = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'ISC',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
];
/** Fonts, whose licence allows redistribution within a product. */
const forFonts = ['OFL-1.1'];
/** Tools that are not delivered: development packages, and packages that build the console. */
const forTools = ['MPL-2.0'];
const buildsConsole = /^lightningcss\b/;
/** Packages without a licence in the lock file, with the licence of their own files. */
const statedElsewhere: Record<string, string> = { 'png-js': 'MIT' };

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

interface Advisories {
  /** Number of packages by severity. */
  readonly counts: Record<string, number>;
  readonly packages: readonly { readonly name: string; readonly severity: string }[];
}

interface Result {
  readonly lock_sha256: string;
  readonly date: string;
  /** Null: the advisory service gave no result on that day, so known vulnerabilities were NOT looked up. */
  readonly advisories: Advisories | null;
  /** Why there are no advisories; null if there are. */
  readonly advisories_error: string | null;
  /** Packages with a known vulnerability that does not apply here, each with the reason. */
  readonly accepted: Record<string, string>;
  readonly licences: Record<string, number>;
}

const lockText = () => readFileSync(join(root, 'package-lock.json'));
const lockHash = () => createHash('sha256').update(lockText()).digest('hex');

function lockedPackages(): { name: string; licence: string; isTool: boolean }[] {
  const { packages } = JSON.parse(lockText().toString()) as { packages: Record<string, Locked> };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { license, dev }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return {
        name,
        licence: license ?? statedElsewhere[name] ?? 'unknown',
        isTool: dev === true || buildsConsole.test(name),
      };
    });
}

/** `(MIT OR CC0-1.0)`: one of them is sufficient; licences joined by AND must all be accepted. */
function isAccepted(licence: string, accepted: readonly string[]): boolean {
  return licence
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => accepted.includes(each)));
}

function licenceProblems(): string[] {
  return lockedPackages()
    .filter(({ licence, isTool, name }) => {
      const isFont = /^@(fontsource|embedpdf\/fonts)/.test(name);
      return !isAccepted(licence, [...permissive, ...(isTool ? forTools : []), ...(isFont ? forFonts : [])]);
    })
    .map(({ name, licence }) => `${name} has the licence ${licence}, which is not accepted (tools/audit.ts)`);
}

/** The package mirror of a machine is not part of the result. */
const withoutUrl = (text: string): string => text.replace(/ - \w+ https?:\/\/\S+|https?:\/\/\S+/g, '');

/** The result of the advisory service, or the reason why there is none. */
function askAdvisories(): Advisories | string {
  const { stdout, error } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', timeout: auditMs });
  try {
    const { vulnerabilities, metadata, message } = JSON.parse(stdout) as {
      message?: string;
      vulnerabilities?: Record<string, { severity: string }>;
      metadata?: { vulnerabilities: Record<string, number> };
    };
    if (!vulnerabilities || !metadata) return withoutUrl(message ?? 'npm audit gave no result');
    const packages = Object.entries(vulnerabilities).map(([name, { severity }]) => ({ name, severity }));
    return { counts: metadata.vulnerabilities, packages };
  } catch {
    return withoutUrl(error?.message ?? 'npm audit gave no result');
  }
}

function renew(): number {
  const before = readResult();
  const answer = askAdvisories();
  const isError = typeof answer === 'string';
  const licences: Record<string, number> = {};
  for (const { licence } of lockedPackages()) licences[licence] = (licences[licence] ?? 0) + 1;
  const result: Result = {
    lock_sha256: lockHash(),
    date: new Date().toISOString().slice(0, 10),
    advisories: isError ? null : answer,
    advisories_error: isError ? `Known vulnerabilities were not looked up: ${answer}` : null,
    accepted: before?.accepted ?? {},
    licences: Object.fromEntries(Object.entries(licences).sort()),
  };
  writeFileSync(resultFile, `${JSON.stringify(result, null, 2)}\n`);
  if (isError) console.log(`Known vulnerabilities were NOT looked up (${answer}); only the licences are new.`);
  return 0;
}

function readResult(): Result | undefined {
  try {
    return JSON.parse(readFileSync(resultFile, 'utf8')) as Result;
  } catch {
    return undefined;
  }
}

function check(): number {
  const result = readResult();
  if (!result) return fail(['tools/audit.json is missing: npm run audit']);
  const problems = licenceProblems();
  if (result.lock_sha256 !== lockHash())
    problems.push('package-lock.json changed after tools/audit.json: npm run audit');
  for (const { name, severity } of result.advisories?.packages ?? [])
    if (!result.accepted[name])
      problems.push(
        `${name} has a known vulnerability (${severity}): replace it, or accept it with a reason in tools/audit.json`,
      );
  const ageDays = (Date.now() - Date.parse(result.date)) / dayMs;
  if (!result.advisories || ageDays > daysGood) {
    const why = result.advisories
      ? `tools/audit.json is ${Math.floor(ageDays)} days old`
      : 'tools/audit.json has no advisories';
    const answer = askAdvisories();
    if (typeof answer === 'string') console.log(`${why}; the advisory service gives no result now either (${answer})`);
    else problems.push(`${why}, and the advisory service answers: npm run audit`);
  }
  return fail(problems);
}

function fail(problems: readonly string[]): number {
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

process.exit(process.argv.includes('--check') ? check() : renew());
