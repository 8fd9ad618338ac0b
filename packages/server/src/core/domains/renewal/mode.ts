/**
 * How a name goes on at the end of its term: its reseller orders (`manual`), the clockwork renews it each time or once, or lets it go
 * when the term is over.
 */
export const renewalModes = ['manual', 'renew', 'renew_once', 'delete'] as const;
export type RenewalMode = (typeof renewalModes)[number];
