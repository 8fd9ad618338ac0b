import { uri } from '../command/codec.ts';
import type { AnswerExtensions } from '../model/extension.ts';
import type { AnswerData } from '../model/response.ts';
import type { Namespaces } from '../profile.ts';
import { children, token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';
import { readChangeNotice, writeChangeNotice } from './changePoll.ts';
import {
  type FeeAnswerElement,
  readFeeCheckAnswer,
  readFeeTransformAnswer,
  writeFeeCheckAnswer,
  writeFeeTransformAnswer,
} from './fee.ts';
import { idnElement, readIdn, writeIdn } from './idn.ts';
import { readKeysysAnswer, writeKeysysAnswer } from './keysys.ts';
import { readLaunchAnswer, readLaunchCheckAnswer, writeLaunchAnswer, writeLaunchCheckAnswer } from './launch.ts';
import { readLoginSecEvents, writeLoginSecEvents } from './loginSec.ts';
import { readOrganisations, writeOrganisations } from './orgext.ts';
import { readRgpAnswer, writeRgpAnswer } from './rgp.ts';
import { readSecDnsRecords, writeSecDnsRecords } from './secDNS.ts';
import { readTldAnswer, writeTldAnswer } from './tld.ts';

/** The command of the answer, which decides the element names of fee and rgp answers. */
export type AnsweredVerb = 'create' | 'renew' | 'transfer' | 'update' | 'delete' | (string & {});

const FEE_ELEMENTS: Readonly<Record<string, FeeAnswerElement>> = {
  create: 'creData',
  renew: 'renData',
  transfer: 'trnData',
  update: 'updData',
  delete: 'delData',
};
const FEE_ELEMENT_BY_DATA: Readonly<Record<string, FeeAnswerElement>> = {
  creData: 'creData',
  renData: 'renData',
  trnData: 'trnData',
};

export function writeAnswerExtensions(
  ext: AnswerExtensions | undefined,
  verb: AnsweredVerb | undefined,
  data: AnswerData | undefined,
  ns: Namespaces,
): XmlElement[] {
  if (ext === undefined) return [];
  const out: XmlElement[] = [];
  if (ext.feeCheck !== undefined) {
    const prices = writeFeeCheckAnswer(uri(ns, 'fee'), ext.feeCheck, uri(ns, 'domain'));
    // In draft 0.6 a name without a price has no line.
    if (prices.children.length > 0) out.push(prices);
  }
  if (ext.fee !== undefined) {
    const name = FEE_ELEMENTS[verb ?? ''] ?? FEE_ELEMENT_BY_DATA[data?.type ?? ''] ?? 'updData';
    out.push(writeFeeTransformAnswer(uri(ns, 'fee'), name, ext.fee));
  }
  if (ext.secDNS !== undefined) out.push(writeSecDnsRecords(uri(ns, 'secDNS'), 'infData', ext.secDNS));
  if (ext.rgp !== undefined) {
    out.push(writeRgpAnswer(uri(ns, 'rgp'), verb === 'update' ? 'upData' : 'infData', ext.rgp));
  }
  if (ext.loginSec !== undefined) out.push(writeLoginSecEvents(uri(ns, 'loginSec'), ext.loginSec.events));
  out.push(...writeTldAnswer(ext.tld, ns));
  writeFurther(ext, verb, ns, out);
  out.push(...(ext.other ?? []));
  return out;
}

function writeFurther(ext: AnswerExtensions, verb: AnsweredVerb | undefined, ns: Namespaces, out: XmlElement[]): void {
  if (ext.idn !== undefined) out.push(writeIdn(uri(ns, 'idn'), ext.idn));
  if (ext.launchCheck !== undefined) out.push(writeLaunchCheckAnswer(uri(ns, 'launch'), ext.launchCheck));
  if (ext.launch !== undefined) {
    out.push(writeLaunchAnswer(uri(ns, 'launch'), verb === 'create' ? 'creData' : 'infData', ext.launch));
  }
  if (ext.allocationToken !== undefined) {
    out.push(element(uri(ns, 'allocationToken'), 'allocationToken', undefined, ext.allocationToken));
  }
  if (ext.organisations !== undefined) out.push(writeOrganisations(uri(ns, 'orgext'), 'infData', ext.organisations));
  if (ext.keysys !== undefined) out.push(writeKeysysAnswer(uri(ns, 'keysys'), ns.epp, ext.keysys));
  if (ext.change !== undefined) out.push(writeChangeNotice(uri(ns, 'changePoll'), ext.change));
}

const FEE_ANSWERS: readonly string[] = Object.values(FEE_ELEMENTS);

/** An element that this library cannot read, or a duplicate, is kept whole in `other`. */
export function readAnswerExtensions(list: readonly XmlElement[], ns: Namespaces): AnswerExtensions {
  const ext: Record<string, unknown> = {};
  const other: XmlElement[] = [];
  for (const el of list) {
    const declared = readTldAnswer(el, ns, ext.tld);
    if (declared !== undefined) {
      ext.tld = declared;
      continue;
    }
    const read = readOne(el, ns) ?? readFurther(el, ns);
    if (read === undefined || read.value === undefined || read.key in ext) other.push(el);
    else ext[read.key] = read.value;
  }
  if (other.length > 0) ext.other = other;
  return ext as AnswerExtensions;
}

type ReadExtension = { key: keyof AnswerExtensions; value: unknown } | undefined;

function readOne(el: XmlElement, ns: Namespaces): ReadExtension {
  if (el.ns === ns.fee && el.name === 'chkData') {
    // Without a line there are no prices, and no currency in the drafts.
    const hasLines = children(el, el.ns, 'cd').length > 0;
    return { key: 'feeCheck', value: hasLines ? readFeeCheckAnswer(el) : undefined };
  }
  if (el.ns === ns.fee && FEE_ANSWERS.includes(el.name)) return { key: 'fee', value: readFeeTransformAnswer(el) };
  if (el.ns === ns.secDNS && el.name === 'infData') return { key: 'secDNS', value: readSecDnsRecords(el) };
  if (el.ns === ns.rgp && (el.name === 'infData' || el.name === 'upData')) {
    return { key: 'rgp', value: readRgpAnswer(el) };
  }
  if (el.ns === ns.loginSec && el.name === 'loginSecData') {
    return { key: 'loginSec', value: { events: readLoginSecEvents(el) } };
  }
  return undefined;
}

function readFurther(el: XmlElement, ns: Namespaces): ReadExtension {
  if (el.ns === ns.idn && el.name === idnElement(el.ns)) return { key: 'idn', value: readIdn(el) };
  if (el.ns === ns.launch && el.name === 'chkData') return { key: 'launchCheck', value: readLaunchCheckAnswer(el) };
  if (el.ns === ns.launch && (el.name === 'infData' || el.name === 'creData')) {
    return { key: 'launch', value: readLaunchAnswer(el) };
  }
  if (el.ns === ns.allocationToken && el.name === 'allocationToken')
    return { key: 'allocationToken', value: token(el) };
  if (el.ns === ns.orgext && el.name === 'infData') return { key: 'organisations', value: readOrganisations(el) };
  if (el.ns === ns.keysys) return { key: 'keysys', value: readKeysysAnswer(el) };
  if (el.ns === ns.changePoll && el.name === 'changeData') return { key: 'change', value: readChangeNotice(el) };
  return undefined;
}
