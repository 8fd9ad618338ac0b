import { textElement } from '../command/parts.ts';
import type { AsiaCed } from '../model/extension.ts';
import { attribute, child, children, compact, neededToken, optionalToken, token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

type Declaration = Exclude<AsiaCed, { contactId: string }>;

/** asia-1.0: a contact carries the eligibility declaration, and a domain names that contact. In an update it is inside of `chg`. */
export function writeAsiaCed(ns: string, name: 'create' | 'update' | 'infData', ced: AsiaCed): XmlElement {
  const content =
    'contactId' in ced ? element(ns, 'contact', { type: 'ced' }, ced.contactId) : writeDeclaration(ns, ced);
  return element(ns, name, undefined, name === 'update' ? element(ns, 'chg', undefined, content) : content);
}

function writeDeclaration(ns: string, ced: Declaration): XmlElement {
  return element(
    ns,
    'cedData',
    undefined,
    textElement(ns, 'ccLocality', ced.country),
    textElement(ns, 'legalEntityType', ced.entityType),
    textElement(ns, 'identForm', ced.identificationType),
    textElement(ns, 'identNumber', ced.identificationNumber),
    textElement(ns, 'otherLEType', ced.otherEntityType),
    textElement(ns, 'otherIdentForm', ced.otherIdentificationType),
  );
}

/** Undefined if the element has neither: domains also list other contacts and a maintenance address here. */
export function readAsiaCed(el: XmlElement): AsiaCed | undefined {
  const content = child(el, el.ns, 'chg') ?? el;
  const contact = children(content, el.ns, 'contact').find((each) => attribute(each, 'type') === 'ced');
  if (contact !== undefined) return { contactId: token(contact) };
  const data = child(content, el.ns, 'cedData');
  if (data === undefined) return undefined;
  return compact<Declaration>({
    country: neededToken(data, el.ns, 'ccLocality'),
    entityType: neededToken(data, el.ns, 'legalEntityType'),
    otherEntityType: optionalToken(data, el.ns, 'otherLEType'),
    identificationType: neededToken(data, el.ns, 'identForm'),
    otherIdentificationType: optionalToken(data, el.ns, 'otherIdentForm'),
    identificationNumber: neededToken(data, el.ns, 'identNumber'),
  });
}
