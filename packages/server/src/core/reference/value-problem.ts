import type { Help } from '../help.ts';

/** The error of one value, worded to follow the name of its field: "postalCode: is not a postal code of ...". */
export class ValueProblem extends Error {
  override name = 'ValueProblem';
  readonly code: string;
  readonly help: Help | undefined;
  constructor(message: string, code = 'invalid', help?: Help) {
    super(message);
    this.code = code;
    this.help = help;
  }
}
