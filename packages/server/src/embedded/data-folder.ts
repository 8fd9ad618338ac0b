import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { masterKeyBytes } from '@namehold/base';

export interface RegistryCredentials {
  host: string;
  port: number;
  client_id: string;
  password: string;
  ca_file: string;
  cert_file: string;
  key_file: string;
}

/** credentials.json of sandbox mode: everything a newcomer or a script needs to talk to this copy. */
export interface Credentials {
  base_url: string;
  reseller_id: string;
  api_key: string;
  operator: { reseller_id: string; api_key: string };
  registry?: RegistryCredentials;
  rival_registry_account?: RegistryCredentials;
  dns?: { host: string; port: number };
  metrics_url?: string;
}

export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true });
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Made once; whoever loses it loses every sealed secret, so `namehold backup` takes it along. */
  masterKey(): Buffer {
    const path = this.file('master.key');
    if (!existsSync(path)) {
      const draft = `${path}.${process.pid}.tmp`;
      writeFileSync(draft, `${randomBytes(masterKeyBytes).toString('hex')}\n`, { mode: 0o600 });
      try {
        // Whole or not at all, and never over another's: two processes may make their first start together.
        linkSync(draft, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      } finally {
        rmSync(draft, { force: true });
      }
    }
    return Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
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
