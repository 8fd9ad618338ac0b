import { followsSecureAuthInfo, type RegistryProfile, rulesFor, SECURE_AUTH_INFO, type TldRules } from '@namehold/epp';
import type { Tld } from '../core/model/tld.ts';
import type { Greeting } from '../core/registries/test.ts';

/** Any version of RFC 8748 or of its drafts. */
const feeUri = /:fee-\d/;

/** Errors that follow from profile and greeting alone: extensions that the rules of a TLD require are missing. */
export function profileFindings(profile: RegistryProfile, tlds: readonly string[], greeting: Greeting): string[] {
  const { contact, host, fee, secureAuthInfo } = profile.namespaces;
  const offers = (uri: string | undefined) =>
    uri !== undefined && (greeting.objURIs.includes(uri) || greeting.extURIs.includes(uri));
  const under = (isSo: (rules: TldRules) => boolean) =>
    tlds.filter((tld) => isSo(rulesFor(profile, `any.${tld}`))).map((tld) => `.${tld}`);
  const lacking = (what: string, where: readonly string[], isThere: boolean) =>
    isThere || where.length === 0 ? [] : [`no domain can be registered under ${where.join(', ')}: ${what}`];
  const others = greeting.extURIs.filter((uri) => feeUri.test(uri));
  return [
    ...lacking(
      'the profile sends contacts (rules.dataModel), which the server does not store; minimum or thin sends none',
      under(({ dataModel }) => dataModel === 'maximum' || dataModel === 'per-registrar'),
      offers(contact),
    ),
    ...lacking(
      'the profile has nameservers as host objects (rules.hostModel), which the server does not store; use attributes',
      under(({ hostModel }) => hostModel === 'objects'),
      offers(host),
    ),
    ...lacking(
      'the profile sends an empty auth code (rules.secureAuthInfo), and the server does not offer RFC 9154',
      under(({ secureAuthInfo: isSecure }) => isSecure === true),
      offers(secureAuthInfo),
    ),
    ...(fee !== undefined && !offers(fee) && others.length > 0
      ? [
          `prices cannot be queried: the server offers ${others.join(', ')}, and namespaces.fee of the profile is ${fee}`,
        ]
      : []),
  ];
}

/** Contact roles that the catalogue requires and the profile does not send: allowed, but reported. */
export function unsentContacts(profile: RegistryProfile, tlds: readonly Tld[]): string[] {
  return tlds.flatMap(({ name, rules }) => {
    const { dataModel, sentContacts } = rulesFor(profile, `any.${name}`);
    if (!sentContacts || (dataModel !== 'maximum' && dataModel !== 'per-registrar')) return [];
    const unsent = rules.contacts.required.filter((role) => role !== 'registrant' && !sentContacts.includes(role));
    if (unsent.length === 0) return [];
    return [
      `The catalogue requires ${unsent.join(', ')} for .${name} (contacts.required), and the profile does not send it (rules.sentContacts).`,
    ];
  });
}

/** RFC 9154: a profile that follows it only for some TLDs must not announce it. Generated auth codes must be strong enough. */
export function secureAuthInfoFindings(profile: RegistryProfile, isOffered: boolean): string[] {
  const all = [profile.rules, ...Object.keys(profile.tlds).map((tld) => rulesFor(profile, `any.${tld}`))];
  const secure = all.filter(({ secureAuthInfo }) => secureAuthInfo);
  if (!isOffered || secure.length === 0) return [];
  const short = secure.find(({ authInfoMaxLength }) => authInfoMaxLength < SECURE_AUTH_INFO.minLength);
  return [
    ...(followsSecureAuthInfo(profile)
      ? []
      : ['RFC 9154 is not announced: rules.secureAuthInfo of the profile is not true for every TLD']),
    ...(short
      ? [
          `auth codes of up to ${short.authInfoMaxLength} characters (authInfoMaxLength) are too short for RFC 9154, which needs ${SECURE_AUTH_INFO.minLength}`,
        ]
      : []),
  ];
}
