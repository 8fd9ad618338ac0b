import { dirname, join } from 'node:path/posix';
import { child, children, isWrapper, type Node, nameOf, parse, unwrap, walk } from './ast.ts';
import type { Catalogue } from './catalogue.ts';

/** Where a message is shown; each kind has a length that fits. */
export type Kind = 'button' | 'head' | 'toast';

export interface Use {
  readonly catalogue: Catalogue;
  readonly path: string;
  readonly kind: Kind | undefined;
  /** Arguments of the call; undefined where the message is passed on without a call. */
  readonly filled: number | undefined;
  readonly file: string;
  readonly line: number;
}

interface Bound {
  readonly catalogue: Catalogue;
  readonly path: string;
}
type Scope = Map<string, Bound | undefined>;
const functions = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** The accessors that a file can call: its own constants and its imports. */
function accessorsOf(file: string, program: Node, all: readonly Catalogue[]): ReadonlyMap<string, Catalogue> {
  const found = new Map(all.filter((each) => each.file === file).map((each) => [each.accessor, each]));
  walk(program, (node) => {
    if (node.type !== 'ImportDeclaration') return;
    const target = join(dirname(file), nameOf(child(node, 'source')) ?? '');
    for (const each of children(node, 'specifiers')) {
      const accessor = nameOf(child(each, 'imported'));
      const catalogue = all.find((one) => one.file === target && one.accessor === accessor);
      const local = nameOf(child(each, 'local'));
      if (catalogue && local !== undefined) found.set(local, catalogue);
    }
  });
  return found;
}

const add = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** Declares the names of a pattern in a scope; `bound` is what the whole pattern stands for. */
function declare(scope: Scope, pattern: Node | undefined, bound: Bound | undefined): void {
  if (!pattern) return;
  if (pattern.type === 'Identifier') scope.set(nameOf(pattern) ?? '', bound);
  else if (pattern.type === 'AssignmentPattern') declare(scope, child(pattern, 'left'), bound);
  else if (pattern.type === 'ObjectPattern')
    for (const property of children(pattern, 'properties')) {
      const name = nameOf(child(property, 'key'));
      const inner = bound && name !== undefined ? { ...bound, path: add(bound.path, name) } : undefined;
      declare(scope, child(property, 'value') ?? child(property, 'argument'), inner);
    }
  else for (const each of children(pattern, 'elements')) declare(scope, each, undefined);
}

class FileUses {
  readonly uses: Use[] = [];
  private readonly file: string;
  private readonly text: string;
  private readonly accessors: ReadonlyMap<string, Catalogue>;
  private readonly scopes = new Map<Node, Scope>();
  private readonly program: Node;

  constructor(file: string, text: string, all: readonly Catalogue[]) {
    this.file = file;
    this.text = text;
    this.program = parse(file, text);
    this.accessors = accessorsOf(file, this.program, all);
    if (this.accessors.size === 0) return;
    walk(this.program, (node, parents) => this.declareIn(node, parents));
    walk(this.program, (node, parents) => this.read(node, parents));
  }

  private scopeOf(parents: readonly Node[]): Scope {
    const owner = parents.findLast((each) => functions.test(each.type)) ?? this.program;
    const scope = this.scopes.get(owner) ?? new Map();
    this.scopes.set(owner, scope);
    return scope;
  }

  private declareIn(node: Node, parents: readonly Node[]): void {
    if (functions.test(node.type))
      for (const parameter of children(node, 'params'))
        declare(this.scopeOf([...parents, node]), parameter, this.typed(parameter));
    if (node.type !== 'VariableDeclarator') return;
    const init = child(node, 'init');
    declare(this.scopeOf(parents), child(node, 'id'), init ? this.accessed(init) : undefined);
  }

  /** `t: ReturnType<typeof messages>`. */
  private typed(parameter: Node): Bound | undefined {
    const annotation = child(parameter, 'typeAnnotation');
    const accessor = annotation && /ReturnType<typeof (\w+)>$/.exec(this.text.slice(annotation.start, annotation.end));
    const catalogue = accessor ? this.accessors.get(accessor[1] ?? '') : undefined;
    return catalogue ? { catalogue, path: '' } : undefined;
  }

  /** `messages()`. */
  private accessed(expression: Node): Bound | undefined {
    const node = unwrap(expression);
    const name = node.type === 'CallExpression' ? nameOf(child(node, 'callee')) : undefined;
    const catalogue = name === undefined ? undefined : this.accessors.get(name);
    return catalogue ? { catalogue, path: '' } : undefined;
  }

  private bound(node: Node, parents: readonly Node[]): Bound | undefined {
    if (node.type === 'CallExpression') return this.accessed(node);
    if (node.type !== 'Identifier') return undefined;
    const owners = [...parents.filter((each) => functions.test(each.type)).reverse(), this.program];
    const name = nameOf(node) ?? '';
    for (const owner of owners) if (this.scopes.get(owner)?.has(name)) return this.scopes.get(owner)?.get(name);
    return undefined;
  }

