import type { Page } from './shell/page.ts';

/** Every noun has its pages beside it (`<noun>/pages.ts`): none of them is named here. */
const found = import.meta.glob<{ pages: readonly Page[] }>('./*/pages.ts', { eager: true });

export const pages: readonly Page[] = Object.values(found).flatMap((each) => each.pages);
