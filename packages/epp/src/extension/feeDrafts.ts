import { readPeriod, textElement, writePeriod } from '../command/parts.ts';
import { EppInputError, EppReadError } from '../errors.ts';
import type { FeeCheck, FeeCheckAnswer, FeeCheckItem, FeeCommandName, FeePrice, FeeQuery } from '../model/extension.ts';
import {
  attribute,
  boolean,
  child,
  children,
  compact,
  elements,
  need,
  neededAttribute,
  neededToken,
  optionalToken,
  token,
} from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';
import { readCredit, readFee, withoutLang, writeCredit, writeFee } from './feeParts.ts';

/** Price checks and answers in a draft of RFC 8748. Parts without a place in its schema are omitted. */
type FeeDraft = {
  readonly version: '0.6' | '0.11' | '0.12';
  writeCheck(ns: string, check: FeeCheck, names: readonly string[]): XmlElement;
  readCheck(el: XmlElement): FeeCheck;
  writeAnswer(ns: string, answer: FeeCheckAnswer, domainNs: string): XmlElement;
  readAnswer(el: XmlElement): FeeCheckAnswer;
};

const COMMANDS: readonly string[] = ['create', 'renew', 'transfer', 'restore', 'update', 'delete'];
/** The drafts have no `custom`: a registry's own command is sent under its own name. */
const nameOf = (query: FeeQuery) => (query.name === 'custom' ? (query.customName ?? query.name) : query.name);
const namedQuery = (name: string) =>
  COMMANDS.includes(name) ? { name: name as FeeCommandName } : { name: 'custom' as const, customName: name };

function writeCommand(ns: string, query: FeeQuery): XmlElement {
  return element(ns, 'command', { phase: query.phase, subphase: query.subphase }, nameOf(query));
}

const readQuery = (name: string, command: XmlElement, withPeriod: XmlElement) =>
  compact<FeeQuery>({
    ...namedQuery(name),
    phase: attribute(command, 'phase'),
    subphase: attribute(command, 'subphase'),
    period: readPeriod(withPeriod, withPeriod.ns),
  });

/** 0.6 and 0.11: the command's name is the text of its element, with the period beside it. */
function readCommand(parent: XmlElement): FeeQuery {
  const el = need(parent, parent.ns, 'command');
  return readQuery(token(el), el, parent);
}

const writeFees = (ns: string, price: FeePrice) => price.fees.map((fee) => writeFee(ns, withoutLang(fee)));
const writeCredits = (ns: string, price: FeePrice) => price.credits.map((each) => writeCredit(ns, withoutLang(each)));

/** The last elements of a line, from 0.11 on. */
const writeLine = (ns: string, item: FeeCheckItem, price: FeePrice) => [
  writePeriod(ns, price.period),
  ...writeFees(ns, price),
  ...writeCredits(ns, price),
  textElement(ns, 'class', item.class),
  textElement(ns, 'reason', price.reason ?? item.reason),
];

function readPrice(query: FeeQuery, el: XmlElement): FeePrice {
  return compact<FeePrice>({
    ...query,
    fees: children(el, el.ns, 'fee').map(readFee),
    credits: children(el, el.ns, 'credit').map(readCredit),
    reason: optionalToken(el, el.ns, 'reason'),
  });
}

type Line = { id: string; available: boolean; class: string | undefined; price: FeePrice };

/** From 0.11 on a line states whether its name is available for it. */
const readLine = (id: string, query: FeeQuery, el: XmlElement): Line => ({
  id,
  available: el.attrs.avail === undefined ? true : boolean(el.attrs.avail, 'avail'),
  class: optionalToken(el, el.ns, 'class'),
  price: readPrice(query, el),
});

