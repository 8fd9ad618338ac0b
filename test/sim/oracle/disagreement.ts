export type Matter = 'money' | 'hold' | 'name' | 'privacy' | 'order' | 'books' | 'stuck';

/** What the judge finds, in words that stand alone. */
export class Disagreement extends Error {
  override name = 'Disagreement';
  /** A script is made smaller as long as it shows the same. */
  readonly matter: Matter;
  /** Where it is about money: ours less what it should be, in cents. */
  readonly cents: number;
  constructor(matter: Matter, message: string, cents = 0) {
    super(message);
    this.matter = matter;
    this.cents = cents;
  }
}
