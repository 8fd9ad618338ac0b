import { type RegistryProfile, rulesFor, type TldRules } from '@namehold/epp';
import type { Greeting } from '../core/registries/test.ts';

/** Any version of RFC 8748 or of its drafts. */
const feeUri = /:fee-\d/;

/** Where an order would come to grief by what profile and greeting say already: the server has not what the rules of a TLD live on. */
export function misfits(profile: RegistryProfile, tlds: readonly string[], greeting: Greeting): string[] {
  const { contact, host, fee, secureAuthInfo } = profile.namespaces;
  const offers = (uri: string | undefined) =>
    uri !== undefined && (greeting.objURIs.includes(uri) || greeting.extURIs.includes(uri));
  const under = (isSo: (rules: TldRules) => boolean) =>
    tlds.filter((tld) => isSo(rulesFor(profile, `any.${tld}`))).map((tld) => `.${tld}`);
  const lacking = (what: string, where: readonly string[], isThere: boolean) =>
    isThere || where.length === 0 ? [] : [`no name could be registered under ${where.join(', ')}: ${what}`];
  const others = greeting.extURIs.filter((uri) => feeUri.test(uri));
  return [
    ...lacking(
      'the profile sends contacts (rules.dataModel), which the server does not keep; minimum or thin sends none',
      under(({ dataModel }) => dataModel === 'maximum' || dataModel === 'per-registrar'),
      offers(contact),
    ),
    ...lacking(
      'the profile has nameservers as host objects (rules.hostModel), which the server does not keep; attributes fits',
      under(({ hostModel }) => hostModel === 'objects'),
      offers(host),
    ),
    ...lacking(
      'the profile sends an empty auth code (rules.secureAuthInfo), and the server does not offer RFC 9154',
      under(({ secureAuthInfo: isSecure }) => isSecure),
      offers(secureAuthInfo),
    ),
    ...(fee !== undefined && !offers(fee) && others.length > 0
      ? [
          `prices would not be asked: the server tells them by ${others.join(', ')}, and namespaces.fee of the profile is ${fee}`,
        ]
      : []),
  ];
}
