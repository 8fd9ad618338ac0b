/** What a value must look like. Kinds and not patterns of the account's own: a pattern can be made to run for hours. */
export const variableKinds = ['ipv4', 'ipv6', 'hostname', 'label', 'word', 'text'] as const;
export type VariableKind = (typeof variableKinds)[number];

/** Asked for whenever the template is applied; `{name}` stands for it. */
export interface Variable {
  readonly name: string;
  readonly kind: VariableKind;
  /** What is asked for, in words. */
  readonly about: string;
}

/** Name and records may have `{domain}` and the variables in them. */
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

/** Of which account above it is, its business and not told: that of the parent, or of one further up. */
export const owners = ['own', 'parent', 'above', 'built_in'] as const;
export type Owner = (typeof owners)[number];

/** A template but for its records. */
export interface TemplateHead extends Omit<TemplateContent, 'rrsets'> {
  readonly id: string;
  /** Of a saved one: counts with each change. */
  readonly version: number;
  readonly whose: Owner;
  /** The accounts below see and use it. */
  readonly isShared: boolean;
  /** Where a built-in one is written down by whom it is about. */
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
  /** Of one record, and of all together, before they are filled in. */
  textLength: 4_000,
  textsLength: 131_072,
  /** All together: each can be as long as a value, so that this is what filling in can cost. */
  placeholders: 200,
} as const;
