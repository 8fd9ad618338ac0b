import { XmlElement as LibElement, XmlCData, type XmlDocument, XmlText, XmlTreeNode } from 'libxml2-wasm';
import type { XmlElement, XmlNode } from '../../src/index.ts';

/** The tree read from libxml2 node by node: slow, and the oracle for the fast parser. Undefined for a processing instruction. */
export function walk(document: XmlDocument): XmlElement | undefined {
  try {
    return copy(document.root);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function copy(source: LibElement): XmlElement {
  const children: XmlNode[] = [];
  for (let node = source.firstChild; node !== null; node = node.next) {
    if (node instanceof LibElement) children.push(copy(node));
    else if (node instanceof XmlText || node instanceof XmlCData) {
      const last = children.length - 1;
      if (typeof children[last] === 'string') children[last] += node.content;
      else children.push(node.content);
    } else if (!(node instanceof XmlTreeNode)) throw new RangeError('the binding cannot skip this node');
  }
  const attrs: Record<string, string> = {};
  for (const attr of source.attrs) {
    attrs[attr.namespaceUri === '' ? attr.name : `{${attr.namespaceUri}}${attr.name}`] = attr.content;
  }
  return { ns: source.namespaceUri, name: source.name, attrs, children };
}
