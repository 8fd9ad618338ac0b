import type { Fee, FeeCredit } from '../model/extension.ts';
import { attribute, boolean, compact, token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** Fees and credits have one form in RFC 8748 and its drafts, except that the drafts have no `lang`. */
export function writeFee(ns: string, fee: Fee): XmlElement {
  const attrs = {
    description: fee.description,
    lang: fee.lang,
    refundable: fee.refundable === undefined ? undefined : fee.refundable ? '1' : '0',
    'grace-period': fee.gracePeriod,
    applied: fee.applied,
  };
  return element(ns, 'fee', attrs, fee.amount);
}

export function readFee(el: XmlElement): Fee {
  return compact<Fee>({
    amount: token(el),
    description: attribute(el, 'description'),
    lang: attribute(el, 'lang'),
    refundable: el.attrs.refundable === undefined ? undefined : boolean(el.attrs.refundable, 'refundable'),
    gracePeriod: attribute(el, 'grace-period'),
    applied: attribute(el, 'applied') as Fee['applied'],
  });
}

export function writeCredit(ns: string, credit: FeeCredit): XmlElement {
  return element(ns, 'credit', { description: credit.description, lang: credit.lang }, credit.amount);
}

export function readCredit(el: XmlElement): FeeCredit {
  return compact<FeeCredit>({
    amount: token(el),
    description: attribute(el, 'description'),
    lang: attribute(el, 'lang'),
  });
}

export function withoutLang<T extends Fee | FeeCredit>({ lang: _, ...rest }: T): T {
  return rest as T;
}
