import type { Config } from '../../config.ts';
import { badField, Refusal } from '../errors.ts';
import { maskingOf, readMetaTags, readPageText, writeMetaTags } from './masking.ts';
import { type ReadRules, readRules } from './read-rule.ts';
import { keyOf, type Masking, type Rule } from './rule.ts';
import { withSub } from './target.ts';

/** Forwarding of a whole name to one target: a view on the rules `@`, `www` and `*` for all paths. */
export interface SimpleForwarding {
  readonly target: string;
  readonly isMasked: boolean;
  readonly withSubdomains: boolean;
  readonly withPath: boolean;
  readonly metaTags: string;
  readonly pageText: string;
}

/** What is left out stays as it is; an empty target ends it. */
export type SimpleChange = { readonly [K in keyof SimpleForwarding]?: SimpleForwarding[K] | undefined };

const ruleAt = (rules: readonly Rule[], host: string) =>
  rules.find((rule) => keyOf(rule) === keyOf({ host, path: '/', match: 'prefix' }));

export function simpleView(rules: readonly Rule[]): SimpleForwarding {
  const rule = ruleAt(rules, '@');
  const shown = rule?.enabled ? rule : undefined;
  return {
    target: shown?.target ?? '',
    isMasked: shown?.masking != null,
    withSubdomains: shown !== undefined && ruleAt(rules, '*')?.enabled === true,
    withPath: shown?.path_mode === 'append',
    metaTags: shown?.masking ? writeMetaTags(shown.masking) : '',
    pageText: shown?.masking?.text ?? '',
  };
}

/** The rules with this change; those of other hosts and paths are left alone. */
export function simpleEdit(change: SimpleChange, domainName: string, config: Config) {
  return (present: readonly Rule[]): ReadRules => {
    const former = simpleView(present);
    const target = change.target ?? former.target;
    const hosts = ['@', 'www', '*'].map((host) => keyOf({ host, path: '/', match: 'prefix' }));
    const others = present.filter((rule) => !hosts.includes(keyOf(rule)));
    if (target === '') {
      if (change.target === undefined) throw badField('target', 'is required: nothing is forwarded yet', 'required');
      return { rules: others, warnings: [] };
    }
    const page = readPage(change, ruleAt(present, '@')?.masking ?? undefined);
    const isMasked = change.isMasked ?? former.isMasked;
    const withPath = change.withPath ?? former.withPath;
    const modes = {
      pathMode: withPath ? 'append' : 'drop',
      queryMode: withPath ? 'append' : 'drop',
      masking: isMasked ? page.masking : null,
      enabled: true,
    } as const;
    const main = readRules([{ host: '@', target, ...modes }], domainName, config, () => ruleAt(present, '@')).rules[0]!;
    const www = { ...main, host: 'www' };
    const any = { ...main, host: '*', target: withSub(main.target) };
    const withSubdomains = change.withSubdomains ?? former.withSubdomains;
    return { rules: [main, www, ...(withSubdomains ? [any] : []), ...others], warnings: page.warnings };
  };
}

function readPage(
  change: SimpleChange,
  former: Masking | undefined,
): { masking: Masking; warnings: readonly string[] } {
  const head = change.metaTags === undefined ? undefined : readMetaTags(change.metaTags);
  const text = change.pageText === undefined ? undefined : readPageText(change.pageText);
  return {
    masking: maskingOf({ ...former, ...head?.value, ...(text ? { text: text.value } : {}) }),
    warnings: [...(head?.warnings ?? []), ...(text?.warnings ?? [])],
  };
}

/** The words of a rule are not those of this view. */
export function inSimpleWords<T>(work: () => Promise<T>, words: Readonly<Record<string, string>>): Promise<T> {
  return work().catch((error: unknown) => {
    const [bad] = (error instanceof Refusal && error.code === 'invalid_argument' && error.details.errors) || [];
    if (!bad) throw error;
    const field = bad.field.replace(/^rules\.\d+\./, '');
    throw badField(words[field] ?? field, bad.message, bad.code);
  });
}
