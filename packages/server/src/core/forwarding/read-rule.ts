import { domainToASCII } from 'node:url';
import type { Config } from '../../config.ts';
import { badField, inEntry } from '../errors.ts';
import { cleanPath } from './location.ts';
import { plainLine } from './markup.ts';
import { maskingOf, readPageText } from './masking.ts';
import { forwardingLimits, keyOf, type Masking, type RedirectCode, type Rule } from './rule.ts';
import { readTarget } from './target.ts';

/** A rule from the caller. Omitted fields come from `defaults` or from the stored rule. */
export interface RuleDraft {
  readonly host: string;
  readonly path?: string | undefined;
  readonly match?: Rule['match'] | undefined;
  readonly target?: string | undefined;
  readonly code?: RedirectCode | undefined;
  readonly pathMode?: Rule['path_mode'] | undefined;
  readonly queryMode?: Rule['query_mode'] | undefined;
  readonly masking?: Partial<Masking> | null | undefined;
  readonly hsts?: boolean | undefined;
  readonly enabled?: boolean | undefined;
}

export interface ReadRules {
  readonly rules: readonly Rule[];
  /** The position in the call of each named rule, by key. Omitted: as in `rules`. */
  readonly places?: ReadonlyMap<string, number>;
  readonly warnings: readonly string[];
}

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

function readHost(text: string, domainName: string): string {
  const written = text.toLowerCase();
  if (written === '@' || written === '*') return written;
  const ascii = /^[ -~]*$/.test(written) ? written : domainToASCII(written);
  const isName = ascii !== '' && ascii.split('.').every((part) => label.test(part));
  if (!isName || ascii.length + domainName.length + 1 > 253)
    throw badField('host', 'Must be @ for the domain itself, * for every other host, or labels such as www or a.b.');
  if (ascii === domainName || ascii.endsWith(`.${domainName}`))
    throw badField('host', 'Must not include the domain name: send www, not the full name.');
  return ascii;
}

function readPath(text: string, match: Rule['match']): string {
  if (!text.startsWith('/') || /[?#\\]/.test(text))
    throw badField('path', 'Must begin with / and not contain ?, # or \\.');
  if (text.includes('*'))
    throw badField('path', 'Must not contain *. A rule with match prefix covers its path and everything below it.');
  if (text.length > forwardingLimits.pathLength)
    throw badField('path', `Must have at most ${forwardingLimits.pathLength} characters.`, 'too_long');
  if (/%(?![0-9a-fA-F]{2})/.test(text))
    throw badField('path', 'Contains a percent sign that is not an escape such as %20.');
  // Users write letters, and browsers send their UTF-8 bytes.
  const clean = cleanPath(text.toWellFormed().replaceAll(/[^ -~]+/gu, encodeURIComponent));
  return match === 'prefix' && clean !== '/' ? clean.replace(/\/+$/, '') : clean;
}

/** Parses the key of a rule, the same in every call. */
export function readRuleName(draft: RuleDraft, domainName: string): Pick<Rule, 'host' | 'path' | 'match'> {
  const match = draft.match ?? 'prefix';
  return { host: readHost(draft.host, domainName), path: readPath(draft.path ?? '/', match), match };
}

function readMasking(parts: Partial<Masking>, config: Config): { masking: Masking; warnings: readonly string[] } {
  if (config.masking === 'off') throw badField('masking', 'Your provider does not offer masking.', 'not_offered');
  const line = (text: string | undefined) => plainLine(text ?? '', forwardingLimits.pageTextLength);
  const text = readPageText(parts.text ?? '', 'masking.text');
  const meta = Object.fromEntries(Object.entries(parts.meta ?? {}).map(([name, content]) => [name, line(content)]));
  const masking = maskingOf({ title: line(parts.title), meta, text: text.value });
  return { masking, warnings: text.warnings };
}

const defaults = {
  code: 301,
  path_mode: 'drop',
  query_mode: 'drop',
  masking: null,
  hsts: false,
  enabled: true,
} as const;

/** Parses one rule, based on the stored rule with its key. */
function readRule(
  draft: RuleDraft,
  domainName: string,
  config: Config,
  former: Rule | undefined,
): { rule: Rule; warnings: readonly string[] } {
  const name = readRuleName(draft, domainName);
  const written = draft.target ?? former?.target;
  if (written === undefined) throw badField('target', 'This field is required.', 'required');
  const base = former ?? { ...defaults, ...name };
  const { masking, warnings } =
    draft.masking === undefined || draft.masking === null
      ? { masking: draft.masking === undefined ? base.masking : null, warnings: [] }
      : readMasking(draft.masking, config);
  const target = readTarget(written, config, name.host === '*');
  if (masking && !target.startsWith('https:'))
    throw badField('target', 'Must be https if it is masked, because browsers block insecure frames.');
  const rule: Rule = {
    ...name,
    target,
    code: draft.code ?? base.code,
    path_mode: draft.pathMode ?? base.path_mode,
    query_mode: draft.queryMode ?? base.query_mode,
    masking,
    hsts: draft.hsts ?? base.hsts ?? false,
    enabled: draft.enabled ?? base.enabled,
  };
  return { rule, warnings };
}

/** Parses a whole list with unique keys. Undefined: an empty entry. `formerOf`: the stored rule that supplies omitted fields. */
export function readRules(
  drafts: readonly (RuleDraft | undefined)[],
  domainName: string,
  config: Config,
  formerOf: (key: string) => Rule | undefined = () => undefined,
): ReadRules {
  const rules = new Map<string, Rule>();
  const places = new Map<string, number>();
  const warnings: string[] = [];
  for (const [at, draft] of drafts.entries()) {
    if (!draft) continue;
    inEntry('rules', at, () => {
      const key = keyOf(readRuleName(draft, domainName));
      if (rules.has(key))
        throw badField('host', 'This host and path already have a rule in this call.', 'already_exists');
      const read = readRule(draft, domainName, config, formerOf(key));
      rules.set(key, read.rule);
      places.set(key, at);
      warnings.push(...read.warnings.map((warning) => `rules.${at}.${warning}`));
    });
  }
  return { rules: [...rules.values()], places, warnings };
}
