import { textElement } from '../command/parts.ts';
import { EppReadError } from '../errors.ts';
import type { DsRecord, KeyRecord, SecDnsRecords, SecDnsRemoval, SecDnsUpdate } from '../model/extension.ts';
import {
  boolean,
  child,
  children,
  compact,
  integer,
  neededInteger,
  neededToken,
  optionalToken,
  token,
} from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** RFC 5910: create and infData have one form and differ in name. */
export function writeSecDnsRecords(ns: string, name: 'create' | 'infData' | 'add', list: SecDnsRecords): XmlElement {
  const life = list.maxSigLifeSeconds === undefined ? undefined : String(list.maxSigLifeSeconds);
  return element(ns, name, undefined, textElement(ns, 'maxSigLife', life), writeRecords(ns, list));
}

function writeRecords(ns: string, list: SecDnsRecords | SecDnsRemoval): XmlElement[] {
  if (list.kind === 'all') return [element(ns, 'all', undefined, 'true')];
  if (list.kind === 'ds') return list.records.map((record) => writeDs(ns, record));
  return list.records.map((record) => writeKey(ns, record));
}

function writeDs(ns: string, record: DsRecord): XmlElement {
  return element(
    ns,
    'dsData',
    undefined,
    textElement(ns, 'keyTag', String(record.keyTag)),
    textElement(ns, 'alg', String(record.alg)),
    textElement(ns, 'digestType', String(record.digestType)),
    textElement(ns, 'digest', record.digest),
    record.key === undefined ? undefined : writeKey(ns, record.key),
  );
}

function writeKey(ns: string, record: KeyRecord): XmlElement {
  return element(
    ns,
    'keyData',
    undefined,
    textElement(ns, 'flags', String(record.flags)),
    textElement(ns, 'protocol', String(record.protocol)),
    textElement(ns, 'alg', String(record.alg)),
    textElement(ns, 'pubKey', record.pubKey),
  );
}

export function readSecDnsRecords(el: XmlElement): SecDnsRecords {
  const life = optionalToken(el, el.ns, 'maxSigLife');
  const maxSigLifeSeconds = life === undefined ? undefined : integer(life, 'maxSigLife');
  const ds = children(el, el.ns, 'dsData');
  const keys = children(el, el.ns, 'keyData');
  // RFC 5910 section 4: the two interfaces must not be mixed.
  if (ds.length > 0 && keys.length > 0) throw new EppReadError('shape', 'dsData and keyData together', el.name);
  if (keys.length > 0) return compact<SecDnsRecords>({ kind: 'key', records: keys.map(readKey), maxSigLifeSeconds });
  return compact<SecDnsRecords>({ kind: 'ds', records: ds.map(readDs), maxSigLifeSeconds });
}

function readDs(el: XmlElement): DsRecord {
  const key = child(el, el.ns, 'keyData');
  return compact<DsRecord>({
    keyTag: neededInteger(el, el.ns, 'keyTag'),
    alg: neededInteger(el, el.ns, 'alg'),
    digestType: neededInteger(el, el.ns, 'digestType'),
    digest: neededToken(el, el.ns, 'digest').toUpperCase(),
    key: key === undefined ? undefined : readKey(key),
  });
}

function readKey(el: XmlElement): KeyRecord {
  return {
    flags: neededInteger(el, el.ns, 'flags'),
    protocol: neededInteger(el, el.ns, 'protocol'),
    alg: neededInteger(el, el.ns, 'alg'),
    pubKey: neededToken(el, el.ns, 'pubKey').replace(/ /g, ''),
  };
}

/** RFC 5910 5.2.5: removals come before additions. */
export function writeSecDnsUpdate(ns: string, update: SecDnsUpdate): XmlElement {
  const life = update.maxSigLifeSeconds;
  return element(
    ns,
    'update',
    { urgent: update.urgent === undefined ? undefined : String(update.urgent) },
    update.rem === undefined ? undefined : element(ns, 'rem', undefined, writeRecords(ns, update.rem)),
    update.add === undefined ? undefined : writeSecDnsRecords(ns, 'add', update.add),
    life === undefined ? undefined : element(ns, 'chg', undefined, textElement(ns, 'maxSigLife', String(life))),
  );
}

export function readSecDnsUpdate(el: XmlElement): SecDnsUpdate {
  const rem = child(el, el.ns, 'rem');
  const add = child(el, el.ns, 'add');
  const chg = child(el, el.ns, 'chg');
  const life = chg === undefined ? undefined : optionalToken(chg, el.ns, 'maxSigLife');
  return compact<SecDnsUpdate>({
    urgent: el.attrs.urgent === undefined ? undefined : boolean(el.attrs.urgent, 'urgent'),
    rem: rem === undefined ? undefined : readRemoval(rem),
    add: add === undefined ? undefined : readSecDnsRecords(add),
    maxSigLifeSeconds: life === undefined ? undefined : integer(life, 'maxSigLife'),
  });
}

function readRemoval(el: XmlElement): SecDnsRemoval {
  const all = child(el, el.ns, 'all');
  if (all !== undefined && boolean(token(all), 'all')) return { kind: 'all' };
  return readSecDnsRecords(el);
}
