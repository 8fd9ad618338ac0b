/** ICANN's Transfer Policy (II.A.1), what makes another holder: to be called otherwise, stand for another company, or be reached elsewhere. */
const materialFields = ['name', 'company', 'email'] as const;

export type Registrant = Readonly<Record<(typeof materialFields)[number], string>>;

/** A person without a company is written in two ways. */
const comparable = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^not applicable$/, '');

export const isOtherRegistrant = (before: Registrant, after: Registrant): boolean =>
  materialFields.some((field) => comparable(before[field]) !== comparable(after[field]));

/** The same for the same holder, in whatever capitals. */
export const registrantText = (holder: Registrant): string =>
  JSON.stringify(materialFields.map((field) => holder[field].trim().toLowerCase()));

export const registrantChangePolicy = {
  /** ICANN's Transfer Policy (II.C.1) names no time: so long both sides have to confirm, then the change lapses. */
  confirmDays: 14,
  /** Changes of one reseller that wait. */
  waiting: 500,
  /** To one side of one change. */
  mailsPerDay: 5,
};
