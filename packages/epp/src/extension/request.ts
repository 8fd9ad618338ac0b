import { uri } from '../command/codec.ts';
import type { EppRequest } from '../model/request.ts';
import type { Namespaces } from '../profile.ts';
import type { XmlElement } from '../xml/tree.ts';
import { readAsiaCed, writeAsiaCed } from './asiaCed.ts';
import { type FeeCommandElement, readFeeCheck, readFeeTransform, writeFeeCheck, writeFeeTransform } from './fee.ts';
import { readLoginSec, writeLoginSec } from './loginSec.ts';
import { readRgpRestore, writeRgpRestore } from './rgp.ts';
import { readSecDnsRecords, readSecDnsUpdate, writeSecDnsRecords, writeSecDnsUpdate } from './secDNS.ts';
import { readUsNexus, writeUsNexus } from './usNexus.ts';

/** The extension elements of a command, in a fixed order. */
export function writeRequestExtensions(request: EppRequest, ns: Namespaces): XmlElement[] {
  const out: XmlElement[] = [];
  const ext = request.ext;
  if (ext === undefined) return out;
  if (request.object === 'domain') writeDomainExtensions(request, ns, out);
  if (request.object === 'contact' && (request.verb === 'create' || request.verb === 'update')) {
    writeExtras(request.verb, request.ext, ns, out);
  }
  if (request.verb === 'login' && request.ext?.loginSec !== undefined) {
    out.push(writeLoginSec(uri(ns, 'loginSec'), request.ext.loginSec));
  }
  out.push(...(ext.other ?? []));
  return out;
}

type DomainCommand = Extract<EppRequest, { object: 'domain' }>;

function writeDomainExtensions(request: DomainCommand, ns: Namespaces, out: XmlElement[]): void {
  switch (request.verb) {
    case 'check':
      if (request.ext?.fee !== undefined) out.push(writeFeeCheck(uri(ns, 'fee'), request.ext.fee, request.names));
      return;
    case 'create': {
      const secDNS = request.ext?.secDNS;
      if (secDNS !== undefined) out.push(writeSecDnsRecords(uri(ns, 'secDNS'), 'create', secDNS));
      writeExtras('create', request.ext, ns, out);
      break;
    }
    case 'update': {
      const { secDNS, rgp } = request.ext ?? {};
      if (secDNS !== undefined) out.push(writeSecDnsUpdate(uri(ns, 'secDNS'), secDNS));
      if (rgp !== undefined) out.push(writeRgpRestore(uri(ns, 'rgp'), rgp));
      writeExtras('update', request.ext, ns, out);
      break;
    }
    case 'renew':
    case 'transfer':
      break;
    default:
      return;
  }
  if (request.ext?.fee !== undefined) out.push(writeFeeTransform(uri(ns, 'fee'), request.verb, request.ext.fee));
}

type Extras = Extract<EppRequest, { object: 'contact'; verb: 'create' }>['ext'];

function writeExtras(verb: 'create' | 'update', ext: Extras, ns: Namespaces, out: XmlElement[]): void {
  if (ext?.us !== undefined) out.push(writeUsNexus(uri(ns, 'usNexus'), verb, ext.us));
  if (ext?.asia !== undefined) out.push(writeAsiaCed(uri(ns, 'asiaCed'), verb, ext.asia));
}

const FEE_VERBS: readonly string[] = ['create', 'renew', 'transfer', 'update'] satisfies FeeCommandElement[];

/** Reads each element that fits the command; what fits nothing is kept whole in `other`. */
export function readRequestExtensions<R extends EppRequest>(
  request: R,
  list: readonly XmlElement[],
  ns: Namespaces,
): R {
  if (list.length === 0) return request;
  const ext: Record<string, unknown> = {};
  const other: XmlElement[] = [];
  for (const el of list) {
    const read = readOne(request, el, ns);
    if (read === undefined || read.key in ext) other.push(el);
    else ext[read.key] = read.value;
  }
  if (other.length > 0) ext.other = other;
  return { ...request, ext };
}

function readOne(request: EppRequest, el: XmlElement, ns: Namespaces): { key: string; value: unknown } | undefined {
  const { object, verb } = request;
  if (object === 'session') {
    const fits = verb === 'login' && el.ns === ns.loginSec && el.name === 'loginSec';
    return fits ? { key: 'loginSec', value: readLoginSec(el) } : undefined;
  }
  if (el.name !== verb) return undefined;
  if ((object === 'domain' || object === 'contact') && (verb === 'create' || verb === 'update')) {
    if (el.ns === ns.usNexus) return { key: 'us', value: readUsNexus(el) };
    if (el.ns === ns.asiaCed) return { key: 'asia', value: readAsiaCed(el) };
  }
  return object === 'domain' ? readDomainOne(verb, el, ns) : undefined;
}

function readDomainOne(verb: string, el: XmlElement, ns: Namespaces): { key: string; value: unknown } | undefined {
  if (el.ns === ns.secDNS && verb === 'create') return { key: 'secDNS', value: readSecDnsRecords(el) };
  if (el.ns === ns.secDNS && verb === 'update') return { key: 'secDNS', value: readSecDnsUpdate(el) };
  if (el.ns === ns.rgp && verb === 'update') return { key: 'rgp', value: readRgpRestore(el) };
  if (el.ns === ns.fee && verb === 'check') return { key: 'fee', value: readFeeCheck(el) };
  if (el.ns === ns.fee && FEE_VERBS.includes(verb)) return { key: 'fee', value: readFeeTransform(el) };
  return undefined;
}
