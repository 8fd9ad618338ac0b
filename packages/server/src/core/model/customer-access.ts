/** What a customer may do itself. Each level includes the ones before it. */
export const accessLevels = ['none', 'read', 'dns', 'manage', 'order'] as const;
export type Access = (typeof accessLevels)[number];

export const hasAccessLevel = (own: Access, needed: Access): boolean =>
  accessLevels.indexOf(own) >= accessLevels.indexOf(needed);

const scopesFrom: Readonly<Record<Access, readonly string[]>> = {
  none: [],
  read: ['domains:read', 'dns:read', 'contacts:read', 'customers:read', 'billing:read'],
  dns: ['dns:write'],
  manage: ['domains:write', 'contacts:write', 'domains:auth_code'],
  order: [],
};

/** The same scopes as for keys and users. They do not open calls that are closed to customers. */
export const scopesOfAccess = (access: Access): string[] =>
  accessLevels.filter((level) => hasAccessLevel(access, level)).flatMap((level) => scopesFrom[level]);

/** The id in logs: no user has such an id. */
export const actingCustomerId = (customerId: string): string => `customer:${customerId}`;

/** Null: the id of a user, or none. */
export const customerOf = (actingId: string | undefined): string | null =>
  /^customer:(\d+)$/.exec(actingId ?? '')?.[1] ?? null;
