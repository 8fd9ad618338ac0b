import { readPeriod, textElement, writePeriod } from '../command/parts.ts';
import { EppInputError } from '../errors.ts';
import type {
  FeeCheck,
  FeeCheckAnswer,
  FeeCheckItem,
  FeeCommandName,
  FeePrice,
  FeeQuery,
  FeeTransform,
  FeeTransformAnswer,
} from '../model/extension.ts';
import { attribute, boolean, children, compact, neededAttribute, neededToken, optionalToken } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';
import { feeDraft } from './feeDrafts.ts';
import { readCredit, readFee, withoutLang, writeCredit, writeFee } from './feeParts.ts';

/** RFC 8748 5.1.1, or the draft that the URI names. */
export function writeFeeCheck(ns: string, check: FeeCheck, names: readonly string[]): XmlElement {
  const draft = feeDraft(ns);
  if (draft !== undefined) return draft.writeCheck(ns, check, names);
  return element(
    ns,
    'check',
    undefined,
    textElement(ns, 'currency', check.currency),
    check.commands.map((query) => element(ns, 'command', queryAttributes(query), writePeriod(ns, query.period))),
  );
}

function queryAttributes(query: FeeQuery): Record<string, string | undefined> {
  return { name: query.name, customName: query.customName, phase: query.phase, subphase: query.subphase };
}

export function readFeeCheck(el: XmlElement): FeeCheck {
  const draft = feeDraft(el.ns);
  if (draft !== undefined) return draft.readCheck(el);
  return compact<FeeCheck>({
    currency: optionalToken(el, el.ns, 'currency'),
    commands: children(el, el.ns, 'command').map(readQuery),
  });
}

function readQuery(el: XmlElement): FeeQuery {
  return compact<FeeQuery>({
    name: neededAttribute(el, 'name') as FeeCommandName,
    customName: attribute(el, 'customName'),
    phase: attribute(el, 'phase'),
    subphase: attribute(el, 'subphase'),
    period: readPeriod(el, el.ns),
  });
}

export function writeFeeCheckAnswer(ns: string, answer: FeeCheckAnswer, domainNs: string): XmlElement {
  const draft = feeDraft(ns);
  if (draft !== undefined) return draft.writeAnswer(ns, answer, domainNs);
  const items = answer.items.map((item) =>
    element(
      ns,
      'cd',
      { avail: item.available ? '1' : '0' },
      textElement(ns, 'objID', item.id),
      textElement(ns, 'class', item.class),
      item.prices.map((price) => writePrice(ns, price)),
      textElement(ns, 'reason', item.reason),
    ),
  );
  return element(ns, 'chkData', undefined, textElement(ns, 'currency', answer.currency), items);
}

function writePrice(ns: string, price: FeePrice): XmlElement {
  const standard = price.standard === undefined ? undefined : price.standard ? '1' : '0';
  return element(
    ns,
    'command',
    { ...queryAttributes(price), standard },
    writePeriod(ns, price.period),
    price.fees.map((fee) => writeFee(ns, fee)),
    price.credits.map((credit) => writeCredit(ns, credit)),
    textElement(ns, 'reason', price.reason),
  );
}

export function readFeeCheckAnswer(el: XmlElement): FeeCheckAnswer {
  const draft = feeDraft(el.ns);
  if (draft !== undefined) return draft.readAnswer(el);
  const items = children(el, el.ns, 'cd').map((cd) =>
    compact<FeeCheckItem>({
      id: neededToken(cd, el.ns, 'objID'),
      available: cd.attrs.avail === undefined ? true : boolean(cd.attrs.avail, 'avail'),
      class: optionalToken(cd, el.ns, 'class'),
      prices: children(cd, el.ns, 'command').map(readPrice),
      reason: optionalToken(cd, el.ns, 'reason'),
    }),
  );
  return { currency: neededToken(el, el.ns, 'currency'), items };
}

