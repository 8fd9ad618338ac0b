/** Fields of a domain in which our row and the registry can differ. */
const driftFields = [
  'expiry',
  'missing_statuses',
  'foreign_statuses',
  'nameservers',
  'ds',
  'registrant',
  'admin',
  'tech',
  'billing',
] as const;
export type DriftField = (typeof driftFields)[number];