  private read(node: Node, parents: readonly Node[]): void {
    const start = this.bound(node, parents);
    const parent = parents.at(-1);
    if (!start || !parent || isDeclaration(node, parent)) return;
    let { path } = start;
    let at = parents.length - 1;
    let whole = node;
    for (; at >= 0; at--) {
      const above = parents[at]!;
      if (above.type === 'MemberExpression' && child(above, 'object') === whole && !isMessage(start, path)) {
        const property = child(above, 'property');
        const name = above.computed && property?.type !== 'Literal' ? undefined : nameOf(property);
        path = add(path, name ?? '*');
      } else if (!isWrapper(above)) break;
      whole = above;
    }
    // The whole catalogue is passed on: a typed parameter takes it, and its uses are counted there.
    if (path === '') return;
    const caller = parents[at];
    const isCall = caller?.type === 'CallExpression' && child(caller, 'callee') === whole;
    this.uses.push({
      catalogue: start.catalogue,
      path,
      kind: kindOf(isCall ? caller : whole, parents.slice(0, isCall ? at : at + 1)),
      filled: isCall ? argumentsOf(caller) : undefined,
      file: this.file,
      line: this.text.slice(0, node.start).split('\n').length,
    });
  }
}

/** A spread fills any number of placeholders. */
function argumentsOf(call: Node): number {
  const filled = children(call, 'arguments');
  return filled.some((each) => each.type === 'SpreadElement') ? Number.POSITIVE_INFINITY : filled.length;
}

const isMessage = ({ catalogue }: Bound, path: string) => catalogue.messages.has(path);

function isDeclaration(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return child(parent, 'property') === node && !parent.computed;
  if (parent.type === 'VariableDeclarator') return child(parent, 'id') === node;
  if (parent.type === 'Property') return child(parent, 'key') === node && child(parent, 'value') !== node;
  return functions.test(parent.type) || parent.type === 'JSXAttribute' || parent.type === 'ImportSpecifier';
}

const passed = /^(?:ConditionalExpression|LogicalExpression|JSXExpressionContainer|TemplateLiteral|JSXFragment)$/;
const buttons = new Set(['Button', 'ButtonLink', 'button']);

/** Climbs to the element, call or object that shows the message. */
function kindOf(shown: Node, parents: readonly Node[]): Kind | undefined {
  let inner = shown;
  for (const above of parents.toReversed()) {
    if (above.type === 'ConditionalExpression' && child(above, 'test') === inner) return undefined;
    if (above.type === 'CallExpression') return nameOf(child(above, 'callee')) === 'toast' ? 'toast' : undefined;
    if (above.type === 'JSXAttribute') return attributeKind(nameOf(child(above, 'name')));
    if (above.type === 'Property')
      return propertyKind(nameOf(child(above, 'key')), parents[parents.indexOf(above) - 1]);
    if (above.type === 'JSXElement') return elementKind(nameOf(child(child(above, 'openingElement'), 'name')));
    if (!passed.test(above.type) && !isWrapper(above)) return undefined;
    inner = above;
  }
  return undefined;
}

function attributeKind(name: string | undefined): Kind | undefined {
  if (name === 'verb') return 'button';
  return name === 'successText' ? 'toast' : undefined;
}
function elementKind(name: string | undefined): Kind | undefined {
  if (name === 'th') return 'head';
  return buttons.has(name ?? '') ? 'button' : undefined;
}
function propertyKind(name: string | undefined, object: Node | undefined): Kind | undefined {
  const keys = children(object, 'properties').map((each) => nameOf(child(each, 'key')));
  if (name === 'title' && keys.includes('cell')) return 'head';
  return name === 'label' && keys.includes('act') ? 'button' : undefined;
}

/** Where a file uses messages. */
export const usesIn = (file: string, text: string, all: readonly Catalogue[]): readonly Use[] =>
  new FileUses(file, text, all).uses;

const shownAttributes = /^(?:aria-label|alt|hint|label|lead|placeholder|title)$/;
const codeElements = new Set(['code', 'pre', 'kbd']);

/** Texts that a page shows without a message. */
export function bareTexts(file: string, text: string): readonly { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string }[] = [];
  const report = (node: Node, shown: string) => {
    if (/\p{L}{2}/u.test(shown)) found.push({ line: text.slice(0, node.start).split('\n').length, text: shown.trim() });
  };
  walk(parse(file, text), (node, parents) => {
    if (node.type === 'JSXText') {
      const isCode = parents.some((each) =>
        codeElements.has(nameOf(child(child(each, 'openingElement'), 'name')) ?? ''),
      );
      if (!isCode) report(node, String(node.value));
    }
    if (node.type !== 'JSXAttribute' || !shownAttributes.test(nameOf(child(node, 'name')) ?? '')) return;
    const value = child(node, 'value');
    if (value?.type === 'Literal') report(node, String(value.value));
  });
  return found;
}
