import { z } from 'zod';

export const dsView = z
  .object({
    keytag: z.int(),
    algorithm: z.int(),
    digesttype: z.int(),
    digest: z.string(),
    key: z
      .object({
        flags: z.int().describe('257: a key signing key; 256: another.'),
        protocol: z.int().describe('Always 3.'),
        pubkey: z.string().describe('The key in base64.'),
      })
      .optional()
      .describe('The key itself, where the registry takes keys and makes the record by itself (RFC 5910 4).'),
  })
  .meta({ id: 'DsRecord', description: 'A delegation signer record (RFC 4034 5).' });

export const dsExample: z.output<typeof dsView> = {
  keytag: 12345,
  algorithm: 13,
  digesttype: 2,
  digest: '49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC49FD',
};