/** The drafts answer in lines. A name is available for its prices if one of its lines is; the first class counts. */
function itemsOf(lines: readonly Line[]): FeeCheckItem[] {
  const ids = [...new Set(lines.map((line) => line.id))];
  return ids.map((id) => {
    const own = lines.filter((line) => line.id === id);
    return compact<FeeCheckItem>({
      id,
      available: own.some((line) => line.available),
      class: own.find((line) => line.class !== undefined)?.class,
      prices: own.map((line) => line.price),
    });
  });
}

/** The model has one currency per answer, and a price under the wrong one would be wrong. */
function oneCurrency(list: readonly XmlElement[]): string {
  const [first, ...more] = new Set(list.map((cd) => neededToken(cd, cd.ns, 'currency')));
  if (first === undefined || more.length > 0) throw new EppReadError('shape', 'several currencies', 'chkData');
  return first;
}

const objectId = (cd: XmlElement) => {
  const [named] = elements(need(cd, cd.ns, 'object'));
  if (named === undefined) throw new EppReadError('shape', 'names no object', 'object');
  return token(named);
};
const writeObject = (ns: string, domainNs: string, id: string) =>
  element(ns, 'object', undefined, element(domainNs, 'name', undefined, id));

/** Every name is priced for every command; an answer always contains the period. Draft 0.7 is used in the same form. */
const DRAFT_06: FeeDraft = {
  version: '0.6',
  writeCheck: (ns, check, names) =>
    element(
      ns,
      'check',
      undefined,
      names.flatMap((name) =>
        check.commands.map((query) =>
          element(
            ns,
            'domain',
            undefined,
            textElement(ns, 'name', name),
            textElement(ns, 'currency', check.currency),
            writeCommand(ns, query),
            writePeriod(ns, query.period),
          ),
        ),
      ),
    ),
  readCheck(el) {
    const commandElements = children(el, el.ns, 'domain');
    const queries = new Map(commandElements.map((each) => [JSON.stringify(readCommand(each)), readCommand(each)]));
    const currency =
      commandElements[0] === undefined ? undefined : optionalToken(commandElements[0], el.ns, 'currency');
    return compact<FeeCheck>({ currency, commands: [...queries.values()] });
  },
  writeAnswer: (ns, answer) =>
    element(
      ns,
      'chkData',
      undefined,
      answer.items.flatMap((item) =>
        item.prices.map((price) =>
          element(
            ns,
            'cd',
            undefined,
            textElement(ns, 'name', item.id),
            textElement(ns, 'currency', answer.currency),
            writeCommand(ns, price),
            writePeriod(ns, price.period ?? { value: 1, unit: 'y' }),
            writeFees(ns, price),
            textElement(ns, 'class', item.class),
          ),
        ),
      ),
    ),
  readAnswer(el) {
    const list = children(el, el.ns, 'cd');
    const lines = list.map((cd) => {
      const price = readPrice(readCommand(cd), cd);
      // Without an `avail` of its own, a line without a fee means that the registry has no price for it.
      const line = { id: neededToken(cd, el.ns, 'name'), available: price.fees.length > 0, price };
      return { ...line, class: optionalToken(cd, el.ns, 'class') };
    });
    return { currency: oneCurrency(list), items: itemsOf(lines) };
  },
};

/** One command per check. */
const DRAFT_11: FeeDraft = {
  version: '0.11',
  writeCheck(ns, check) {
    const [query, ...more] = check.commands;
    if (query === undefined || more.length > 0) throw new EppInputError('fee.commands', 'fee-0.11 prices one command');
    return element(
      ns,
      'check',
      undefined,
      writeCommand(ns, query),
      textElement(ns, 'currency', check.currency),
      writePeriod(ns, query.period),
    );
  },
  readCheck: (el) => compact<FeeCheck>({ currency: optionalToken(el, el.ns, 'currency'), commands: [readCommand(el)] }),
  writeAnswer: (ns, answer, domainNs) =>
    element(
      ns,
      'chkData',
      undefined,
      answer.items.flatMap((item) =>
        item.prices.map((price) =>
          element(
            ns,
            'cd',
            { avail: item.available ? '1' : '0' },
            writeObject(ns, domainNs, item.id),
            writeCommand(ns, price),
            textElement(ns, 'currency', answer.currency),
            ...writeLine(ns, item, price),
          ),
        ),
      ),
    ),
  readAnswer(el) {
    const list = children(el, el.ns, 'cd');
    const lines = list.map((cd) => readLine(objectId(cd), readCommand(cd), cd));
    return { currency: oneCurrency(list), items: itemsOf(lines) };
  },
};

