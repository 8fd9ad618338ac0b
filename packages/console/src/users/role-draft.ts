import { levelsOf, type Scoped, scopesOf } from '../keys/key-draft.ts';
import { may } from '../session/current-session.ts';

/** The roles of the API and three common sets of scopes. */
const presets = {
  support: ['domains:write', 'dns:write', 'customers:write', 'contacts:write'],
  billing: ['billing:write', 'customers:read', 'domains:read'],
  dns: ['dns:write', 'domains:read'],
} as const;

const choices = ['owner', 'support', 'billing', 'dns', 'read_only', 'chosen'] as const;
export type Choice = (typeof choices)[number];

export interface RoleDraft extends Scoped {
  readonly email: string;
  readonly choice: Choice;
}

export const emptyRole: RoleDraft = { email: '', choice: 'support', ...levelsOf([]) };

const isPreset = (choice: Choice): choice is keyof typeof presets => choice in presets;

/** Users cannot grant more than they have. */
export const offered = (): readonly Choice[] =>
  choices.filter((choice) => {
    if (choice === 'owner') return may('full');
    if (choice === 'read_only') return may('full') || may('read');
    return !isPreset(choice) || presets[choice].every((scope) => may(scope));
  });

interface Role {
  readonly role: 'owner' | 'staff' | 'read_only';
  readonly scopes: readonly string[];
}

/** The request body. */
export function sentRole(draft: RoleDraft): { role: Role['role']; scopes?: string[] } {
  const { choice } = draft;
  if (choice === 'owner' || choice === 'read_only') return { role: choice };
  return { role: 'staff', scopes: isPreset(choice) ? [...presets[choice]] : scopesOf(draft) };
}

export function choiceOf({ role, scopes }: Role): Choice {
  if (role !== 'staff') return role;
  const same = (preset: readonly string[]) =>
    preset.length === scopes.length && preset.every((scope) => scopes.includes(scope));
  return (Object.keys(presets) as (keyof typeof presets)[]).find((key) => same(presets[key])) ?? 'chosen';
}

export const draftOfMember = (member: Role & { readonly email: string }): RoleDraft => ({
  email: member.email,
  choice: choiceOf(member),
  ...levelsOf(member.scopes),
});
