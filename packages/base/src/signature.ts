import { createHash } from 'node:crypto';

/** Known to the service and to the database's own functions (migration 0015, `is_sealed`): no statement can make one. */
export function signatureOf(text: string, key: Buffer | undefined): string {
  if (!key) return '';
  const hash = (part: string | Buffer) => createHash('sha256').update(key).update(part).digest();
  return hash(hash(text)).toString('hex');
}
