import { textElement } from '../command/parts.ts';
import type { IdnTable } from '../model/extension.ts';
import { compact, neededToken, optionalToken, token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** Verisign's idnLang-1.0 has only the tag, in an element of its own. */
const IDN_LANG = 'http://www.verisign.com/epp/idnLang-1.0';

export const idnElement = (ns: string) => (ns === IDN_LANG ? 'tag' : 'data');

/** draft-ietf-eppext-idnmap: the table that an IDN must conform to; the URI decides the form. */
export function writeIdn(ns: string, idn: IdnTable): XmlElement {
  if (ns === IDN_LANG) return element(ns, 'tag', undefined, idn.table);
  return element(ns, 'data', undefined, textElement(ns, 'table', idn.table), textElement(ns, 'uname', idn.uname));
}

export function readIdn(el: XmlElement): IdnTable {
  if (el.ns === IDN_LANG) return { table: token(el) };
  return compact<IdnTable>({ table: neededToken(el, el.ns, 'table'), uname: optionalToken(el, el.ns, 'uname') });
}
