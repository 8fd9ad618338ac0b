import { uri } from '../command/codec.ts';
import type { EppRequest } from '../model/request.ts';
import type { Namespaces } from '../profile.ts';
import { token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';
import { type FeeCommandElement, readFeeCheck, readFeeTransform, writeFeeCheck, writeFeeTransform } from './fee.ts';
import { idnElement, readIdn, writeIdn } from './idn.ts';
import { readKeysys, writeKeysys } from './keysys.ts';
import {
  readLaunchApplication,
  readLaunchCheck,
  readLaunchCreate,
  readLaunchInfo,
  writeLaunchApplication,
  writeLaunchCheck,
  writeLaunchCreate,
  writeLaunchInfo,
} from './launch.ts';
import { readLoginSec, writeLoginSec } from './loginSec.ts';
import { readOrganisations, readOrganisationUpdate, writeOrganisations, writeOrganisationUpdate } from './orgext.ts';
import { readRgpRestore, writeRgpRestore } from './rgp.ts';
import { readSecDnsRecords, readSecDnsUpdate, writeSecDnsRecords, writeSecDnsUpdate } from './secDNS.ts';
import { readSync, writeSync } from './sync.ts';
import { readTldRequest, writeTldRequest } from './tld.ts';

/** One extension of some commands: the field of `ext`, the part of the profile, and its element for each of their verbs. */
type RequestExtension = {
  readonly field: string;
  readonly part: keyof Namespaces;
  readonly objects: readonly EppRequest['object'][];
  readonly verbs: readonly string[];
  /** Name of the element. Default: that of the verb. */
  elementName?(verb: string, ns: string): string;
  write(ns: string, value: never, request: EppRequest): XmlElement;
  /** Undefined if the element contains something else. */
  read(el: XmlElement, verb: string): unknown;
};

type Forms<T> = {
  readonly [V in string]: { write(ns: string, value: T, request: EppRequest): XmlElement; read(el: XmlElement): T };
};
type Place = Pick<RequestExtension, 'field' | 'part'> & Partial<RequestExtension>;

/** For extensions with a form per verb. */
function byVerb<T>(place: Place, forms: Forms<T>): RequestExtension {
  return {
    objects: ['domain'],
    ...place,
    verbs: Object.keys(forms),
    write: (ns, value, request) => (forms[request.verb] as Forms<T>[string]).write(ns, value, request),
    read: (el, verb) => (forms[verb] as Forms<T>[string]).read(el),
  };
}

/** For extensions with one form for all verbs. */
function same<T>(
  place: Place & { readonly verbs: readonly string[] },
  write: (ns: string, value: T, request: EppRequest) => XmlElement,
  read: (el: XmlElement) => T | undefined,
): RequestExtension {
  return { objects: ['domain'], ...place, write: write as RequestExtension['write'], read };
}

const form = <T>(write: (ns: string, value: T, request: EppRequest) => XmlElement, read: (el: XmlElement) => T) =>
  ({ write, read }) as Forms<unknown>[string];
const priced = form(
  (ns, fee: never, request) => writeFeeTransform(ns, request.verb as FeeCommandElement, fee),
  readFeeTransform as (el: XmlElement) => never,
);

/** In the order in which they are written. A new extension needs a file and an entry here. */
const EXTENSIONS: readonly RequestExtension[] = [
  byVerb(
    { field: 'secDNS', part: 'secDNS' },
    {
      create: form((ns, list) => writeSecDnsRecords(ns, 'create', list), readSecDnsRecords),
      update: form(writeSecDnsUpdate, readSecDnsUpdate),
    },
  ),
  same({ field: 'rgp', part: 'rgp', verbs: ['update'] }, writeRgpRestore, readRgpRestore),
  same({ field: 'idn', part: 'idn', verbs: ['create'], elementName: (_, ns) => idnElement(ns) }, writeIdn, readIdn),
  byVerb(
    { field: 'launch', part: 'launch' },
    {
      check: form(writeLaunchCheck, readLaunchCheck),
      info: form(writeLaunchInfo, readLaunchInfo),
      create: form(writeLaunchCreate, readLaunchCreate),
      update: form((ns, id) => writeLaunchApplication(ns, 'update', id), readLaunchApplication),
      delete: form((ns, id) => writeLaunchApplication(ns, 'delete', id), readLaunchApplication),
    },
  ),
  same(
    // RFC 8495 3.1.2: an info requests the token, all other commands send it.
    {
      field: 'allocationToken',
      part: 'allocationToken',
      verbs: ['check', 'info', 'create', 'transfer'],
      elementName: (verb) => (verb === 'info' ? 'info' : 'allocationToken'),
    },
    (ns, given: string | true) =>
      given === true ? element(ns, 'info') : element(ns, 'allocationToken', undefined, given),
    (el) => (el.name === 'info' ? true : token(el)),
  ),
  byVerb(
    { field: 'organisations', part: 'orgext' },
    {
      create: form((ns, list) => writeOrganisations(ns, 'create', list), readOrganisations),
      update: form(writeOrganisationUpdate, readOrganisationUpdate),
    },
  ),
  same({ field: 'sync', part: 'sync', verbs: ['update'] }, writeSync, readSync),
  same(
    {
      field: 'keysys',
      part: 'keysys',
      objects: ['domain', 'contact'],
      verbs: ['check', 'create', 'renew', 'transfer', 'update', 'delete'],
    },
    writeKeysys,
    readKeysys,
  ),
  byVerb(
    { field: 'fee', part: 'fee' },
    {
      check: form(
        (ns, fee, request) => writeFeeCheck(ns, fee, (request as { names: readonly string[] }).names),
        readFeeCheck,
      ),
      create: priced,
      renew: priced,
      transfer: priced,
      update: priced,
    },
  ),
  same(
    { field: 'loginSec', part: 'loginSec', objects: ['session'], verbs: ['login'], elementName: () => 'loginSec' },
    writeLoginSec,
    readLoginSec,
  ),
];

const fits = (each: RequestExtension, request: EppRequest) =>
  each.objects.includes(request.object) && each.verbs.includes(request.verb);

/** The extension elements of a command, in a fixed order. */
export function writeRequestExtensions(request: EppRequest, ns: Namespaces): XmlElement[] {
  const ext = request.ext as Readonly<Record<string, unknown>> | undefined;
  if (ext === undefined) return [];
  const known = EXTENSIONS.filter((each) => ext[each.field] !== undefined && fits(each, request));
  const out = known.map((each) => each.write(uri(ns, each.part), ext[each.field] as never, request));
  return [...out, ...writeTldRequest(request, ns), ...(request.ext?.other ?? [])];
}

/** Reads each element that fits the command; others are kept whole in `other`. */
export function readRequestExtensions<R extends EppRequest>(
  request: R,
  list: readonly XmlElement[],
  ns: Namespaces,
): R {
  if (list.length === 0) return request;
  const ext: Record<string, unknown> = {};
  const other: XmlElement[] = [];
  for (const el of list) {
    const declared = readTldRequest(el, request, ns, ext);
    if (declared !== undefined) {
      ext.tld = declared;
      continue;
    }
    const found = EXTENSIONS.find(
      (each) =>
        el.ns === ns[each.part] &&
        fits(each, request) &&
        el.name === (each.elementName?.(request.verb, el.ns) ?? request.verb),
    );
    const value = found === undefined || found.field in ext ? undefined : found.read(el, request.verb);
    if (found === undefined || value === undefined) other.push(el);
    else ext[found.field] = value;
  }
  if (other.length > 0) ext.other = other;
  return { ...request, ext };
}
