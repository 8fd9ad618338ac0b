import { badField } from '../errors.ts';
import { escapeMarkup, MarkupError, plainLine, type Token, tokensOf } from './markup.ts';
import { forwardingLimits, type Masking } from './rule.ts';

const emptyMasking: Masking = { title: '', meta: {}, text: '' };

/** Names of allowed meta tags. Those with a colon are properties (Open Graph). */
export const metaName = /^(description|keywords|author|robots|og:[a-z0-9:_]{1,40})$/;
export const mostMeta = 20;

interface Read<T> {
  readonly value: T;
  /** What was dropped, one sentence each. */
  readonly warnings: readonly string[];
}

type HeadParts = Omit<Masking, 'text'>;

function inField<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MarkupError) throw badField(field, error.message);
    throw error;
  }
}

/** Keeps the title, a few meta tags and Open Graph; everything else is dropped and reported. */
export function readMetaTags(markup: string, field = 'meta_tags'): Read<HeadParts> {
  const meta: Record<string, string> = {};
  const dropped = new Set<string>();
  let title = '';
  let inTitle = false;
  for (const token of inField(field, () => [...tokensOf(markup)])) {
    if (token.kind === 'text') {
      if (inTitle) title += token.text;
      else if (token.text.trim() !== '') dropped.add('text outside of tags');
    } else if (token.name === 'title') inTitle = token.kind === 'open';
    else if (token.kind === 'open') {
      const left = token.name === 'meta' ? takeMeta(token, meta) : `<${token.name}>`;
      if (left) dropped.add(left);
    }
  }
  const value = { title: plainLine(title, forwardingLimits.pageTextLength), meta };
  return { value, warnings: warningsOf(field, dropped) };
}

function takeMeta({ attributes }: Extract<Token, { kind: 'open' }>, meta: Record<string, string>): string | undefined {
  const content = plainLine(attributes.get('content') ?? '', forwardingLimits.pageTextLength);
  const name = (attributes.get('name') ?? attributes.get('property'))?.toLowerCase();
  if (name === undefined || !metaName.test(name) || Object.keys(meta).length >= mostMeta)
    return `<meta ${plainLine(name ?? attributes.keys().next().value ?? '', 40)}>`;
  meta[name] = content;
  const others = [...attributes.keys()].filter((key) => !['name', 'property', 'content'].includes(key));
  return others.length > 0 ? `attribute ${plainLine(others[0]!, 40)}` : undefined;
}

const blocks = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** Rewrites text, paragraphs, headings and http(s) links. */
export function readPageText(markup: string, field = 'no_frames_content'): Read<string> {
  const dropped = new Set<string>();
  const open: string[] = [];
  let written = '';
  const closeTo = (depth: number) => {
    while (open.length > depth) written += `</${open.pop()}>`;
  };
  for (const token of inField(field, () => [...tokensOf(markup)])) {
    if (token.kind === 'text') written += escapeMarkup(token.text.replaceAll(/[\u0000-\u001f\u007f-\u009f\s]+/gu, ' '));
    else if (token.kind === 'close') {
      const at = open.lastIndexOf(token.name);
      if (at >= 0) closeTo(at);
    } else if (blocks.has(token.name)) {
      closeTo(0);
      open.push(token.name);
      written += `<${token.name}>`;
    } else if (token.name === 'a') {
      const href = webAddress(token.attributes.get('href'));
      if (open.includes('a')) closeTo(open.indexOf('a'));
      if (href === undefined) dropped.add('a link that is not http or https');
      else {
        open.push('a');
        written += `<a href="${escapeMarkup(href)}">`;
      }
    } else dropped.add(`<${token.name}>`);
    if (token.kind === 'open' && [...token.attributes.keys()].some((key) => key !== 'href')) dropped.add('attributes');
  }
  closeTo(0);
  const value = written.trim();
  if (value.length > 2 * forwardingLimits.markupLength)
    throw badField(field, `Must have at most ${forwardingLimits.markupLength} characters.`, 'too_long');
  return { value, warnings: warningsOf(field, dropped) };
}

function webAddress(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text.trim());
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : undefined;
}

function warningsOf(field: string, dropped: ReadonlySet<string>): string[] {
  const shown = [...dropped].slice(0, 10);
  return shown.length === 0 ? [] : [`${field}: left out: ${shown.join(', ')}`];
}

/** Completes a partial masking with defaults. */
export function maskingOf(parts: Partial<Masking>): Masking {
  return { ...emptyMasking, ...parts };
}

/** The head as tags, for the page and for display. */
export function writeMetaTags(masking: Omit<Masking, 'text'>): string {
  const tags = Object.entries(masking.meta)
    .filter(([, content]) => content !== '')
    .map(([name, content]) => {
      const kind = name.includes(':') ? 'property' : 'name';
      return `<meta ${kind}="${escapeMarkup(name)}" content="${escapeMarkup(content)}">`;
    });
  return [...(masking.title === '' ? [] : [`<title>${escapeMarkup(masking.title)}</title>`]), ...tags].join('\n');
}
