import { z } from 'zod';

export const dsView = z.object({ keytag: z.int(), algorithm: z.int(), digesttype: z.int(), digest: z.string() });

export const dsExample: z.output<typeof dsView> = {
  keytag: 12345,
  algorithm: 13,
  digesttype: 2,
  digest: '49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC49FD',
};
