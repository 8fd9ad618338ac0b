import type { Catalogue, Message, Text } from './catalogue.ts';
import type { Kind, Use } from './uses.ts';

/** Characters without placeholders. */
const budgets: Readonly<Record<Kind, number>> = { button: 24, head: 20, toast: 80 };
const names: Readonly<Record<Kind, string>> = { button: 'a button', head: 'a table head', toast: 'a toast' };
const maxWords = 25;

/** Messages that may break a rule, by rule and id, each with its reason. */
export interface Exceptions {
  readonly long: Readonly<Record<string, string>>;
  readonly question: Readonly<Record<string, string>>;
  readonly bare: Readonly<Record<string, string>>;
}

const isBelow = (path: string, group: string) => group === '' || path.startsWith(`${group}.`);

/** The messages that a use can show; `*` stands for any key of a group. */
function messagesOf({ catalogue, path }: Pick<Use, 'catalogue' | 'path'>): readonly Message[] {
  const exact = catalogue.messages.get(path);
  if (exact) return [exact];
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}(?:\\.|$)`);
  return [...catalogue.messages.values()].filter((each) => path === '' || pattern.test(each.path));
}

const where = ({ file, line }: Use) => `${file}:${line}`;

/** Unknown ids, unused messages and placeholders that no caller fills. */
export function checkUses(catalogues: readonly Catalogue[], uses: readonly Use[]): readonly string[] {
  const problems: string[] = [];
  const shown = new Set<Message>();
  const filled = new Map<Message, number>();
  for (const use of uses) {
    if (/^\*(?:\.|$)/.test(use.path)) {
      problems.push(`${where(use)}: the id is computed at the top of a catalogue; put these messages into a group`);
      continue;
    }
    const found = messagesOf(use);
    const isTranslated = [...use.catalogue.translated].some((group) => use.path === group || isBelow(use.path, group));
    if (found.length === 0 && !isTranslated) problems.push(`${where(use)}: unknown message ${use.path}`);
    for (const message of found) {
      shown.add(message);
      filled.set(message, Math.max(filled.get(message) ?? 0, use.filled ?? Number.POSITIVE_INFINITY));
    }
  }
  for (const message of catalogues.flatMap((each) => [...each.messages.values()])) {
    const parameters = Math.max(message.en?.parameters ?? 0, message.id_?.parameters ?? 0);
    if (!shown.has(message)) problems.push(`${message.id}: not used anywhere`);
    else if ((filled.get(message) ?? 0) < parameters)
      problems.push(`${message.id}: no caller fills all ${parameters} placeholders`);
  }
  return problems;
}

const hasCount = (text: Text) => text.variants.some((each) => each.includes('#'));

/** Both languages, with the same placeholders. */
export function checkLanguages(catalogues: readonly Catalogue[]): readonly string[] {
  const problems: string[] = [];
  for (const catalogue of catalogues)
    for (const { id, path, en, id_ } of catalogue.messages.values()) {
      const isTranslated = [...catalogue.translated].some((group) => isBelow(path, group));
      if (!en && !isTranslated) problems.push(`${id}: English is missing`);
      if (!id_) problems.push(`${id}: Indonesian is missing`);
      if (!en || !id_) continue;
      const [more, less] = en.used.size >= id_.used.size ? [en, id_] : [id_, en];
      const missing = [...more.used].filter((each) => !less.used.has(each));
      if (missing.length > 0)
        problems.push(`${id}: placeholder ${missing.map((each) => each + 1).join(', ')} is in one language only`);
      if (en.used.size === 0 && en.parameters > 0) problems.push(`${id}: shows none of its placeholders`);
      if (hasCount(en) !== hasCount(id_)) problems.push(`${id}: the count (#) is in one language only`);
    }
  return problems;
}

/** The texts in both languages without their placeholders. */
const bothOf = ({ en, id_ }: Message) =>
  [...(en?.variants ?? []), ...(id_?.variants ?? [])].map((each) => each.replaceAll(/[\s#]+/g, ' ').trim());

/** Buttons, table heads and toasts that are longer than their budget. */
export function checkLengths(uses: readonly Use[], { long }: Exceptions): readonly string[] {
  const problems = new Set<string>();
  for (const use of uses) {
    const { kind } = use;
    if (!kind || use.path.startsWith('*')) continue;
    for (const message of messagesOf(use)) {
      const longest = bothOf(message).reduce((a, b) => (b.length > a.length ? b : a), '');
      if (longest.length > budgets[kind] && !(message.id in long))
        problems.add(
          `${message.id}: ${longest.length} characters on ${names[kind]} (${budgets[kind]} at most): ${longest}`,
        );
    }
  }
  return [...problems];
}

const sentencesOf = (text: string) => text.split(/(?<=[.!?])\s+/);
const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((each) => /[\p{L}\p{N}]/u.test(each)).length;

/** Long sentences, and sentences whose subject is a bare who or what. */
export function checkSentences(catalogues: readonly Catalogue[], { question }: Exceptions): readonly string[] {
  const problems: string[] = [];
  for (const message of catalogues.flatMap((each) => [...each.messages.values()])) {
    for (const sentence of new Set(bothOf(message).flatMap(sentencesOf))) {
      if (wordsOf(sentence) > maxWords)
        problems.push(`${message.id}: a sentence of ${wordsOf(sentence)} words (${maxWords} at most): ${sentence}`);
      if (/^(?:who|what|whoever|whatever)\b/i.test(sentence) && !(message.id in question))
        problems.push(`${message.id}: a sentence begins with who or what: ${sentence}`);
    }
  }
  return problems;
}
