import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Who runs the database: ourselves, or an unprivileged user where we are root (PostgreSQL refuses uid 0). */
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
  throw new Error('running as root, and neither user "postgres" nor user "nobody" exists to run the database');
}

/** May this user walk into the folder, with every folder above it? */
export function canTraverse(folder: string, user: ServiceUser): boolean {
  if (user.uid === undefined) return true;
  for (let at = resolve(folder); ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
