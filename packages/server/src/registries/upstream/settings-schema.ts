import { z } from 'zod';

/** Parts of the settings that several dialects have. */

export const hostname = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name in lower case');
export const text = z.string().min(1).max(100);
export const tld = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a TLD without a dot before it');

/** An order may be missing in lists for this long after it was sent. */
export const visibleAfterSeconds = z.int().min(0).max(3_600).default(60);

/** Roles that a TLD does not have. */
export const without = z
  .array(z.enum(['admin', 'tech', 'billing']))
  .max(3)
  .default([]);
