import { WireRefusal } from './errors.ts';

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openObject, openList, closeObject, closeList] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Scans the text once before it is parsed, and counts values and depth. Invalid JSON is counted too, and refused by the parser. */
export function refuseBeyondBudget(text: string, most: { readonly values: number; readonly nesting: number }): void {
  let [values, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) values += 1;
    else if (code === openObject || code === openList) {
      values += 1;
      depth += 1;
    } else if (code === closeObject || code === closeList) depth -= 1;
    if (depth > most.nesting)
      throw new WireRefusal('invalid_body', `The JSON body is nested deeper than ${most.nesting} levels.`);
    if (values > most.values)
      throw new WireRefusal('invalid_body', `The JSON body has more than ${most.values} values.`);
  }
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++;
  return at;
}
