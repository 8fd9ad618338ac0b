/** ICANN's Transfer Policy (II.A.1), what makes another holder: to be called otherwise, stand for another company, or be reached elsewhere. */
const materialFields = ['name', 'company', 'email'] as const;

type Holder = Readonly<Record<(typeof materialFields)[number], string>>;

export const isAnotherHolder = (before: Holder, after: Holder): boolean =>
  materialFields.some((field) => before[field].trim().toLowerCase() !== after[field].trim().toLowerCase());
