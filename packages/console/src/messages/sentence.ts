/** Patterns of texts that the service sends, and what is shown instead. */
export type Translations = readonly (readonly [RegExp, string])[];

/** Translates an API text with the patterns of the page. Unknown texts stay unchanged. */
export function translated(text: string, translations: Translations): string {
  const found = translations.find(([pattern]) => pattern.test(text));
  return found ? text.replace(found[0], found[1]) : text;
}

/** Adds the capital letter and the full stop that a part of a sentence lacks. */
export const asSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
