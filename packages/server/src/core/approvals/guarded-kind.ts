/** Changes by which a name is stolen or lost: where it points, what proves its answers, what a transfer away needs, its end. */
export const guardedKinds = ['nameservers', 'ds', 'auth_code', 'unlock', 'delete'] as const;
export type GuardedKind = (typeof guardedKinds)[number];