function readPrice(el: XmlElement): FeePrice {
  return compact<FeePrice>({
    ...readQuery(el),
    standard: el.attrs.standard === undefined ? undefined : boolean(el.attrs.standard, 'standard'),
    fees: children(el, el.ns, 'fee').map(readFee),
    credits: children(el, el.ns, 'credit').map(readCredit),
    reason: optionalToken(el, el.ns, 'reason'),
  });
}

export type FeeCommandElement = 'create' | 'renew' | 'transfer' | 'update';
export type FeeAnswerElement = 'creData' | 'renData' | 'trnData' | 'updData' | 'delData';

/** RFC 8748 5.2: the price that the client agrees to, in an element named after the command. */
export function writeFeeTransform(ns: string, name: FeeCommandElement, agreed: FeeTransform): XmlElement {
  const draft = feeDraft(ns);
  const credits = agreed.credits ?? [];
  if (draft?.version === '0.6') {
    if (agreed.currency === undefined) throw new EppInputError('fee.currency', 'required by fee-0.6');
    if (credits.length > 0) throw new EppInputError('fee.credits', 'not in fee-0.6');
  }
  return element(
    ns,
    name,
    undefined,
    textElement(ns, 'currency', agreed.currency),
    agreed.fees.map((fee) => writeFee(ns, draft === undefined ? fee : withoutLang(fee))),
    credits.map((credit) => writeCredit(ns, draft === undefined ? credit : withoutLang(credit))),
  );
}

export function readFeeTransform(el: XmlElement): FeeTransform {
  const credits = children(el, el.ns, 'credit').map(readCredit);
  return compact<FeeTransform>({
    currency: optionalToken(el, el.ns, 'currency'),
    fees: children(el, el.ns, 'fee').map(readFee),
    credits: credits.length === 0 ? undefined : credits,
  });
}

export function writeFeeTransformAnswer(ns: string, name: FeeAnswerElement, answer: FeeTransformAnswer): XmlElement {
  const charged = feeDraft(ns) === undefined ? answer : inDraft(ns, name, answer);
  return element(
    ns,
    name,
    undefined,
    textElement(ns, 'currency', charged.currency),
    writePeriod(ns, charged.period),
    charged.fees.map((fee) => writeFee(ns, fee)),
    charged.credits.map((credit) => writeCredit(ns, credit)),
    textElement(ns, 'balance', charged.balance),
    textElement(ns, 'creditLimit', charged.creditLimit),
  );
}

/**
 * In the drafts only transfers have a period. 0.6 and 0.11 have no fee in a deletion, 0.6 has credits only there, and 0.11 has no
 * balance in a transfer.
 */
function inDraft(ns: string, name: FeeAnswerElement, charged: FeeTransformAnswer): FeeTransformAnswer {
  const version = feeDraft(ns)?.version;
  const noFees = name === 'delData' && version !== '0.12';
  const noCredits = name !== 'delData' && version === '0.6';
  const noBalance = name === 'trnData' && version === '0.11';
  return compact<FeeTransformAnswer>({
    currency: charged.currency,
    period: name === 'trnData' ? charged.period : undefined,
    fees: noFees ? [] : charged.fees.map(withoutLang),
    credits: noCredits ? [] : charged.credits.map(withoutLang),
    balance: noBalance ? undefined : charged.balance,
    creditLimit: noBalance ? undefined : charged.creditLimit,
  });
}

export function readFeeTransformAnswer(el: XmlElement): FeeTransformAnswer {
  return compact<FeeTransformAnswer>({
    currency: optionalToken(el, el.ns, 'currency'),
    period: readPeriod(el, el.ns),
    fees: children(el, el.ns, 'fee').map(readFee),
    credits: children(el, el.ns, 'credit').map(readCredit),
    balance: optionalToken(el, el.ns, 'balance'),
    creditLimit: optionalToken(el, el.ns, 'creditLimit'),
  });
}
