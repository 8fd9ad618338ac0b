import { z } from 'zod';

export const dsView = z
  .object({
    keytag: z.int(),
    algorithm: z.int(),
    digesttype: z.int(),
    digest: z.string(),
    key: z
      .object({
        flags: z.int().describe('257: key signing key; 256: zone signing key.'),
        protocol: z.int().describe('Always 3.'),
        pubkey: z.string().describe('Public key in base64.'),
      })
      .optional()
      .describe('The key itself, if the registry takes keys and derives the record (RFC 5910 section 4).'),
  })
  .meta({ id: 'DsRecord', description: 'A delegation signer (DS) record (RFC 4034 section 5).' });

export const dsExample: z.output<typeof dsView> = {
  keytag: 12345,
  algorithm: 13,
  digesttype: 2,
  digest: '49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC49FD',
};
