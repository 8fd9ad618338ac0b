import type { Page } from './shell/page.ts';

/** Collects the `pages.ts` of all folders. */
const found = import.meta.glob<{ pages: readonly Page[] }>('./*/pages.ts', { eager: true });

export const pages: readonly Page[] = Object.values(found).flatMap((each) => each.pages);
