import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { XsdValidator } from 'libxml2-wasm';
import { EppReadError } from './errors.ts';
import { TLD_EXTENSIONS } from './tld/index.ts';
import { libxml2, loadLibxml2 } from './xml/libxml2.ts';
import { safeParseOptions, withDocument } from './xml/parse.ts';

export type Schemas = {
  /** Reasons why a frame violates its schema, secrets hidden; empty if it is valid. */
  validator(frame: Uint8Array | string): readonly string[];
};

const FOLDER = fileURLToPath(new URL('../schemas/', import.meta.url));
const TLD_FOLDER = fileURLToPath(new URL('./tld/', import.meta.url));
// The parser requests imported files by this address and gets them from memory, never from disk or network.
const ADDRESS = 'mem:/namehold-epp/';
const DRIVER = 'all.xsd';
const MAX_REASONS = 10;

let loaded: Promise<Schemas> | undefined;

/** Loads the schemas of this package, once per process. */
export function loadSchemas(): Promise<Schemas> {
  loaded ??= load(FOLDER);
  return loaded;
}

/** Throws an EppReadError of kind `schema` with the first reason. */
export async function validateFrame(xml: string | Uint8Array): Promise<void> {
  const reasons = (await loadSchemas()).validator(xml);
  if (reasons.length > 0) throw new EppReadError('schema', reasons.join('; '));
}

async function load(folder: string): Promise<Schemas> {
  const files = new Map<string, Uint8Array>();
  for (const name of await readdir(folder)) {
    if (name.endsWith('.xsd')) files.set(ADDRESS + name, await readFile(folder + name));
  }
  for (const { name } of TLD_EXTENSIONS)
    files.set(`${ADDRESS}${name}.xsd`, await readFile(`${TLD_FOLDER}${name}/schema.xsd`));
  files.set(ADDRESS + DRIVER, withTldExtensions(files.get(ADDRESS + DRIVER) as Uint8Array));
  const libxml = await loadLibxml2();
  libxml.xmlRegisterInputProvider({
    match: (address) => files.has(address),
    open: (address) => libxml.openBuffer(files.get(address) as Uint8Array),
    read: libxml.readBuffer,
    close: (handle) => {
      libxml.closeBuffer(handle);
      return true;
    },
  });
  const driver = libxml.XmlDocument.fromBuffer(files.get(ADDRESS + DRIVER) as Uint8Array, {
    url: ADDRESS + DRIVER,
    option: safeParseOptions(),
  });
  try {
    const xsd = libxml.XsdValidator.fromDoc(driver);
    return { validator: (frame) => reasonsOf(xsd, frame) };
  } finally {
    driver.dispose();
    files.clear();
  }
}

/** The driver with the schemas that are in the folders of extensions. */
function withTldExtensions(driver: Uint8Array): Uint8Array {
  const imports = TLD_EXTENSIONS.map(({ name, uri }) => `<xs:import namespace="${uri}" schemaLocation="${name}.xsd"/>`);
  return Buffer.from(
    Buffer.from(driver)
      .toString()
      .replace('</xs:schema>', `${imports.join('')}</xs:schema>`),
  );
}

function reasonsOf(xsd: XsdValidator, frame: Uint8Array | string): readonly string[] {
  try {
    withDocument(frame, (document) => xsd.validate(document));
    return [];
  } catch (error) {
    if (error instanceof EppReadError) return [error.message];
    if (error instanceof libxml2().XmlValidateError) {
      return error.details.slice(0, MAX_REASONS).map((detail) => withoutSecret(detail.message.trim()));
    }
    throw error;
  }
}

/** libxml2 quotes the rejected value; for a secret only the name and the facet are reported. */
function withoutSecret(message: string): string {
  const shortened = message.replace(/\{[^{}]*\}/g, '');
  const secret = /^Element '(pw|newPW|authInfo|allocationToken)'/.exec(shortened);
  if (secret === null) return shortened;
  const facet = /\[facet '(\w+)'\]/.exec(shortened);
  return `${secret[0]}: the value is not valid${facet === null ? '' : ` (${facet[1]})`}.`;
}
