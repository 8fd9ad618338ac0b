import { privacy } from './privacy.ts';
import type { Purchase } from './purchase.ts';
import { register } from './register.ts';
import { renew } from './renew.ts';
import { restore } from './restore.ts';
import { transfer } from './transfer.ts';

/** Every product that is sold, by its key in quotes and price lists. */
export const purchases = { register, renew, transfer, restore, privacy } as const satisfies Record<string, Purchase>;

export type Sold = keyof typeof purchases;
export const soldKinds = Object.keys(purchases) as readonly Sold[];
