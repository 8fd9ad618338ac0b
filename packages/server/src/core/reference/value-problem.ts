/** What is wrong with one value, in words that follow the name of its field: "zipcode: is not a postal code of ...". */
export class ValueProblem extends Error {
  override name = 'ValueProblem';
  readonly code: string;
  constructor(message: string, code = 'invalid') {
    super(message);
    this.code = code;
  }
}
