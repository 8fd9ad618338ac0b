/** What a customer may do by itself, each with all that stands before it. */
export const accessLevels = ['none', 'read', 'dns', 'manage', 'order'] as const;
export type Access = (typeof accessLevels)[number];

export const reaches = (own: Access, needed: Access): boolean =>
  accessLevels.indexOf(own) >= accessLevels.indexOf(needed);

const scopesFrom: Readonly<Record<Access, readonly string[]>> = {
  none: [],
  read: ['domains:read', 'dns:read', 'contacts:read', 'customers:read', 'billing:read'],
  dns: ['dns:write'],
  manage: ['domains:write', 'contacts:write', 'domains:auth_code'],
  order: [],
};

/** The same words as for keys and people. They open nothing that is closed to customers. */
export const scopesOfAccess = (access: Access): string[] =>
  accessLevels.filter((level) => reaches(access, level)).flatMap((level) => scopesFrom[level]);

/** As logs name it: no person has such an id. */
export const actingCustomerId = (customerId: string): string => `customer:${customerId}`;
