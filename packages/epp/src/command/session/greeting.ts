import { EppReadError } from '../../errors.ts';
import type { Greeting } from '../../model/session.ts';
import type { Namespaces } from '../../profile.ts';
import { child, children, need, neededDate, neededToken, token } from '../../xml/read.ts';
import { element, type XmlElement } from '../../xml/tree.ts';
import { writeXml } from '../../xml/write.ts';
import { dateElement, textElement } from '../parts.ts';
import { prefixes } from '../prefixes.ts';

export function writeGreetingFrame(greeting: Greeting, ns: Namespaces): string {
  return writeXml(element(ns.epp, 'epp', undefined, writeGreeting(greeting, ns)), prefixes(ns));
}

/** RFC 5730 2.4. Writes the usual policy: admin and provisioning purposes, ours and public, stated retention. */
function writeGreeting(greeting: Greeting, ns: Namespaces): XmlElement {
  const own = ns.epp;
  const list = (name: string, values: readonly string[]) => values.map((each) => element(own, name, undefined, each));
  const marks = (name: string, ...inner: string[]) =>
    element(
      own,
      name,
      undefined,
      inner.map((each) => element(own, each)),
    );
  return element(
    own,
    'greeting',
    undefined,
    textElement(own, 'svID', greeting.svID),
    dateElement(own, 'svDate', greeting.svDate),
    element(
      own,
      'svcMenu',
      undefined,
      list('version', greeting.versions),
      list('lang', greeting.langs),
      list('objURI', greeting.objURIs),
      greeting.extURIs.length === 0
        ? undefined
        : element(own, 'svcExtension', undefined, list('extURI', greeting.extURIs)),
    ),
    element(
      own,
      'dcp',
      undefined,
      marks('access', 'all'),
      element(
        own,
        'statement',
        undefined,
        marks('purpose', 'admin', 'prov'),
        marks('recipient', 'ours', 'public'),
        marks('retention', 'stated'),
      ),
    ),
  );
}

export function readGreeting(root: XmlElement, ns: Namespaces): Greeting {
  const el = child(root, ns.epp, 'greeting');
  if (el === undefined) throw new EppReadError('shape', 'not a greeting', root.name);
  const menu = need(el, ns.epp, 'svcMenu');
  const extensions = child(menu, ns.epp, 'svcExtension');
  return {
    svID: neededToken(el, ns.epp, 'svID'),
    svDate: neededDate(el, ns.epp, 'svDate'),
    versions: children(menu, ns.epp, 'version').map(token),
    langs: children(menu, ns.epp, 'lang').map(token),
    objURIs: children(menu, ns.epp, 'objURI').map(token),
    extURIs: extensions === undefined ? [] : children(extensions, ns.epp, 'extURI').map(token),
  };
}
