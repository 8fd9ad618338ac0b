import { may } from '../session/current-session.ts';

/** Access levels by area. */
export interface Scoped {
  readonly levels: Readonly<Record<Area, Level>>;
  readonly authCode: boolean;
}

/** The inputs of the key form. */
export interface KeyDraft extends Scoped {
  readonly label: string;
  /** One address or range per line. */
  readonly whitelist: string;
  readonly preset: 'full' | 'read' | 'chosen';
  readonly expires: string;
}

export const areas = ['account', 'billing', 'customers', 'contacts', 'domains', 'dns', 'resellers'] as const;
type Area = (typeof areas)[number];
export type Level = 'none' | 'read' | 'write';
const authCodeScope = 'domains:auth_code';

const noLevels = Object.fromEntries(areas.map((area) => [area, 'none'])) as Record<Area, Level>;

/** All permissions of the user. */
export const emptyDraft = (): KeyDraft => ({
  label: '',
  whitelist: '',
  preset: may('full') ? 'full' : may('read') ? 'read' : 'chosen',
  levels: noLevels,
  authCode: false,
  expires: '',
});

export function draftOf(key: { label: string; ip_whitelist: string[]; scopes: string[] }): KeyDraft {
  const { scopes } = key;
  const preset = scopes.includes('full') ? 'full' : scopes.length === 1 && scopes[0] === 'read' ? 'read' : 'chosen';
  return {
    label: key.label,
    whitelist: key.ip_whitelist.join('\n'),
    preset,
    ...levelsOf(scopes),
    expires: '',
  };
}

export function levelsOf(scopes: readonly string[]): Scoped {
  const levelOf = (area: Area): Level =>
    scopes.includes(`${area}:write`)
      ? 'write'
      : scopes.includes(`${area}:read`) || scopes.includes('read')
        ? 'read'
        : 'none';
  return {
    levels: Object.fromEntries(areas.map((area) => [area, levelOf(area)])) as Record<Area, Level>,
    authCode: scopes.includes(authCodeScope),
  };
}

export const scopesOf = ({ levels, authCode }: Scoped): string[] => [
  ...areas.flatMap((area) => (levels[area] === 'none' ? [] : [`${area}:${levels[area]}`])),
  ...(authCode ? [authCodeScope] : []),
];

/** The request body. Pasted lists can contain commas and spaces. */
export function sentOf(draft: KeyDraft): { label: string; ip_whitelist: string[]; scopes: string[] } {
  return {
    label: draft.label.trim(),
    ip_whitelist: draft.whitelist.split(/[\s,;]+/).filter((entry) => entry !== ''),
    scopes: draft.preset === 'chosen' ? scopesOf(draft) : [draft.preset],
  };
}
