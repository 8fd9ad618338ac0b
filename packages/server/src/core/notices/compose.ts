import type { Brand } from './brand.sql.ts';
import { dayText, type FactValue, type Language, type NoticeKind, variablesOf } from './kinds.ts';
import { domainText, withoutUrls } from './name-text.ts';
import { tokenMark } from './notice.ts';
import { fillTemplate, readTemplate } from './template.ts';
import type { NoticeText } from './texts.ts';

export interface Composed {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const factLength = 300;
/** Facts that may have several lines. In all others a line break would let a registrant's name add paragraphs. */
const withLines = new Set(['record']);
/** Names and words that an account, a customer or a registrant chose: a mail must not lead its reader to their URLs. */
const userVariables = new Set([
  'recipient',
  'brand',
  'label',
  'former',
  'present',
  'record',
  'registrar',
  'what',
  'forwarded',
]);

function factText(name: string, value: FactValue | null | undefined, language: Language): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dayText(value, language);
  const text = typeof value === 'string' ? value : value[language];
  const lines = withLines.has(name) ? text.split('\n') : [text];
  const shown = lines
    .map((line) =>
      (name === 'link' ? line : line.replaceAll(tokenMark, ''))
        .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim()
        .slice(0, factLength),
    )
    .join('\n');
  if (name === 'domain') return domainText(shown);
  return userVariables.has(name) ? withoutUrls(shown) : shown;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign]!);

/** Made from the text alone: paragraphs, lines, and a URL alone on its line as a link. Texts contain no HTML. */
function htmlOf(text: string, language: Language, brand: Brand): string {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => {
    const lines = paragraph.split('\n').map((line) => {
      const shown = escapeHtml(line);
      return /^https?:\/\/\S+$/.test(line) ? `<a href="${shown}">${shown}</a>` : shown;
    });
    return `<p>${lines.join('<br>')}</p>`;
  });
  const logo = brand.logo_url
    ? `<p><img src="${escapeHtml(brand.logo_url)}" alt="${escapeHtml(brand.name)}" style="max-height:64px"></p>`
    : '';
  return `<!doctype html><html lang="${language}"><body style="font:16px/1.5 sans-serif;max-width:40rem">${logo}${paragraphs.join('')}</body></html>`;
}

/** Fills in a text. Pure: the same facts give the same mail. */
export function compose(
  kind: NoticeKind,
  written: NoticeText,
  given: Readonly<Record<string, FactValue | null | undefined>>,
  to: { readonly language: Language; readonly brand: Brand },
): Composed {
  const { language, brand } = to;
  const variables = variablesOf(kind);
  const facts = Object.fromEntries(
    variables.map((word) => [word, factText(word, word === 'brand' ? brand.name : given[word], language)]),
  );
  const fill = (text: string) => fillTemplate(readTemplate(text, variables), facts);
  const text = fill(written.body)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return {
    subject: fill(written.subject).replace(/\s+/g, ' ').trim(),
    text: `${text}\n`,
    html: htmlOf(text, language, brand),
  };
}
