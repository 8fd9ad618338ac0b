import { fingerprintKeyOf, type MasterKeys, openVault, type Vault } from '@namehold/base';
import { allTenants, type Database } from '@namehold/postgres';
import { anyEncrypted, keepSecret, readSecret } from './vault.sql.ts';

class WrongMasterKey extends Error {
  override name = 'WrongMasterKey';
}

const fingerprintSecret = 'fingerprint-key';
const secretContext = (name: string): string => `vault:${name}`;

const wrong =
  'the master key does not decrypt the data of this database: it belongs to another database, or is an old one. The service does not start. Set NAMEHOLD_MASTER_KEY to the key that this database was started with, or NAMEHOLD_DATA_DIR to the folder that has it.';

/**
 * The vault of this database: refused if the key is not the one that encrypted its data. The first start of an empty database binds the
 * key.
 */
export async function openServiceVault(db: Database, keys: () => MasterKeys): Promise<Vault> {
  const plain = openVault(keys);
  const opened = (encrypted: string, context: string): string => {
    try {
      return plain.open(encrypted, context);
    } catch (error) {
      throw new WrongMasterKey(wrong, { cause: error });
    }
  };
  const reader = db.as(allTenants);
  const kept = await readSecret(reader, fingerprintSecret);
  if (kept === undefined) {
    // A database from before this check value existed: any encrypted value must decrypt.
    const sample = await anyEncrypted(reader);
    if (sample) opened(sample.sealed, sample.context);
    const key = fingerprintKeyOf(keys().current).toString('hex');
    const encrypted = plain.encrypt(key, secretContext(fingerprintSecret));
    await keepSecret(db.autocommit(allTenants), fingerprintSecret, encrypted);
  }
  const encrypted = kept ?? (await readSecret(reader, fingerprintSecret))!;
  return openVault(keys, Buffer.from(opened(encrypted, secretContext(fingerprintSecret)), 'hex'));
}
