import {
  contactFieldOf,
  faultsOf,
  TLD_EXTENSIONS,
  type TldExtension,
  type TldExtensions,
  type TldFields,
} from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import type { SandboxTld } from '../tlds/index.ts';
import type { LinkedContact } from './link.sql.ts';

const extensionOf = (name: string): TldExtension => TLD_EXTENSIONS.find((each) => each.name === name)!;

function check(extension: TldExtension, fields: TldFields): void {
  const [fault] = faultsOf(extension, fields);
  if (fault?.kind === 'missing') refuse(2003, `${fault.field} is missing`);
  if (fault?.kind === 'invalid') refuse(2306, `${fault.field} is not valid`);
}

/** The declarations of a contact, in the form in which they are stored. */
export function checkContactExtensions(sent: TldExtensions = {}): TldExtensions {
  for (const [name, fields] of Object.entries(sent)) {
    const extension = extensionOf(name);
    if (extension.carrier !== 'contact') refuse(2306, `the extension ${name} belongs to the domain`);
    if (fields[contactFieldOf(name)] !== undefined) refuse(2306, 'a contact carries the declaration itself');
    check(extension, fields);
  }
  return sent;
}

/** What a domain itself stores. Its registrant, or the contact that it names, must carry what the TLD requires. */
export function readExtras(
  tld: SandboxTld,
  sent: TldExtensions = {},
  contacts: ReadonlyMap<string, LinkedContact>,
  registrant: string | null,
): TldExtensions {
  const other = Object.keys(sent).find((name) => name !== tld.extra);
  if (other !== undefined) refuse(2306, `.${tld.tld} does not use the extension ${other}`);
  if (tld.extra === undefined) return {};
  const extension = extensionOf(tld.extra);
  const fields = sent[extension.name];
  if (extension.carrier === 'domain') {
    check(extension, fields ?? {});
    return fields === undefined ? {} : { [extension.name]: fields };
  }
  const carries = (handle: string | null) => handle !== null && contacts.get(handle)?.extensions[extension.name];
  if (!extension.isReferencedByDomain) {
    if (fields !== undefined) refuse(2306, `the extension ${extension.name} belongs to the registrant's contact`);
    if (!carries(registrant)) refuse(2003, `the registrant's contact lacks the extension ${extension.name}`);
    return {};
  }
  if (fields === undefined) refuse(2003, `.${tld.tld} needs the contact that carries the extension ${extension.name}`);
  const [handle] = contactsNamed(sent);
  if (handle === undefined) refuse(2306, 'the declaration belongs to a contact; the domain names that contact');
  if (!carries(handle)) refuse(2306, `contact ${handle} lacks the extension ${extension.name}`);
  return { [extension.name]: { [contactFieldOf(extension.name)]: handle } };
}

/** Whether a new registrant must carry the extension of the TLD. */
export function isBoundToRegistrant({ extra }: SandboxTld): boolean {
  if (extra === undefined) return false;
  const { carrier, isReferencedByDomain } = extensionOf(extra);
  return carrier === 'contact' && !isReferencedByDomain;
}

/** Contacts that extensions name are read with the others. */
export const contactsNamed = (sent: TldExtensions = {}): string[] =>
  Object.entries(sent).flatMap(([name, fields]) => fields[contactFieldOf(name)] ?? []);
