import { escapeHtml } from './compose.ts';
import { type Notice, tokenMark } from './notice.ts';

type Texts = Pick<Notice, 'body_text' | 'body_html'>;

/** A whole line that is a link of this service; the token is inserted only there. */
const linkLine = /^https?:\/\/[^\s/?#]+\/(?:confirm\/|app\/welcome(?:\?reset)?#code=)\[token\]$/;

/** False: the notice has a token, and no line for it. Text queued by an older release may have it inside another URL. */
export const carriesItsLink = ({ body_text, secret_sealed }: Texts & { secret_sealed: string | null }): boolean =>
  secret_sealed === null || body_text.split('\n').some((line) => linkLine.test(line));

/** Any other placeholder is removed: it came from a name, a logo URL or a custom text, and could send the token elsewhere. */
export function withToken({ body_text, body_html }: Texts, token: string | undefined): { text: string; html: string } {
  const strip = (text: string) => text.replaceAll(tokenMark, '');
  if (token === undefined) return { text: strip(body_text), html: strip(body_html) };
  const filled = (line: string) => line.replace(tokenMark, () => token);
  const anchor = (line: string) => `<a href="${escapeHtml(line)}">${escapeHtml(line)}</a>`;
  const lines = body_text.split('\n');
  let html = body_html;
  for (const line of new Set(lines.filter((each) => linkLine.test(each))))
    html = html.replaceAll(anchor(line), () => anchor(filled(line)));
  return {
    text: lines.map((line) => (linkLine.test(line) ? filled(line) : strip(line))).join('\n'),
    html: strip(html),
  };
}
