import { signal } from '@preact/signals';

export type Locale = 'en' | 'id';

const known = (text: string | undefined): Locale => (text?.toLowerCase().startsWith('id') ? 'id' : 'en');

/** The user's language; the browser's before sign-in. */
export const locale = signal<Locale>(known(navigator.language));

/** Messages in both languages; missing and superfluous keys do not compile. Call the result in a component: `const t = messages()`. */
export function defineMessages<T extends object>(en: T, id: NoInfer<T>): () => T {
  const all = { en, id };
  return () => all[locale.value];
}

/** Chooses the form by count and fills in `#`. Indonesian has one form. */
export function plural(count: number, one: string, other = one): string {
  const form = new Intl.PluralRules(locale.value).select(count) === 'one' ? one : other;
  return form.replace('#', new Intl.NumberFormat(locale.value).format(count));
}

export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', id: 'Bahasa Indonesia' };
