/** Control, zero-width and bidirectional characters, variation selectors and other characters that are not shown. */
const hidden = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;

/**
 * A cell or an id in one written form (NFKC), so that the same entry has the same key however a program wrote it: without characters that are not shown,
 * and with single spaces.
 */
export const plainText = (text: string): string =>
  text.normalize('NFKC').replace(hidden, '').replace(/\s+/g, ' ').trim();
