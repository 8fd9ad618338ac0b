/** The format of a value. A fixed set, because the account's own patterns could be made to run for hours. */
export const variableKinds = ['ipv4', 'ipv6', 'hostname', 'label', 'word', 'text'] as const;
export type VariableKind = (typeof variableKinds)[number];

/** Requested whenever the template is applied; `{name}` is its placeholder. */
export interface Variable {
  readonly name: string;
  readonly kind: VariableKind;
  /** A description of the value. */
  readonly about: string;
}

/** Name and records may contain `{domain}` and the variables. */
export interface TemplateRRset {
  readonly name: string;
  readonly type: string;
  readonly ttl?: number | undefined;
  readonly records: readonly string[];
}

export interface TemplateContent {
  readonly name: string;
  readonly description: string;
  readonly variables: readonly Variable[];
  readonly rrsets: readonly TemplateRRset[];
}

/** Which account above shares it is not shown, because that is private to those accounts. */
export const owners = ['own', 'parent', 'above', 'built_in'] as const;
export type Owner = (typeof owners)[number];

/** A template without its records. */
export interface TemplateHead extends Omit<TemplateContent, 'rrsets'> {
  readonly id: string;
  /** Of a saved template: incremented with each change. */
  readonly version: number;
  readonly whose: Owner;
  /** Visible to and usable by the accounts below. */
  readonly isShared: boolean;
  /** The page of the provider that documents a built-in template. */
  readonly source: string | null;
  readonly rrsetCount: number;
  readonly updatedAt: Date | null;
}

export interface ZoneTemplate extends TemplateHead {
  readonly rrsets: readonly TemplateRRset[];
}

export const templateLimits = {
  perAccount: 100,
  rrsets: 100,
  records: 500,
  variables: 12,
  nameLength: 60,
  descriptionLength: 300,
  aboutLength: 120,
  valueLength: 2_000,
  /** Per record and for all together, before they are filled in. */
  textLength: 4_000,
  textsLength: 131_072,
  /** For all together, because each can be as long as a value, which bounds the cost of filling in. */
  placeholders: 200,
} as const;
