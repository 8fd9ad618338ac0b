/** Changes that can hijack or lose a domain: its nameservers, its DNSSEC data, what a transfer out needs, its deletion. */
export const guardedKinds = ['nameservers', 'ds', 'auth_code', 'unlock', 'delete'] as const;
export type GuardedKind = (typeof guardedKinds)[number];
