import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The user that runs the database: the current one, or an unprivileged one if this process runs as root (PostgreSQL refuses uid 0). */
export interface ServiceUser {
  readonly uid?: number;
  readonly gid?: number;
  readonly name: string;
}

export function chooseServiceUser(): ServiceUser {
  if (process.getuid?.() !== 0) return { name: 'self' };
  const passwd = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = passwd.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('running as root without a user "postgres" or "nobody" that could run the database');
}

/** Whether this user may traverse the folder and every folder above it. */
export function canTraverse(folder: string, user: ServiceUser): boolean {
  if (user.uid === undefined) return true;
  for (let at = resolve(folder); ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
