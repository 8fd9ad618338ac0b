import { EppReadError } from '../errors.ts';
import { readRequestExtensions, writeRequestExtensions } from '../extension/request.ts';
import type { TransferOperation } from '../model/common.ts';
import type { EppRequest } from '../model/request.ts';
import type { Namespaces } from '../profile.ts';
import { attribute, child, elements, optionalToken } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';
import { writeXml } from '../xml/write.ts';
import { VERBS } from './codec-table.ts';
import { prefixes } from './prefixes.ts';
import { writeHello } from './session/hello.ts';

/** RFC 5730 2.5: the command, its extensions, its transaction id. */
export function writeCommand(request: EppRequest, clTRID: string, ns: Namespaces): string {
  const codec = VERBS[`${request.object}:${request.verb}`];
  if (codec === undefined) throw new EppReadError('shape', 'no such command');
  const inner = codec.writeRequest(request, ns);
  const extensions = writeRequestExtensions(request, ns);
  const command = element(
    ns.epp,
    'command',
    undefined,
    inner.ns === ns.epp
      ? inner
      : element(ns.epp, request.verb, 'op' in request ? { op: request.op } : undefined, inner),
    extensions.length === 0 ? undefined : element(ns.epp, 'extension', undefined, extensions),
    element(ns.epp, 'clTRID', undefined, clTRID),
  );
  return writeXml(element(ns.epp, 'epp', undefined, command), prefixes(ns));
}

export function writeHelloFrame(ns: Namespaces): string {
  return writeXml(element(ns.epp, 'epp', undefined, writeHello(ns)), prefixes(ns));
}

/** A client's frame, as far as it can be parsed. */
type ReadCommand =
  | { readonly kind: 'hello' }
  | {
      readonly kind: 'command';
      readonly request: EppRequest;
      readonly clTRID?: string;
      readonly extensionUris: string[];
    }
  /** Well-formed, but not executable; `code` is the result to return. */
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string; readonly clTRID?: string };

/** Objects that commands are about. */
export const OBJECTS = ['domain', 'contact', 'host', 'balance'] as const;
const OBJECT_VERBS: readonly string[] = ['check', 'info', 'create', 'renew', 'transfer', 'update', 'delete'];
const TRANSFER_OPERATIONS: readonly string[] = ['request', 'query', 'approve', 'reject', 'cancel'];

export function readCommand(root: XmlElement, ns: Namespaces): ReadCommand {
  if (root.ns !== ns.epp || root.name !== 'epp') throw new EppReadError('shape', 'not an EPP document', root.name);
  if (child(root, ns.epp, 'hello') !== undefined) return { kind: 'hello' };
  const command = child(root, ns.epp, 'command');
  if (command === undefined) {
    return { kind: 'refused', code: 2000, reason: `${elements(root)[0]?.name ?? 'nothing'} is not a command` };
  }
  const clTRID = optionalToken(command, ns.epp, 'clTRID');
  const withId = clTRID === undefined ? {} : { clTRID };
  try {
    const request = readRequest(command, ns);
    if ('code' in request) return { kind: 'refused', ...request, ...withId };
    const extension = child(command, ns.epp, 'extension');
    const list = extension === undefined ? [] : elements(extension);
    const full = readRequestExtensions(request, list, ns);
    return { kind: 'command', request: full, extensionUris: list.map((el) => el.ns), ...withId };
  } catch (error) {
    if (!(error instanceof EppReadError)) throw error;
    return { kind: 'refused', code: 2001, reason: error.message, ...withId };
  }
}

type Refusal = { readonly code: number; readonly reason: string };

function readRequest(command: XmlElement, ns: Namespaces): EppRequest | Refusal {
  const verb = elements(command)[0];
  if (verb === undefined || verb.ns !== ns.epp) return { code: 2000, reason: 'no command' };
  if (verb.name === 'login' || verb.name === 'logout') return readWith(`session:${verb.name}`, verb, ns);
  if (verb.name === 'poll') return readWith(attribute(verb, 'op') === 'ack' ? 'poll:ack' : 'poll:request', verb, ns);
  if (!OBJECT_VERBS.includes(verb.name)) return { code: 2000, reason: `${verb.name} is not a command` };
  const subject = elements(verb)[0];
  if (subject === undefined) return { code: 2003, reason: `${verb.name} names no object` };
  const object = OBJECTS.find((each) => ns[each] === subject.ns);
  if (object === undefined) return { code: 2307, reason: `${subject.ns} is not served` };
  // RFC 5730 2.5: the object's element has the same name as the command around it.
  if (subject.name !== verb.name) return { code: 2001, reason: `${subject.name} inside ${verb.name}` };
  const request = readWith(`${object}:${verb.name}`, subject, ns);
  if ('code' in request || request.verb !== 'transfer') return request;
  const op = attribute(verb, 'op') ?? '';
  if (!TRANSFER_OPERATIONS.includes(op)) return { code: 2001, reason: 'unknown transfer operation' };
  return { ...request, op: op as TransferOperation };
}

function readWith(key: string, el: XmlElement, ns: Namespaces): EppRequest | Refusal {
  const codec = VERBS[key];
  // RFC 5732 has no renew and no transfer, RFC 5733 no renew.
  if (codec === undefined) return { code: 2101, reason: `${key.replace(':', ' ')} is not served` };
  return codec.readRequest(el, ns);
}
