import {
  contactFieldOf,
  declaredFields,
  type RegistryProfile,
  TLD_EXTENSIONS,
  type TldExtensions,
  writeMapped,
  type XmlElement,
} from '@namehold/epp';
import type { StatedFields } from '../../core/ports/tld-fields.ts';

type Extra = Readonly<Record<string, string>>;

/** URIs that the profile announces besides those of its namespaces. */
export const announcedUris = ({ namespaces, otherExtensionURIs, extensions }: RegistryProfile): string[] => [
  // Its fields depend on the TLD, so the catalogue may state them.
  ...(namespaces.keysys === undefined ? [] : [namespaces.keysys]),
  ...otherExtensionURIs,
  ...extensions.map(({ uri }) => uri),
];

/** The fields that this carrier has for the extensions of the registry. */
export function extensionsOf(profile: RegistryProfile, carrier: 'contact' | 'domain', extra: Extra): TldExtensions {
  const served = TLD_EXTENSIONS.filter((each) => each.carrier === carrier && profile.namespaces[each.part]);
  return Object.fromEntries(
    served.flatMap((each) => {
      const fields = declaredFields(each, extra);
      return fields === undefined ? [] : [[each.name, fields] as const];
    }),
  );
}

/** The contact that the domain names. If the registry has several such extensions, the one with the name of the TLD applies. */
export function declarantOf(profile: RegistryProfile, name: string, declarant: string | undefined): TldExtensions {
  if (declarant === undefined) return {};
  const served = TLD_EXTENSIONS.filter((each) => each.isReferencedByDomain && profile.namespaces[each.part]);
  const [only] = served.length === 1 ? served : served.filter((each) => name.endsWith(`.${each.name}`));
  return only === undefined ? {} : { [only.name]: { [contactFieldOf(only.name)]: declarant } };
}

/** The elements of fields that the catalogue states. A command without a path does not send them. */
export function statedElements(
  profile: RegistryProfile,
  stated: readonly StatedFields[],
  carrier: 'contact' | 'domain',
  verb: 'create' | 'update',
  extra: Extra,
): XmlElement[] {
  const announced = announcedUris(profile);
  return stated.flatMap((each) => {
    const path = each.elements[verb];
    const fields = each.carrier === carrier ? declaredFields(each, extra) : undefined;
    if (path === undefined || fields === undefined || !announced.includes(each.namespace)) return [];
    return writeMapped(each.namespace, path, each.mapping, fields);
  });
}

/** The parts of `ext` that carry fields. */
export const extOf = (tld: TldExtensions, other: readonly XmlElement[] = []) => ({
  ...(Object.keys(tld).length > 0 ? { tld } : {}),
  ...(other.length > 0 ? { other } : {}),
});
