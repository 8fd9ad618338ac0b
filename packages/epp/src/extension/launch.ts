import { dateElement, readStatuses, textElement } from '../command/parts.ts';
import type {
  ClaimsNotice,
  CodeMark,
  LaunchAnswer,
  LaunchApplication,
  LaunchCheck,
  LaunchCheckAnswer,
  LaunchCheckItem,
  LaunchCode,
  LaunchCreate,
  LaunchInfo,
  LaunchPhase,
} from '../model/launch.ts';
import {
  attribute,
  boolean,
  child,
  children,
  compact,
  elements,
  need,
  neededDate,
  neededToken,
  optionalToken,
  token,
} from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** RFC 7848: encoded signed marks belong to its own namespace, not to that of the launch phase. */
const SIGNED_MARK = 'urn:ietf:params:xml:ns:signedMark-1.0';

function writePhase(ns: string, phase: LaunchPhase | undefined): XmlElement | undefined {
  return phase === undefined ? undefined : element(ns, 'phase', { name: phase.name }, phase.phase);
}

function readPhase(el: XmlElement): LaunchPhase {
  return compact<LaunchPhase>({ phase: token(el), name: attribute(el, 'name') });
}

const neededPhase = (parent: XmlElement) => readPhase(need(parent, parent.ns, 'phase'));

function optionalPhase(parent: XmlElement): LaunchPhase | undefined {
  const el = child(parent, parent.ns, 'phase');
  return el === undefined ? undefined : readPhase(el);
}

/** RFC 8334 3.1 */
export function writeLaunchCheck(ns: string, check: LaunchCheck): XmlElement {
  return element(ns, 'check', { type: check.type }, writePhase(ns, check.phase));
}

export function readLaunchCheck(el: XmlElement): LaunchCheck {
  return compact<LaunchCheck>({ type: attribute(el, 'type') as LaunchCheck['type'], phase: optionalPhase(el) });
}

export function writeLaunchInfo(ns: string, info: LaunchInfo): XmlElement {
  const includeMark = info.includeMark === undefined ? undefined : String(info.includeMark);
  return element(
    ns,
    'info',
    { includeMark },
    writePhase(ns, info.phase),
    textElement(ns, 'applicationID', info.applicationId),
  );
}

export function readLaunchInfo(el: XmlElement): LaunchInfo {
  return compact<LaunchInfo>({
    phase: neededPhase(el),
    applicationId: optionalToken(el, el.ns, 'applicationID'),
    includeMark: el.attrs.includeMark === undefined ? undefined : boolean(el.attrs.includeMark, 'includeMark'),
  });
}

/** RFC 8334 3.3: marks come before notices. */
export function writeLaunchCreate(ns: string, create: LaunchCreate): XmlElement {
  return element(
    ns,
    'create',
    { type: create.type },
    writePhase(ns, create.phase),
    (create.codeMarks ?? []).map((each) => writeCodeMark(ns, each)),
    (create.encodedSignedMarks ?? []).map((each) => element(SIGNED_MARK, 'encodedSignedMark', undefined, each)),
    (create.notices ?? []).map((each) => writeNotice(ns, each)),
  );
}

function writeCodeMark(ns: string, { code, mark }: CodeMark): XmlElement {
  const written = code && element(ns, 'code', { validatorID: code.validatorId }, code.code);
  return element(ns, 'codeMark', undefined, written, mark);
}

function writeNotice(ns: string, notice: ClaimsNotice): XmlElement {
  return element(
    ns,
    'notice',
    undefined,
    element(ns, 'noticeID', { validatorID: notice.validatorId }, notice.noticeId),
    dateElement(ns, 'notAfter', notice.notAfter),
    dateElement(ns, 'acceptedDate', notice.acceptedAt),
  );
}

const someOf = <T>(list: readonly T[]) => (list.length === 0 ? undefined : list);

export function readLaunchCreate(el: XmlElement): LaunchCreate {
  return compact<LaunchCreate>({
    type: attribute(el, 'type') as LaunchCreate['type'],
    phase: neededPhase(el),
    codeMarks: someOf(children(el, el.ns, 'codeMark').map(readCodeMark)),
    encodedSignedMarks: someOf(children(el, SIGNED_MARK, 'encodedSignedMark').map(token)),
    notices: someOf(children(el, el.ns, 'notice').map(readNotice)),
  });
}

function readCodeMark(el: XmlElement): CodeMark {
  const code = child(el, el.ns, 'code');
  return compact<CodeMark>({
    code: code && compact<LaunchCode>({ code: token(code), validatorId: attribute(code, 'validatorID') }),
    mark: elements(el).find((each) => each.ns !== el.ns),
  });
}

function readNotice(el: XmlElement): ClaimsNotice {
  const id = need(el, el.ns, 'noticeID');
  return compact<ClaimsNotice>({
    noticeId: token(id),
    validatorId: attribute(id, 'validatorID'),
    notAfter: neededDate(el, el.ns, 'notAfter'),
    acceptedAt: neededDate(el, el.ns, 'acceptedDate'),
  });
}

export function writeLaunchApplication(
  ns: string,
  name: 'update' | 'delete',
  application: LaunchApplication,
): XmlElement {
  const id = textElement(ns, 'applicationID', application.applicationId);
  return element(ns, name, undefined, writePhase(ns, application.phase), id);
}

export function readLaunchApplication(el: XmlElement): LaunchApplication {
  return { phase: neededPhase(el), applicationId: neededToken(el, el.ns, 'applicationID') };
}

export function writeLaunchCheckAnswer(ns: string, answer: LaunchCheckAnswer): XmlElement {
  const items = answer.items.map((item) =>
    element(
      ns,
      'cd',
      undefined,
      element(ns, 'name', { exists: item.exists ? '1' : '0' }, item.name),
      item.claimKeys.map((each) => element(ns, 'claimKey', { validatorID: each.validatorId }, each.key)),
    ),
  );
  return element(ns, 'chkData', undefined, writePhase(ns, answer.phase), items);
}

export function readLaunchCheckAnswer(el: XmlElement): LaunchCheckAnswer {
  const items = children(el, el.ns, 'cd').map((cd): LaunchCheckItem => {
    const name = need(cd, el.ns, 'name');
    const claimKeys = children(cd, el.ns, 'claimKey').map((each) =>
      compact<LaunchCheckItem['claimKeys'][number]>({ key: token(each), validatorId: attribute(each, 'validatorID') }),
    );
    return { name: token(name), exists: boolean(name.attrs.exists, 'exists'), claimKeys };
  });
  return compact<LaunchCheckAnswer>({ phase: optionalPhase(el), items });
}

export function writeLaunchAnswer(ns: string, name: 'infData' | 'creData', answer: LaunchAnswer): XmlElement {
  const { status } = answer;
  return element(
    ns,
    name,
    undefined,
    writePhase(ns, answer.phase),
    textElement(ns, 'applicationID', answer.applicationId),
    status && element(ns, 'status', { s: status.value, lang: status.lang, name: status.name }, status.text),
    answer.marks ?? [],
  );
}

export function readLaunchAnswer(el: XmlElement): LaunchAnswer {
  const [status] = readStatuses(el, el.ns);
  const own = child(el, el.ns, 'status');
  const name = own === undefined ? undefined : attribute(own, 'name');
  return compact<LaunchAnswer>({
    phase: neededPhase(el),
    applicationId: optionalToken(el, el.ns, 'applicationID'),
    status: status && (name === undefined ? status : { ...status, name }),
    marks: someOf(elements(el).filter((each) => each.ns !== el.ns)),
  });
}
