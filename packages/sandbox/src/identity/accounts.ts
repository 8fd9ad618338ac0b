import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '@namehold/postgres';
import { registryTenant } from '../registry/registry.ts';
import { type CertificateFiles, readPem } from './certificates.ts';
import { hashPassword, newPassword } from './password.ts';
import { writePrivateFile } from './private-file.ts';
import { seedRegistrar, seedRegistryItself } from './registrar.sql.ts';

/** The credentials of a registrar. */
export interface SandboxAccount {
  readonly client_id: string;
  readonly password: string;
  readonly cert_file: string;
  readonly key_file: string;
}

/** The platform's own account, then that of the other registrar. */
export const accountIds = ['namehold', 'rival'] as const;
/** Sponsor of the registry's own objects; it cannot log in. */
export const registryAccountId = 'registry';

const openingBalance = 1_000_000_000n;
const lowBalanceThreshold = 100_000n;
const accountNames: Readonly<Record<string, string>> = { namehold: 'Namehold', rival: 'Other Registrar' };

const passwordFile = (folder: string): string => join(folder, 'passwords.json');

/** Passwords are random, made at the first start, and stored in a file of the folder; the database has only hashes. */
function readPasswords(folder: string): Record<string, string> {
  const file = passwordFile(folder);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const passwords = Object.fromEntries(accountIds.map((clientId) => [clientId, newPassword()]));
  writePrivateFile(file, JSON.stringify(passwords));
  return passwords;
}

export function rememberPassword(folder: string, clientId: string, password: string): void {
  writePrivateFile(passwordFile(folder), JSON.stringify({ ...readPasswords(folder), [clientId]: password }));
}

export function readAccounts(
  folder: string,
  files: CertificateFiles,
  clientIds: readonly string[] = accountIds,
): SandboxAccount[] {
  const passwords = readPasswords(folder);
  return clientIds.map((clientId) => {
    // The platform has an account at each registry of its systems, with the certificate of its first account.
    const owner = accountIds.find((each) => each === clientId) ?? accountIds[0];
    return {
      client_id: clientId,
      password: passwords[clientId] ?? passwords[owner] ?? '',
      cert_file: files.clientCertFile(owner),
      key_file: files.clientKeyFile(owner),
    };
  });
}

/** Sets the accounts from the folder, so that a database and a folder of different age match again. */
export async function seedAccounts(db: Database, accounts: readonly SandboxAccount[], at: Date): Promise<void> {
  // Several accounts share one.
  const passwords = [...new Set(accounts.map(({ password }) => password))];
  const hashes = await Promise.all(passwords.map(hashPassword));
  await db.transaction(registryTenant, async (tx) => {
    for (const account of accounts) {
      await seedRegistrar(tx, {
        clientId: account.client_id,
        name: accountNames[account.client_id] ?? account.client_id,
        passwordHash: hashes[passwords.indexOf(account.password)]!,
        certificate: new X509Certificate(readPem(account.cert_file)).fingerprint256,
        balance: openingBalance,
        lowBalanceThreshold,
        at,
      });
    }
    await seedRegistryItself(tx, registryAccountId, at);
  });
}
