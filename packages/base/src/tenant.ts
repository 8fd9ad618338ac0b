/** Whose rows a statement may touch: one reseller's, a customer's of it (`1000:2001`; `1000+2001` where it acts), or `*` for the clockwork and the operator's tools. */
export type Tenant = string;
export const allTenants: Tenant = '*';

/** The reseller's, of a customer's too. */
export const accountOf = (tenant: Tenant): string => tenant.split(/[:+]/, 1)[0]!;
