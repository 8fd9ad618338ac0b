export type Matter = 'money' | 'hold' | 'name' | 'privacy' | 'order' | 'ledger' | 'stuck';

/** A finding of the oracle, in a self-contained message. */
export class Disagreement extends Error {
  override name = 'Disagreement';
  /** A script is reduced as long as it shows the same key. */
  readonly matter: Matter;
  /** For money: our value less the expected one, in cents. */
  readonly cents: number;
  constructor(matter: Matter, message: string, cents = 0) {
    super(message);
    this.matter = matter;
    this.cents = cents;
  }
}
