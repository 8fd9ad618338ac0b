import { readPeriod, textElement, writePeriod } from '../command/parts.ts';
import type {
  Fee,
  FeeCheck,
  FeeCheckAnswer,
  FeeCheckItem,
  FeeCommandName,
  FeeCredit,
  FeePrice,
  FeeQuery,
  FeeTransform,
  FeeTransformAnswer,
} from '../model/extension.ts';
import {
  attribute,
  boolean,
  children,
  compact,
  neededAttribute,
  neededToken,
  optionalToken,
  token,
} from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** RFC 8748 5.1.1 */
export function writeFeeCheck(ns: string, check: FeeCheck): XmlElement {
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

export function writeFeeCheckAnswer(ns: string, answer: FeeCheckAnswer): XmlElement {
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

/** RFC 8748 5.2: the price that the client agrees to, under the name of the command. */
export function writeFeeTransform(ns: string, name: FeeCommandElement, agreed: FeeTransform): XmlElement {
  return element(
    ns,
    name,
    undefined,
    textElement(ns, 'currency', agreed.currency),
    agreed.fees.map((fee) => writeFee(ns, fee)),
    (agreed.credits ?? []).map((credit) => writeCredit(ns, credit)),
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

export function writeFeeTransformAnswer(ns: string, name: FeeAnswerElement, charged: FeeTransformAnswer): XmlElement {
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

function writeFee(ns: string, fee: Fee): XmlElement {
  const attrs = {
    description: fee.description,
    lang: fee.lang,
    refundable: fee.refundable === undefined ? undefined : fee.refundable ? '1' : '0',
    'grace-period': fee.gracePeriod,
    applied: fee.applied,
  };
  return element(ns, 'fee', attrs, fee.amount);
}

function readFee(el: XmlElement): Fee {
  return compact<Fee>({
    amount: token(el),
    description: attribute(el, 'description'),
    lang: attribute(el, 'lang'),
    refundable: el.attrs.refundable === undefined ? undefined : boolean(el.attrs.refundable, 'refundable'),
    gracePeriod: attribute(el, 'grace-period'),
    applied: attribute(el, 'applied') as Fee['applied'],
  });
}

function writeCredit(ns: string, credit: FeeCredit): XmlElement {
  return element(ns, 'credit', { description: credit.description, lang: credit.lang }, credit.amount);
}

function readCredit(el: XmlElement): FeeCredit {
  return compact<FeeCredit>({
    amount: token(el),
    description: attribute(el, 'description'),
    lang: attribute(el, 'lang'),
  });
}
