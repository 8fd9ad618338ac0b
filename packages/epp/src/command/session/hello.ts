import type { Namespaces } from '../../profile.ts';
import { element, type XmlElement } from '../../xml/tree.ts';

/** RFC 5730 2.3: has no clTRID; the answer is a greeting. */
export function writeHello(ns: Namespaces): XmlElement {
  return element(ns.epp, 'hello');
}
