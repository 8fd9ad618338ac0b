import type { ContactIds, Role } from './dialect.ts';

const others = ['admin', 'tech', 'billing'] as const;

/** The contact of each role that the TLD has. A role that we do not have takes the registrant. */
export function contactsByRole(ids: ContactIds, without: readonly string[] = []): (readonly [Role, string])[] {
  const { registrant } = ids;
  const wanted = others
    .filter((role) => !without.includes(role))
    .map((role) => [role, ids[role] ?? registrant] as const);
  return [['registrant', registrant] as const, ...wanted].flatMap(([role, id]) =>
    id === undefined ? [] : [[role, id] as const],
  );
}

export const tldOf = (name: string): string => name.slice(name.indexOf('.') + 1);
