import { textElement } from '../command/parts.ts';
import type { UsNexus } from '../model/extension.ts';
import { neededToken } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** Our own extension (schemas/usNexus-1.0.xsd): purpose and nexus category of a .us name or its holder. */
export function writeUsNexus(ns: string, name: 'create' | 'update' | 'infData', nexus: UsNexus): XmlElement {
  return element(
    ns,
    name,
    undefined,
    textElement(ns, 'purpose', nexus.purpose),
    textElement(ns, 'category', nexus.category),
  );
}

export function readUsNexus(el: XmlElement): UsNexus {
  return { purpose: neededToken(el, el.ns, 'purpose'), category: neededToken(el, el.ns, 'category') };
}
