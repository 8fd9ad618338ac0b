import { child, children, type Node, nameOf, parse, unwrap, walk } from './ast.ts';

/** One message in one language. */
export interface Text {
  /** Every text that the message can produce; a placeholder is the empty string. */
  readonly variants: readonly string[];
  /** Positions of the parameters that the text shows or depends on. */
  readonly used: ReadonlySet<number>;
  readonly parameters: number;
}

export interface Message {
  readonly id: string;
  readonly path: string;
  readonly en?: Text;
  readonly id_?: Text;
}

/** The messages of one `defineMessages` call. */
export interface Catalogue {
  readonly file: string;
  /** The constant that holds the accessor: `messages`, `label`. */
  readonly accessor: string;
  readonly messages: ReadonlyMap<string, Message>;
  /** Paths of objects, so that a use of a whole group is known. */
  readonly groups: ReadonlySet<string>;
  /** Groups whose English texts come from the service: they are empty in English. */
  readonly translated: ReadonlySet<string>;
}

interface Side {
  readonly texts: Map<string, Text>;
  readonly groups: Set<string>;
  readonly empty: Set<string>;
}

/** Every text that an expression can produce. What is not a literal counts as a placeholder. */
function variantsOf(expression: Node | undefined): readonly string[] {
  if (!expression) return [''];
  const node = unwrap(expression);
  if (node.type === 'Literal') return [typeof node.value === 'string' ? node.value : ''];
  if (node.type === 'ConditionalExpression')
    return [...variantsOf(child(node, 'consequent')), ...variantsOf(child(node, 'alternate'))];
  if (node.type === 'LogicalExpression') return ['', ...variantsOf(child(node, 'right'))];
  if (node.type === 'TemplateLiteral') return templateVariants(node);
  if (node.type === 'CallExpression' && nameOf(child(node, 'callee')) === 'plural')
    return children(node, 'arguments').slice(1).flatMap(variantsOf);
  if (node.type === 'ArrayExpression') return children(node, 'elements').flatMap(variantsOf);
  return [''];
}

function templateVariants(node: Node): readonly string[] {
  const quasis = children(node, 'quasis').map((each) => (each.value as { cooked: string }).cooked);
  const inner = children(node, 'expressions').map(variantsOf);
  let texts: string[] = [quasis[0] ?? ''];
  for (const [n, options] of inner.entries())
    texts = texts.flatMap((text) => [...new Set(options)].map((each) => `${text}${each}${quasis[n + 1] ?? ''}`));
  return texts;
}

function textOf(expression: Node): Text {
  const node = unwrap(expression);
  if (node.type !== 'ArrowFunctionExpression') return { variants: variantsOf(node), used: new Set(), parameters: 0 };
  const parameters = children(node, 'params').map(nameOf);
  const used = new Set<number>();
  const body = child(node, 'body');
  if (body)
    walk(body, (each) => {
      const at = each.type === 'Identifier' ? parameters.indexOf(nameOf(each)) : -1;
      if (at >= 0) used.add(at);
    });
  return { variants: variantsOf(body), used, parameters: parameters.length };
}

function flatten(object: Node, constants: ReadonlyMap<string, Node>, prefix: string, side: Side): void {
  side.groups.add(prefix);
  const properties = children(object, 'properties');
  if (properties.length === 0 && prefix !== '') side.empty.add(prefix);
  for (const property of properties) {
    const name = nameOf(child(property, 'key'));
    const value = child(property, 'value');
    if (name === undefined || !value) continue;
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const inner = resolve(value, constants);
    if (inner.type === 'ObjectExpression') flatten(inner, constants, path, side);
    else side.texts.set(path, textOf(inner));
  }
}

function resolve(node: Node, constants: ReadonlyMap<string, Node>): Node {
  const inner = unwrap(node);
  const constant = inner.type === 'Identifier' ? constants.get(nameOf(inner) ?? '') : undefined;
  return constant ? unwrap(constant) : inner;
}

function sideOf(node: Node | undefined, constants: ReadonlyMap<string, Node>): Side {
  const side: Side = { texts: new Map(), groups: new Set(), empty: new Set() };
  const object = node ? resolve(node, constants) : undefined;
  if (object?.type === 'ObjectExpression') flatten(object, constants, '', side);
  return side;
}

/** The messages that a file defines. */
export function cataloguesOf(file: string, text: string): readonly Catalogue[] {
  if (!text.includes('defineMessages')) return [];
  const found: Catalogue[] = [];
  const constants = new Map<string, Node>();
  walk(parse(file, text), (node) => {
    if (node.type !== 'VariableDeclarator') return;
    const accessor = nameOf(child(node, 'id'));
    const init = child(node, 'init');
    if (accessor === undefined || !init) return;
    constants.set(accessor, init);
    if (init.type !== 'CallExpression' || nameOf(child(init, 'callee')) !== 'defineMessages') return;
    const [en, id] = children(init, 'arguments').map((each) => sideOf(each, constants));
    if (en && id) found.push(catalogue(file, accessor, en, id));
  });
  return found;
}

function catalogue(file: string, accessor: string, en: Side, id: Side): Catalogue {
  const folder = file.replace(/^.*packages\/console\/src\//, '').replace(/\.tsx?$/, '');
  const paths = new Set([...en.texts.keys(), ...id.texts.keys()]);
  const messages = new Map<string, Message>();
  for (const path of paths) {
    const texts = { en: en.texts.get(path), id_: id.texts.get(path) };
    messages.set(path, {
      id: `${folder}:${path}`,
      path,
      ...(texts.en ? { en: texts.en } : {}),
      ...(texts.id_ ? { id_: texts.id_ } : {}),
    });
  }
  return { file, accessor, messages, groups: new Set([...en.groups, ...id.groups]), translated: en.empty };
}
