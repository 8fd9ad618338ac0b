import { textElement } from '../command/parts.ts';
import type { UsNexus } from '../model/extension.ts';
import { optionalToken } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** neulevel-1.0: one text of names and values. For .us it contains purpose and nexus category of a registrant. */
export function writeUsNexus(ns: string, nexus: UsNexus): XmlElement {
  const text = `AppPurpose=${nexus.purpose} NexusCategory=${nexus.category}`;
  return element(ns, 'extension', undefined, textElement(ns, 'unspec', text));
}

/** Undefined if the text has other values: other TLDs of the registry use it differently. */
export function readUsNexus(el: XmlElement): UsNexus | undefined {
  const text = optionalToken(el, el.ns, 'unspec') ?? '';
  const value = (name: string) => new RegExp(`(?:^| )${name}=(\\S+)`, 'i').exec(text)?.[1];
  const [purpose, category] = [value('AppPurpose'), value('NexusCategory')];
  return purpose === undefined || category === undefined ? undefined : { purpose, category };
}
