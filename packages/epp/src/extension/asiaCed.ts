import { textElement } from '../command/parts.ts';
import type { AsiaCed } from '../model/extension.ts';
import { compact, neededToken, optionalToken } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

type Declaration = Exclude<AsiaCed, { contactId: string }>;

/** Our own extension (schemas/asiaCed-1.0.xsd): the eligibility declaration of .asia, or the contact that carries it. */
export function writeAsiaCed(ns: string, name: 'create' | 'update' | 'infData', ced: AsiaCed): XmlElement {
  if ('contactId' in ced) return element(ns, name, undefined, textElement(ns, 'contact', ced.contactId));
  return element(
    ns,
    name,
    undefined,
    textElement(ns, 'country', ced.country),
    textElement(ns, 'entityType', ced.entityType),
    textElement(ns, 'otherEntityType', ced.otherEntityType),
    textElement(ns, 'identificationType', ced.identificationType),
    textElement(ns, 'otherIdentificationType', ced.otherIdentificationType),
    textElement(ns, 'identificationNumber', ced.identificationNumber),
  );
}

export function readAsiaCed(el: XmlElement): AsiaCed {
  const contactId = optionalToken(el, el.ns, 'contact');
  if (contactId !== undefined) return { contactId };
  return compact<Declaration>({
    country: neededToken(el, el.ns, 'country'),
    entityType: neededToken(el, el.ns, 'entityType'),
    otherEntityType: optionalToken(el, el.ns, 'otherEntityType'),
    identificationType: neededToken(el, el.ns, 'identificationType'),
    otherIdentificationType: optionalToken(el, el.ns, 'otherIdentificationType'),
    identificationNumber: neededToken(el, el.ns, 'identificationNumber'),
  });
}
