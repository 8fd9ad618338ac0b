import { parseSync } from 'vite';

/** A node of the ESTree that the parser returns. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

export function parse(path: string, text: string): Node {
  const { program, errors } = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return program as unknown as Node;
}

export const child = (node: Node | undefined, key: string): Node | undefined => {
  const value = node?.[key];
  return isNode(value) ? value : undefined;
};
export const children = (node: Node | undefined, key: string): readonly Node[] => {
  const value = node?.[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
};

/** The name of an identifier, or the text of a string literal or a property key. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier' || node?.type === 'JSXIdentifier') return node.name as string;
  if (node?.type === 'Literal') return String(node.value);
  return undefined;
}

/** Visits every node; `parents` holds its ancestors, the root first. */
export function walk(node: Node, visit: (node: Node, parents: readonly Node[]) => void, parents: Node[] = []): void {
  visit(node, parents);
  parents.push(node);
  for (const value of Object.values(node))
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) walk(each, visit, parents);
  parents.pop();
}

const wrappers =
  /^(?:TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|ParenthesizedExpression|ChainExpression)$/;

/** The expression without casts and parentheses around it. */
export function unwrap(node: Node): Node {
  let inner = node;
  while (wrappers.test(inner.type)) inner = child(inner, 'expression') ?? inner;
  return inner;
}
export const isWrapper = (node: Node): boolean => wrappers.test(node.type);
