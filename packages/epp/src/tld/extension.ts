import type { XmlElement } from '../xml/tree.ts';

/** Texts by field name. */
export type TldFields = Readonly<Record<string, string>>;

type TextRule = { readonly type: 'string'; readonly description: string; readonly [keyword: string]: unknown };

/** JSON Schema (2020-12) of an object of texts. It is published with the rules of a TLD. */
type FieldSchema = {
  readonly title: string;
  readonly type: 'object';
  readonly properties: Readonly<Record<string, TextRule>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
};

/** Commands that carry an extension; `info` is the answer that shows it. */
export type TldVerb = 'create' | 'update' | 'info';

/** The EPP extension of one TLD: the fields that its registry requires, their form in EPP, and its rules in the sandbox. */
export type TldExtension = {
  /** The value of `extra_schema` in a TLD catalogue. Each field begins with it and an underscore. */
  readonly name: string;
  /** Its key in `namespaces` of a registry profile. */
  readonly part: string;
  readonly uri: string;
  /** The customary prefix of its namespace. */
  readonly prefix: string;
  /** For operators: what the registry requires. */
  readonly documentation: string;
  readonly schema: FieldSchema;
  /** By field: readable values, and the registry's code for each. */
  readonly valueCodes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Who carries the fields at the registry: the contact, usually the registrant, or the domain itself. */
  readonly carrier: 'contact' | 'domain';
  /** The domain command references the contact that has the fields. The field `<name>_contact_id` then contains its handle. */
  readonly isReferencedByDomain?: boolean;
  /** Its element: the path from the element below `extension` to the parent of the content. */
  readonly elements: Readonly<Record<TldVerb, string>>;
  write(ns: string, verb: TldVerb, fields: TldFields): XmlElement;
  /** Undefined if the element contains something else. */
  read(el: XmlElement, verb: TldVerb): TldFields | undefined;
  /** A complete and valid declaration. */
  readonly example: TldFields;
};

/** The field that names another contact as the carrier. */
export const contactFieldOf = (name: string): string => `${name}_contact_id`;

type FieldNames = {
  readonly name: string;
  readonly schema: Pick<FieldSchema, 'required'> & { readonly properties: object };
};

/** The fields of this extension among all fields of a contact or an order. Undefined: a required one is missing. */
export function declaredFields({ name, schema }: FieldNames, all: TldFields): TldFields | undefined {
  if (schema.required?.some((field) => !all[field])) return undefined;
  const own = Object.keys(schema.properties).flatMap((field) =>
    field !== contactFieldOf(name) && all[field] ? [[field, all[field]] as const] : [],
  );
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** The name of the element below `extension`. */
export const elementOf = ({ elements }: Pick<TldExtension, 'elements'>, verb: TldVerb): string =>
  elements[verb].split('/')[0]!;
