/**
 * Whose rows a statement may access: a reseller's, a customer's (`1000:2001`; `1000+2001` where the customer acts), or `*` for
 * background jobs and the operator's tools.
 */
export type Tenant = string;
export const allTenants: Tenant = '*';

/** The reseller, also of a customer's tenant. */
export const accountOf = (tenant: Tenant): string => tenant.split(/[:+]/, 1)[0]!;
