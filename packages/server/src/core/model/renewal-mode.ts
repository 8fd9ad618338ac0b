/**
 * What happens to a domain at the end of its term: it is renewed by order (`manual`), automatically each time or once, or deleted when
 * the term is over.
 */
export const renewalModes = ['manual', 'renew', 'renew_once', 'delete'] as const;
export type RenewalMode = (typeof renewalModes)[number];
