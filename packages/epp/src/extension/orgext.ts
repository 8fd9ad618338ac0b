import type { OrganisationRef, OrganisationUpdate } from '../model/extension.ts';
import { child, children, compact, neededAttribute, token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** RFC 8544: the organisations of an object (a reseller, a proxy). create and infData have one form. */
export function writeOrganisations(
  ns: string,
  name: 'create' | 'infData' | 'add' | 'rem' | 'chg',
  list: readonly OrganisationRef[],
): XmlElement {
  return element(
    ns,
    name,
    undefined,
    list.map((each) => element(ns, 'id', { role: each.role }, each.id)),
  );
}

export function readOrganisations(el: XmlElement): OrganisationRef[] {
  return children(el, el.ns, 'id').map((each) => ({ id: token(each), role: neededAttribute(each, 'role') }));
}

export function writeOrganisationUpdate(ns: string, update: OrganisationUpdate): XmlElement {
  const part = (name: 'add' | 'rem' | 'chg') => {
    const list = update[name];
    return list === undefined ? undefined : writeOrganisations(ns, name, list);
  };
  return element(ns, 'update', undefined, part('add'), part('rem'), part('chg'));
}

export function readOrganisationUpdate(el: XmlElement): OrganisationUpdate {
  const part = (name: string) => {
    const found = child(el, el.ns, name);
    return found === undefined ? undefined : readOrganisations(found);
  };
  return compact<OrganisationUpdate>({ add: part('add'), rem: part('rem'), chg: part('chg') });
}
