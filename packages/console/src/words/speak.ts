import { signal } from '@preact/signals';

export type Language = 'en' | 'id';

const known = (text: string | undefined): Language => (text?.toLowerCase().startsWith('id') ? 'id' : 'en');

/** What the person reads; the browser's until it is known who it is. */
export const language = signal<Language>(known(navigator.language));

/** Words in both languages; a missing or a superfluous one does not compile. `const w = words()` in a component follows the choice. */
export function inBoth<T extends object>(en: T, id: NoInfer<T>): () => T {
  const all = { en, id };
  return () => all[language.value];
}

/** One form for one, another for the rest; Indonesian has one for all. */
export function plural(count: number, one: string, other: string): string {
  const form = new Intl.PluralRules(language.value).select(count) === 'one' ? one : other;
  return form.replace('#', new Intl.NumberFormat(language.value).format(count));
}

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', id: 'Bahasa Indonesia' };
