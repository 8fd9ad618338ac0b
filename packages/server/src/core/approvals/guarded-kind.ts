/** Changes by which a name is stolen: where it points, what proves its answers, what a transfer away needs. */
export const guardedKinds = ['nameservers', 'ds', 'auth_code', 'unlock'] as const;
export type GuardedKind = (typeof guardedKinds)[number];
