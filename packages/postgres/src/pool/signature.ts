import { createHash } from 'node:crypto';

/**
 * The key is known to the service and to functions in the database (`is_sealed` in schema/functions/tenants.sql). SQL statements cannot
 * create a valid signature.
 */
export function signatureOf(text: string, key: Buffer | undefined): string {
  if (!key) return '';
  const hash = (part: string | Buffer) => createHash('sha256').update(key).update(part).digest();
  return hash(hash(text)).toString('hex');
}
