import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { child, children, type Node, nameOf, parse, unwrap, walk } from './ast.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Modules whose refusals console pages can show. Other modules serve the command line, jobs or calls that no page makes. */
const modules = [
  'packages/base/src/names.ts',
  'packages/server/src/http/{field,input,guess-throttle}.ts',
  'packages/server/src/http/v1/{contacts,domains,forwarding,mail-forwarding,quotes,zones}/**/*.ts',
  'packages/server/src/core/{errors,version}.ts',
  'packages/server/src/core/alarms/acknowledge.ts',
  'packages/server/src/core/notices/brand.ts',
  'packages/server/src/core/{accounts,approvals,brands,contacts,customers,forwarding,invitations,keys,mail-forwarding}/**/*.ts',
  'packages/server/src/core/{quotes,registrant-change,sandbox,users,verification,zones}/**/*.ts',
  'packages/server/src/core/domains/{allowed,buy,change,move,renewal,search,transfer-in}/**/*.ts',
  'packages/server/src/core/invoices/credit*.ts',
  'packages/server/src/core/ledger/{credit-limit,fund,hold}.ts',
  'packages/server/src/core/operations/{cancel,order}.ts',
  'packages/server/src/core/upstreams/*.ts',
  'packages/server/src/core/pricing/{csv,customer-price,import-csv,price,price-of,set-rules}.ts',
];
/** Files of these modules for fields or calls that no page has. */
const unused = [
  'accounts/delete.ts',
  'buy/registration-data.ts',
  'customers/default-nameservers.ts',
  'customers/tax-id.ts',
  'customers/temp-password.ts',
  'customers/total-receipts.ts',
  'accounts/temp-password.ts',
];

/** Every text that an expression can produce; `{}` stands for a value. */
function templatesOf(expression: Node | undefined): readonly string[] {
  if (!expression) return ['{}'];
  const node = unwrap(expression);
  if (node.type === 'Literal') return [typeof node.value === 'string' ? node.value : '{}'];
  if (node.type === 'ConditionalExpression')
    return [...templatesOf(child(node, 'consequent')), ...templatesOf(child(node, 'alternate'))];
  if (node.type === 'LogicalExpression')
    return [...templatesOf(child(node, 'left')), ...templatesOf(child(node, 'right'))];
  if (node.type !== 'TemplateLiteral') return ['{}'];
  const quasis = children(node, 'quasis').map((each) => (each.value as { cooked: string }).cooked);
  let texts: readonly string[] = [quasis[0] ?? ''];
  for (const [n, inner] of children(node, 'expressions').map(templatesOf).entries())
    texts = texts.flatMap((text) => [...new Set(inner)].map((each) => `${text}${each}${quasis[n + 1] ?? ''}`));
  return texts;
}

const calls: Readonly<Record<string, number>> = { Refusal: 1, NameError: 0, FieldRefusal: 0, badField: 1 };

/** The argument that is the text of a refusal, if the node makes one. */
function textIn(node: Node): Node | undefined {
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const position = calls[nameOf(child(node, 'callee')) ?? ''];
    return position === undefined ? undefined : children(node, 'arguments')[position];
  }
  if (node.type !== 'ObjectExpression') return undefined;
  const values = new Map(
    children(node, 'properties').map((each) => [nameOf(child(each, 'key')), child(each, 'value')] as const),
  );
  return values.has('field') ? values.get('message') : undefined;
}

/** The end of a sentence whose subject is a domain name: why an action is not allowed. */
function reasonIn(node: Node): Node | undefined {
  if (node.type === 'VariableDeclarator')
    return /sentence$/i.test(nameOf(child(node, 'id')) ?? '') ? child(node, 'init') : undefined;
  return node.type === 'Property' && nameOf(child(node, 'key')) === 'sentence' ? child(node, 'value') : undefined;
}

/** As the console shows it: without the name of the field and the suggested call. */
const asShown = (template: string) =>
  template.replace(/^[a-z_]+: /, '').replace(/: (?:GET|POST|PUT|DELETE) \/v1\/\S+$/, '');

/** A text that only passes on other texts has no translation of its own. Texts with `{{` are about templates of emails, which no page edits. */
const hasWords = (template: string) =>
  /\p{L}{2,}[^{}]*\s\p{L}+/u.test(template) && template !== 'Must be {}.' && !template.includes('{{');

/** The templates of all refusals, with a file that has each. */
function refusalTemplates(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const files = modules
    .flatMap((each) => globSync(each, { cwd: root }))
    .filter((file) => !unused.some((each) => file.endsWith(each)));
  for (const file of files.sort())
    walk(parse(file, readFileSync(join(root, file), 'utf8')), (node) => {
      const reason = /domains.allowed/.test(file) ? reasonIn(node) : undefined;
      const templates = reason
        ? templatesOf(reason).map((each) => `{} ${each}`)
        : templatesOf(textIn(node)).map(asShown);
      for (const template of templates) if (hasWords(template)) found.set(template, file);
    });
  return found;
}

const placeholders = (text: string) => text.split('{}').length - 1;

/** Refusals without a translation, and translations of texts that no refusal has. */
export function refusalProblems(translations: Readonly<Record<string, string>>): readonly string[] {
  const templates = refusalTemplates();
  const missing = [...templates].filter(([text]) => !(text in translations));
  const superfluous = Object.keys(translations).filter((text) => !templates.has(text));
  const uneven = Object.entries(translations).filter(
    ([text, translation]) => !/\{\d\}/.test(translation) && placeholders(text) !== placeholders(translation),
  );
  return [
    ...missing.map(([text, file]) => `${file}: a refusal without an Indonesian text: ${text}`),
    ...superfluous.map((text) => `no refusal has this text any more: ${text}`),
    ...uneven.map(([text]) => `the translation has other placeholders: ${text}`),
  ];
}
