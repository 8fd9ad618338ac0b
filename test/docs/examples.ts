import type { Example } from './example.ts';

/** In the order in which they run; later ones build on earlier ones. */
export const examples: readonly Example[] = [{ kind: 'http', name: 'profile', path: '/v1/account/profile' }];
