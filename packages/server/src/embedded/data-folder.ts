import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type MasterKeys, masterKeyBytes } from '@namehold/base';
import { chooseServiceUser } from '@namehold/postgres/embedded/service-user';
import { SettingError } from '../config/values.ts';

export interface RegistryCredentials {
  host: string;
  port: number;
  client_id: string;
  password: string;
  ca_file: string;
  cert_file: string;
  key_file: string;
}

/** credentials.json of sandbox mode: URLs and keys for new users and scripts. */
export interface Credentials {
  base_url: string;
  reseller_id: string;
  api_key: string;
  operator: { reseller_id: string; api_key: string };
  registry?: RegistryCredentials;
  rival_registry_account?: RegistryCredentials;
  dns?: { host: string; port: number };
  smtp?: { host: string; port: number };
  edge?: { host: string; port: number; tls_port?: number; ca_file?: string };
  metrics_url?: string;
}

export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    try {
      mkdirSync(path, { recursive: true });
      closeToOthers(path);
    } catch (error) {
      throw new SettingError(
        `the data folder ${path} cannot be used (${(error as Error).message}): give this user write access, or set NAMEHOLD_DATA_DIR to another folder`,
        { cause: error },
      );
    }
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /**
   * The master key, created once. Without it no encrypted secret can be read, so `namehold backup` includes it. Further lines are former
   * keys during a rotation.
   */
  masterKeys(): MasterKeys {
    const path = this.file('master.key');
    if (!existsSync(path)) {
      const draft = `${path}.${process.pid}.tmp`;
      writeFileSync(draft, `${randomBytes(masterKeyBytes).toString('hex')}\n`, { mode: 0o600 });
      try {
        // Created atomically and never overwritten, because two processes may make their first start together.
        linkSync(draft, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      } finally {
        rmSync(draft, { force: true });
      }
    }
    const [current, ...former] = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => Buffer.from(line.trim(), 'hex'));
    if (current?.length !== masterKeyBytes)
      throw new SettingError(
        `${path} does not contain a key of ${masterKeyBytes} bytes: restore the file, which every backup contains, or set NAMEHOLD_MASTER_KEY to the key`,
      );
    return { current, former };
  }

  /** Replaced atomically; a running service reads it again within a second. */
  writeMasterKeys({ current, former }: MasterKeys): void {
    const path = this.file('master.key');
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, `${[current, ...former].map((key) => key.toString('hex')).join('\n')}\n`, {
      mode: 0o600,
      flush: true,
    });
    renameSync(draft, path);
  }

  readCredentials(): Credentials | undefined {
    const path = this.file('credentials.json');
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Credentials) : undefined;
  }

  writeCredentials(credentials: Credentials): void {
    const path = this.file('credentials.json');
    const draft = `${path}.tmp`;
    writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  }
}

/**
 * Access only for the owner. As root, the database runs as another user, which may traverse to its own folder. A folder of another owner
 * (a mounted one) is unchanged.
 */
function closeToOthers(path: string): void {
  const { uid, mode } = statSync(path);
  if (process.getuid === undefined || uid !== process.getuid()) return;
  const { gid } = chooseServiceUser();
  if (gid !== undefined) chownSync(path, uid, gid);
  const wanted = gid === undefined ? 0o700 : 0o710;
  if ((mode & 0o777) !== wanted) chmodSync(path, wanted);
}
