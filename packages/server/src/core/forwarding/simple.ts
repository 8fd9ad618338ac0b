import type { Config } from '../../config.ts';
import { badField, Refusal } from '../errors.ts';
import { maskingOf, readMetaTags, readPageText, writeMetaTags } from './masking.ts';
import { type ReadRules, type RuleDraft, readRules } from './read-rule.ts';
import { keyOf, type Masking, type Rule } from './rule.ts';
import { withSub } from './target.ts';

/** Forwarding of a whole domain to one target: a view of the rules `@`, `www` and `*` for all paths. */
export interface SimpleForwarding {
  readonly target: string;
  readonly isMasked: boolean;
  readonly withSubdomains: boolean;
  readonly withPath: boolean;
  readonly metaTags: string;
  readonly pageText: string;
}

/** Omitted fields stay unchanged; an empty target ends forwarding. */
type SimpleChange = { readonly [K in keyof SimpleForwarding]?: SimpleForwarding[K] | undefined };

const keyAt = (host: string) => keyOf({ host, path: '/', match: 'prefix' });
const ruleAt = (rules: readonly Rule[], host: string) => rules.find((rule) => keyOf(rule) === keyAt(host));

/** The targets of `www` and `*` while they belong to this view: the same as for the domain. */
const targetAt = (host: string, target: string) => (host === '*' ? withSub(target) : target);

/** The rule of `www` or `*` if it has the target of the domain. Otherwise it was set by rules and is not part of this view. */
function followerAt(rules: readonly Rule[], host: string): Rule | undefined {
  const [main, rule] = [ruleAt(rules, '@'), ruleAt(rules, host)];
  return main && rule?.target === targetAt(host, main.target) ? rule : undefined;
}

export function simpleView(rules: readonly Rule[]): SimpleForwarding {
  const rule = ruleAt(rules, '@');
  const shown = rule?.enabled ? rule : undefined;
  return {
    target: shown?.target ?? '',
    isMasked: shown?.masking != null,
    withSubdomains: shown !== undefined && followerAt(rules, '*')?.enabled === true,
    withPath: shown?.path_mode === 'append',
    metaTags: shown?.masking ? writeMetaTags(shown.masking) : '',
    pageText: shown?.masking?.text ?? '',
  };
}

/** Fields sent with their displayed values change nothing, so that saving a form keeps settings that it cannot show. */
function onlyChanged(change: SimpleChange, former: SimpleForwarding): SimpleChange {
  const entries = Object.entries(change).filter(([key, value]) => value !== former[key as keyof SimpleForwarding]);
  return Object.fromEntries(entries) as SimpleChange;
}

/** The rules with this change. Rules of other hosts and paths are unchanged. */
export function simpleEdit(requested: SimpleChange, domainName: string, config: Config) {
  return (present: readonly Rule[]): ReadRules => {
    const former = simpleView(present);
    const change = onlyChanged(requested, former);
    const before = ruleAt(present, '@');
    const page = readPage(change, before?.masking ?? undefined);
    const { warnings } = page;
    if ((change.target ?? former.target) === '') {
      if (requested.target === undefined)
        throw badField('target', 'This field is required because nothing is forwarded yet.', 'required');
      const gone = change.target === '' ? ['@', 'www', '*'].filter((host) => ownAt(present, host)).map(keyAt) : [];
      return { rules: present.filter((rule) => !gone.includes(keyOf(rule))), warnings };
    }
    const begins = former.target === '';
    const edit = begins
      ? { ...change, withPath: requested.withPath ?? false, isMasked: requested.isMasked ?? false }
      : change;
    const isMasked = requested.isMasked ?? former.isMasked;
    const writesPage = isMasked && (change.metaTags !== undefined || change.pageText !== undefined);
    const parts: Omit<RuleDraft, 'host'> = {
      target: change.target,
      pathMode: modeOf(edit.withPath),
      queryMode: modeOf(edit.withPath),
      masking: edit.isMasked !== undefined || writesPage ? (isMasked ? page.masking : null) : undefined,
      enabled: begins || undefined,
    };
    const edited = (host: string, own: Rule | undefined): Rule => {
      const base = own && before && { ...own, target: before.target };
      const rule = readRules([{ host: '@', ...parts }], domainName, config, () => base).rules[0]!;
      // `*` has its own field.
      const enabled = host === '*' && own ? own.enabled : rule.enabled;
      return { ...rule, host, target: targetAt(host, rule.target), enabled };
    };
    const made = new Map<string, Rule | undefined>();
    const isTouched = Object.values(parts).some((part) => part !== undefined);
    for (const host of ['@', 'www', '*']) {
      const own = ownAt(present, host);
      if (isTouched && (own || host === '@')) made.set(keyAt(host), edited(host, own));
    }
    const main = made.get(keyAt('@')) ?? before!;
    if (begins && !ruleAt(present, 'www')) made.set(keyAt('www'), { ...main, host: 'www' });
    const any = followerAt(present, '*');
    if (requested.withSubdomains === false && any?.enabled) made.set(keyAt('*'), undefined);
    if (change.withSubdomains === true)
      made.set(keyAt('*'), {
        ...(made.get(keyAt('*')) ?? any ?? main),
        host: '*',
        target: withSub(main.target),
        enabled: true,
      });
    return { rules: withMade(present, made), warnings };
  };
}

const ownAt = (rules: readonly Rule[], host: string) => (host === '@' ? ruleAt(rules, host) : followerAt(rules, host));

const modeOf = (withPath: boolean | undefined) =>
  withPath === undefined ? undefined : withPath ? ('append' as const) : ('drop' as const);

/** Keeps the positions and appends new rules. Undefined: removes the rule. */
function withMade(present: readonly Rule[], made: ReadonlyMap<string, Rule | undefined>): Rule[] {
  const known = new Set(present.map(keyOf));
  const stay = present.map((rule) => (made.has(keyOf(rule)) ? made.get(keyOf(rule)) : rule));
  const added = [...made].map(([key, rule]) => (known.has(key) ? undefined : rule));
  return [...stay, ...added].filter((rule) => rule !== undefined);
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

/** Field names of a rule differ from those of this view. */
export function withSimpleFieldNames<T>(
  work: () => Promise<T>,
  fieldNames: Readonly<Record<string, string>>,
): Promise<T> {
  return work().catch((error: unknown) => {
    const [bad] = (error instanceof Refusal && error.code === 'invalid_argument' && error.details.errors) || [];
    if (!bad) throw error;
    const field = bad.field.replace(/^rules\.\d+\./, '');
    throw badField(fieldNames[field] ?? field, bad.message, bad.code);
  });
}
