import {
  ALL_NAMESPACES,
  type AuthCodeRules,
  DEFAULT_PROFILE,
  type Namespaces,
  type RegistryProfile,
  SECURE_AUTH_INFO,
} from '@namehold/epp';
import { badField } from '../core/errors.ts';
import { knownExtensions, type ProfileFile, profileSchema } from './profile-schema.ts';
import { isUpstream, readUpstreamProfile, type UpstreamProfile } from './upstream/profile.ts';

export type Profile = RegistryProfile & {
  readonly holdings_url?: string;
  readonly keysys?: unknown;
  readonly side?: unknown;
  readonly currency?: string;
};

/** Parses a profile file, which contains only differences from the defaults. Errors name their path. */
export const readProfile = (json: string, id: string): Profile => ({ ...completeProfile(checked(parsed(json))), id });

/** A profile of a registry (EPP) or of an upstream (`"kind": "upstream"`). */
export function readProfileFile(json: string, id: string): Profile | UpstreamProfile {
  const given = parsed(json);
  return isUpstream(given) ? readUpstreamProfile(given, id) : readProfile(json, id);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw badField('profile', `This is not JSON: ${(error as Error).message}`);
  }
}

/** Reads a stored profile; fields that it lacks get the defaults of this release. */
export const storedProfile = (stored: unknown): Profile => completeProfile(stored as ProfileFile);

function checked(given: unknown): ProfileFile {
  const result = profileSchema.safeParse(given);
  if (!result.success) {
    const [issue] = deepest(result.error.issues);
    const at = ['profile', ...issue!.path.map(String)];
    if (issue!.code === 'unrecognized_keys') throw badField([...at, issue!.keys[0]].join('.'), 'Unknown field.');
    throw badField(at.join('.'), issue!.message.replace(/^Invalid input: /, ''));
  }
  const whole = completeProfile(result.data);
  requireRules(whole.rules, 'profile.rules');
  requireLengths({ ...whole.rules, ...whole.contacts }, 'profile.contacts');
  if (result.data.keysys && whole.namespaces.keysys === undefined)
    throw badField('profile.keysys', 'Needs the URI of the extension in namespaces.keysys.');
  for (const [tld, rules] of Object.entries(whole.tlds))
    requireRules({ ...whole.rules, ...rules }, `profile.tlds.${tld}`);
  return result.data;
}

type Issue = { readonly code: string; readonly path: readonly PropertyKey[]; readonly message: string };

/** If several variants are possible, reports the errors of the one that fits best. */
function deepest(issues: readonly unknown[]): (Issue & { readonly keys: readonly string[] })[] {
  const list = issues as (Issue & { keys: string[]; errors?: Issue[][] })[];
  return list.map((issue) => {
    const inner =
      issue.code === 'invalid_union' ? issue.errors?.flat().find(({ code }) => code !== 'invalid_value') : undefined;
    return inner ? { ...issue, ...inner, path: [...issue.path, ...inner.path] } : issue;
  });
}

function requireRules(rules: RegistryProfile['rules'], path: string): void {
  requireLengths(rules, path);
  if (rules.minNameServers > rules.maxNameServers)
    throw badField(`${path}.minNameServers`, 'Must not be more than maxNameServers.');
  if (rules.minPeriodYears > rules.maxPeriodYears)
    throw badField(`${path}.minPeriodYears`, 'Must not be more than maxPeriodYears.');
  const unsent = rules.requiredContacts.find((type) => rules.sentContacts && !rules.sentContacts.includes(type));
  if (unsent) throw badField(`${path}.sentContacts`, `Must include ${unsent}, which is in requiredContacts.`);
}

function requireLengths({ authInfoMinLength: min, authInfoMaxLength: max }: AuthCodeRules, path: string): void {
  if (min > max) throw badField(`${path}.authInfoMinLength`, 'Must not be more than authInfoMaxLength.');
}

/**
 * The effective profile for a greeting with or without RFC 9154. If the file does not decide whether auth codes follow it, they do if it
 * is offered and the registry accepts codes of sufficient length.
 */
export function withOffer(profile: Profile, offersSecureAuthInfo: boolean): Profile {
  if (!offersSecureAuthInfo || profile.namespaces.secureAuthInfo === undefined) return profile;
  const { minLength, maxLength } = SECURE_AUTH_INFO;
  const followed = (own: Partial<RegistryProfile['rules']>): Partial<RegistryProfile['rules']> => {
    const { secureAuthInfo, authInfoMinLength: min, authInfoMaxLength: max } = { ...profile.rules, ...own };
    if (secureAuthInfo !== undefined || max < minLength) return own;
    const lengths = { authInfoMinLength: Math.max(min, minLength), authInfoMaxLength: Math.min(max, maxLength) };
    return { ...own, ...lengths, secureAuthInfo: true };
  };
  const tlds = Object.entries(profile.tlds).map(([tld, rules]) => [tld, followed(rules)]);
  return { ...profile, rules: { ...profile.rules, ...followed({}) }, tlds: Object.fromEntries(tlds) };
}

function completeProfile(given: ProfileFile): Profile {
  const base = DEFAULT_PROFILE;
  const { namespaces, extensions = [], rules, limits, timeouts, ...rest } = given;
  return {
    ...base,
    ...rest,
    namespaces: namespacesOf(namespaces),
    extensions: extensions.map((each) => (typeof each === 'string' ? knownExtensions[each] : each)),
    rules: { ...base.rules, ...rules },
    limits: { ...base.limits, ...limits },
    timeouts: { ...base.timeouts, ...timeouts },
  } as Profile;
}

/** A given list is complete: nothing else is ever sent. `"all"` means every extension with a codec. */
function namespacesOf(given: ProfileFile['namespaces']): Namespaces {
  if (given === undefined) return DEFAULT_PROFILE.namespaces;
  if (given === 'all') return ALL_NAMESPACES;
  return { epp: DEFAULT_PROFILE.namespaces.epp, ...given };
}
