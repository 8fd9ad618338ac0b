import { EppReadError } from '../../errors.ts';
import type { Maintenance, MaintenanceData, MaintenanceSummary, MaintenanceSystem } from '../../model/poll.ts';
import {
  attribute,
  boolean,
  child,
  children,
  compact,
  need,
  neededAttribute,
  neededDate,
  neededToken,
  optionalDate,
  optionalToken,
  rawText,
  token,
} from '../../xml/read.ts';
import { element, type XmlElement } from '../../xml/tree.ts';
import { type DataCodec, uri } from '../codec.ts';
import { dateElement, textElement } from '../parts.ts';

/** RFC 9167: one maintenance, as in poll messages, or a list of them. */
export const maintenance: DataCodec<MaintenanceData> = {
  write(data, ns) {
    const own = uri(ns, 'maintenance');
    const content =
      'item' in data
        ? writeItem(own, data.item)
        : element(
            own,
            'list',
            undefined,
            data.list.map((each) => element(own, 'listItem', undefined, writeSummary(own, each))),
          );
    return element(own, 'infData', undefined, content);
  },
  read(el) {
    const item = child(el, el.ns, 'item');
    if (item !== undefined) return { object: 'maintenance', type: 'infData', item: readItem(item) };
    const list = children(need(el, el.ns, 'list'), el.ns, 'listItem').map(readSummary);
    return { object: 'maintenance', type: 'infData', list };
  },
};

function writeSummary(ns: string, each: MaintenanceSummary): XmlElement[] {
  return [
    element(ns, 'id', { name: each.name }, each.id),
    dateElement(ns, 'start', each.start),
    dateElement(ns, 'end', each.end),
    dateElement(ns, 'crDate', each.crDate),
    dateElement(ns, 'upDate', each.upDate),
  ].filter((part) => part !== undefined);
}

function readSummary(el: XmlElement): MaintenanceSummary {
  const id = need(el, el.ns, 'id');
  return compact<MaintenanceSummary>({
    id: token(id),
    name: attribute(id, 'name'),
    start: neededDate(el, el.ns, 'start'),
    end: neededDate(el, el.ns, 'end'),
    crDate: neededDate(el, el.ns, 'crDate'),
    upDate: optionalDate(el, el.ns, 'upDate'),
  });
}

function writeItem(ns: string, item: Maintenance): XmlElement {
  const [id, start, end, ...stamps] = writeSummary(ns, item);
  const { environment, intervention } = item;
  const tlds = item.tlds.map((tld) => element(ns, 'tld', undefined, tld));
  return element(
    ns,
    'item',
    undefined,
    id,
    item.types.map((type) => element(ns, 'type', undefined, type)),
    textElement(ns, 'pollType', item.pollType),
    element(
      ns,
      'systems',
      undefined,
      item.systems.map((system) => writeSystem(ns, system)),
    ),
    element(ns, 'environment', { type: environment.type, name: environment.name }),
    start,
    end,
    textElement(ns, 'reason', item.reason),
    textElement(ns, 'detail', item.detail),
    item.descriptions.map((each) => element(ns, 'description', { lang: each.lang, type: each.type }, each.text)),
    tlds.length === 0 ? undefined : element(ns, 'tlds', undefined, tlds),
    intervention &&
      element(
        ns,
        'intervention',
        undefined,
        textElement(ns, 'connection', String(intervention.connection)),
        textElement(ns, 'implementation', String(intervention.implementation)),
      ),
    stamps,
  );
}

function writeSystem(ns: string, system: MaintenanceSystem): XmlElement {
  return element(
    ns,
    'system',
    undefined,
    textElement(ns, 'name', system.name),
    textElement(ns, 'host', system.host),
    textElement(ns, 'impact', system.impact),
  );
}

function readSystem(el: XmlElement): MaintenanceSystem {
  return compact<MaintenanceSystem>({
    name: neededToken(el, el.ns, 'name'),
    host: optionalToken(el, el.ns, 'host'),
    impact: neededToken(el, el.ns, 'impact'),
  });
}

function readItem(el: XmlElement): Maintenance {
  const environment = need(el, el.ns, 'environment');
  const tlds = child(el, el.ns, 'tlds');
  const intervention = child(el, el.ns, 'intervention');
  const flag = (name: string) => boolean(neededToken(intervention as XmlElement, el.ns, name), name);
  return compact<Maintenance>({
    ...readSummary(el),
    types: children(el, el.ns, 'type').map(rawText),
    pollType: optionalToken(el, el.ns, 'pollType'),
    systems: children(need(el, el.ns, 'systems'), el.ns, 'system').map(readSystem),
    environment: compact<Maintenance['environment']>({
      type: neededAttribute(environment, 'type'),
      name: attribute(environment, 'name'),
    }),
    reason: neededToken(el, el.ns, 'reason'),
    detail: optionalToken(el, el.ns, 'detail'),
    descriptions: children(el, el.ns, 'description').map(readDescription),
    tlds: tlds === undefined ? [] : children(tlds, el.ns, 'tld').map(token),
    intervention: intervention && { connection: flag('connection'), implementation: flag('implementation') },
  });
}

function readDescription(el: XmlElement): Maintenance['descriptions'][number] {
  const type = attribute(el, 'type');
  if (type !== undefined && type !== 'plain' && type !== 'html') {
    throw new EppReadError('shape', 'neither plain nor html', 'description');
  }
  return compact<Maintenance['descriptions'][number]>({ text: rawText(el), lang: attribute(el, 'lang'), type });
}
