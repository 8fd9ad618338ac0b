/** JSON Schema (2020-12) of an object of texts. */
export interface FieldSchema {
  readonly [keyword: string]: unknown;
  readonly properties: Readonly<Record<string, { readonly [keyword: string]: unknown }>>;
  readonly required?: readonly string[];
}

/** Additional fields that the registry of a TLD requires. */
export interface TldFields {
  /** Each field begins with the name and an underscore. */
  readonly name: string;
  readonly schema: FieldSchema;
  /** Other spellings of values, by field: the registry's code for each word. */
  readonly valueCodes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Who carries the fields at the registry: the contact, usually the registrant, or the domain itself. */
  readonly carrier: 'contact' | 'domain';
  /** The domain names the contact that carries the fields. */
  readonly isReferencedByDomain?: boolean;
}

/** Fields that a catalogue states, with their form in EPP. Spelled as in a catalogue file. */
export interface StatedFields extends TldFields {
  /** URI of the extension. */
  readonly namespace: string;
  /** The path of the parent of the content, below `extension`, in each command. */
  readonly elements: { readonly create: string; readonly update?: string | undefined };
  /** The path of each field below that parent, in the order of the elements; `@` begins the name of an attribute. */
  readonly mapping: readonly { readonly field: string; readonly path: string }[];
}