const commandAttributes = (query: FeeQuery) => ({
  name: nameOf(query),
  phase: query.phase,
  subphase: query.subphase,
});

const readNamedCommand = (el: XmlElement): FeeQuery => readQuery(neededAttribute(el, 'name'), el, el);

/** Like RFC 8748, except that the object has another place, and class, reason and avail are beside the command. */
const DRAFT_12: FeeDraft = {
  version: '0.12',
  writeCheck: (ns, check) =>
    element(
      ns,
      'check',
      undefined,
      textElement(ns, 'currency', check.currency),
      check.commands.map((query) => element(ns, 'command', commandAttributes(query), writePeriod(ns, query.period))),
    ),
  readCheck: (el) =>
    compact<FeeCheck>({
      currency: optionalToken(el, el.ns, 'currency'),
      commands: children(el, el.ns, 'command').map(readNamedCommand),
    }),
  writeAnswer: (ns, answer, domainNs) =>
    element(
      ns,
      'chkData',
      undefined,
      textElement(ns, 'currency', answer.currency),
      answer.items.map((item) =>
        element(
          ns,
          'cd',
          undefined,
          writeObject(ns, domainNs, item.id),
          item.prices.map((price) =>
            element(
              ns,
              'command',
              { ...commandAttributes(price), avail: item.available ? '1' : '0' },
              ...writeLine(ns, item, price),
            ),
          ),
        ),
      ),
    ),
  readAnswer(el) {
    const lines = children(el, el.ns, 'cd').flatMap((cd) =>
      children(cd, el.ns, 'command').map((command) => readLine(objectId(cd), readNamedCommand(command), command)),
    );
    const currency = child(el, el.ns, 'currency');
    if (currency === undefined) throw new EppReadError('shape', 'several currencies', 'chkData');
    return { currency: token(currency), items: itemsOf(lines) };
  },
};

const DRAFTS: Readonly<Record<string, FeeDraft>> = {
  'urn:ietf:params:xml:ns:fee-0.6': DRAFT_06,
  'urn:ietf:params:xml:ns:fee-0.7': DRAFT_06,
  'urn:ietf:params:xml:ns:fee-0.11': DRAFT_11,
  'urn:ietf:params:xml:ns:fee-0.12': DRAFT_12,
};

/** The draft of a profile's URI. None for RFC 8748 itself and for the last drafts, which have its form. */
export const feeDraft = (ns: string): FeeDraft | undefined => DRAFTS[ns];

/** Splits a price check into as many checks as the registry's form requires. */
export function feeQuestions(ns: string | undefined, fee: FeeCheck): readonly FeeCheck[] {
  if (ns === undefined || feeDraft(ns)?.version !== '0.11') return [fee];
  return fee.commands.map((query) => ({ ...fee, commands: [query] }));
}

/** Combines the answers of several checks of the same names. Undefined if their currencies differ. */
export function joinFeeAnswers(first: FeeCheckAnswer, more: readonly FeeCheckAnswer[]): FeeCheckAnswer | undefined {
  if (more.some((each) => each.currency !== first.currency)) return undefined;
  const later = more.flatMap((each) => each.items);
  const items = first.items.map((item) => {
    const own = [item, ...later.filter((each) => each.id === item.id)];
    return compact<FeeCheckItem>({
      ...item,
      available: own.some((each) => each.available),
      class: own.find((each) => each.class !== undefined)?.class,
      prices: own.flatMap((each) => each.prices),
    });
  });
  return { ...first, items };
}
