import { VERBS } from '../command/codec-table.ts';
import { OBJECTS, readCommand } from '../command/command.ts';
import { EppReadError } from '../errors.ts';
import type { EppRequest } from '../model/request.ts';
import type { ResponseSpec } from '../model/response.ts';
import type { Greeting } from '../model/session.ts';
import type { Namespaces } from '../profile.ts';
import { parseXml } from '../xml/parse.ts';
import { child, elements, optionalToken } from '../xml/read.ts';
import type { XmlElement } from '../xml/tree.ts';
import { refusal } from './refusal.ts';
import type { FrameValidator } from './types.ts';

const KNOWN_VERBS: ReadonlySet<string> = new Set([
  'check',
  'create',
  'delete',
  'info',
  'login',
  'logout',
  'poll',
  'renew',
  'transfer',
  'update',
]);

export type Screened =
  | { readonly kind: 'hello' }
  | {
      readonly kind: 'command';
      readonly request: EppRequest;
      readonly clTRID?: string;
      readonly extensionUris: readonly string[];
    }
  | { readonly kind: 'refused'; readonly response: ResponseSpec; readonly clTRID?: string };

/**
 * Converts bytes to a command that the schemas and this server accept.
 * Unserved extensions are detected first, because the schemas report them only as a syntax error.
 */
export function screenFrame(
  frame: Uint8Array,
  ns: Namespaces,
  offered: Greeting,
  validate: FrameValidator | undefined,
): Screened {
  let root: XmlElement;
  try {
    root = parseXml(frame);
  } catch (error) {
    if (!(error instanceof EppReadError)) throw error;
    const response = refusal(2001, error.message);
    return { kind: 'refused', response: error.kind === 'unsafe' ? { ...response, close: true } : response };
  }
  const clTRID = clientTransactionId(root, ns);
  const refuse = (response: ResponseSpec): Screened => ({
    kind: 'refused',
    response,
    ...(clTRID === undefined ? {} : { clTRID }),
  });
  const notServed = screenServices(root, ns, offered);
  if (notServed !== undefined) return refuse(notServed);
  const reasons = validate?.(frame) ?? [];
  if (reasons.length > 0) return refuse(refusal(2001, ...reasons));
  try {
    const read = readCommand(root, ns);
    return read.kind === 'refused' ? refuse(refusal(read.code, read.reason)) : read;
  } catch (error) {
    if (error instanceof EppReadError) return refuse(refusal(2001, error.message));
    throw error;
  }
}

/** RFC 5730 2.6: an answer repeats the client's id when the command had a usable one. */
function clientTransactionId(root: XmlElement, ns: Namespaces): string | undefined {
  const command = child(root, ns.epp, 'command');
  const id = command === undefined ? undefined : optionalToken(command, ns.epp, 'clTRID');
  return id !== undefined && id.length >= 3 && id.length <= 64 ? id : undefined;
}

function screenServices(root: XmlElement, ns: Namespaces, offered: Greeting): ResponseSpec | undefined {
  const command = root.ns === ns.epp && root.name === 'epp' ? child(root, ns.epp, 'command') : undefined;
  if (command === undefined) return undefined;
  const verb = elements(command)[0];
  if (verb?.name === 'login') return screenLoginOptions(verb, ns, offered);
  if (verb === undefined || verb.ns !== ns.epp || !KNOWN_VERBS.has(verb.name)) {
    return refusal(2000, `${verb?.name ?? 'nothing'} is not a command`);
  }
  const subject = elements(verb)[0];
  if (subject !== undefined && subject.ns !== ns.epp) {
    if (!offered.objURIs.includes(subject.ns)) return refusal(2307, `${subject.ns} is not served`);
    const object = OBJECTS.find((each) => ns[each] === subject.ns);
    // RFC 5732 has no renew and no transfer, RFC 5733 no renew, balance-1.0 only info.
    if (object !== undefined && VERBS[`${object}:${verb.name}`] === undefined) {
      return refusal(2101, `${object} ${verb.name} is not served`);
    }
  }
  const extension = child(command, ns.epp, 'extension');
  const unknown = extension === undefined ? [] : elements(extension).filter((el) => !offered.extURIs.includes(el.ns));
  if (unknown.length > 0) return refusal(2103, ...unknown.map((el) => `${el.ns} is not served`));
  return undefined;
}

/** The schema accepts only version 1.0 and would report others as a syntax error; RFC 5730 section 3 has codes for them. */
function screenLoginOptions(login: XmlElement, ns: Namespaces, offered: Greeting): ResponseSpec | undefined {
  const options = child(login, ns.epp, 'options');
  if (options === undefined) return undefined;
  const version = optionalToken(options, ns.epp, 'version');
  if (version !== undefined && /^\d+\.\d+$/.test(version) && !offered.versions.includes(version)) return refusal(2100);
  const lang = optionalToken(options, ns.epp, 'lang');
  // xsd:language; other values are left to the schema.
  const isLanguage = lang !== undefined && /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(lang);
  if (isLanguage && !offered.langs.includes(lang)) {
    return refusal(2102, 'the language is not served');
  }
  return undefined;
}
