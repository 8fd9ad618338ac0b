import { dateElement, readStatuses, textElement, writeStatuses } from '../command/parts.ts';
import { EppReadError } from '../errors.ts';
import type { RgpAnswer, RgpReport, RgpRestore } from '../model/extension.ts';
import { child, children, compact, need, neededAttribute, neededDate, rawText } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** RFC 3915 4.2.5: restore request and restore report are extensions of a domain update. */
export function writeRgpRestore(ns: string, restore: RgpRestore): XmlElement {
  const report = restore.op === 'report' ? writeReport(ns, restore.report) : undefined;
  return element(ns, 'update', undefined, element(ns, 'restore', { op: restore.op }, report));
}

function writeReport(ns: string, report: RgpReport): XmlElement {
  return element(
    ns,
    'report',
    undefined,
    textElement(ns, 'preData', report.preData),
    textElement(ns, 'postData', report.postData),
    dateElement(ns, 'delTime', report.deletedAt),
    dateElement(ns, 'resTime', report.restoredAt),
    textElement(ns, 'resReason', report.reason),
    report.statements.map((statement) => element(ns, 'statement', undefined, statement)),
    textElement(ns, 'other', report.other),
  );
}

export function readRgpRestore(el: XmlElement): RgpRestore {
  const restore = need(el, el.ns, 'restore');
  const op = neededAttribute(restore, 'op');
  if (op === 'request') return { op };
  if (op !== 'report') throw new EppReadError('shape', 'unknown op', 'restore');
  return { op, report: readReport(need(restore, el.ns, 'report')) };
}

function readReport(el: XmlElement): RgpReport {
  const statements = children(el, el.ns, 'statement').map(rawText);
  const other = child(el, el.ns, 'other');
  return compact<RgpReport>({
    preData: rawText(need(el, el.ns, 'preData')),
    postData: rawText(need(el, el.ns, 'postData')),
    deletedAt: neededDate(el, el.ns, 'delTime'),
    restoredAt: neededDate(el, el.ns, 'resTime'),
    reason: rawText(need(el, el.ns, 'resReason')),
    statements: [statements[0] ?? '', statements[1] ?? ''],
    other: other === undefined ? undefined : rawText(other),
  });
}

/** infData answers an info, upData an update. */
export function writeRgpAnswer(ns: string, name: 'infData' | 'upData', answer: RgpAnswer): XmlElement {
  return element(ns, name, undefined, writeStatuses(ns, answer.statuses, 'rgpStatus'));
}

export function readRgpAnswer(el: XmlElement): RgpAnswer {
  return { statuses: readStatuses(el, el.ns, 'rgpStatus') };
}
