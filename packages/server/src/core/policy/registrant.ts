/** ICANN's Transfer Policy (II.A.1): a change of name, company or email address makes another registrant. */
const materialFields = ['name', 'company', 'email'] as const;

export type Registrant = Readonly<Record<(typeof materialFields)[number], string>>;

/** An empty company may be written in two ways. */
const comparable = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^not applicable$/, '');

export const isOtherRegistrant = (before: Registrant, after: Registrant): boolean =>
  materialFields.some((field) => comparable(before[field]) !== comparable(after[field]));

/** The same text for the same registrant, in any case. */
export const registrantText = (registrant: Registrant): string =>
  JSON.stringify(materialFields.map((field) => registrant[field].trim().toLowerCase()));

export const registrantChangePolicy = {
  /** ICANN's Transfer Policy (II.C.1) names no time: both sides have this long to confirm, then the change expires. */
  confirmDays: 14,
  /** Waiting changes of one reseller. */
  waiting: 500,
  /** To one side of one change. */
  mailsPerDay: 5,
};
