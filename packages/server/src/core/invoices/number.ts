/** `{year}` is the year of issue, so that each year has a series of its own. */
export const seriesOf = (prefix: string, issuedOn: string): string => prefix.replaceAll('{year}', issuedOn.slice(0, 4));

const digits = 5;

export const numberOf = (series: string, place: string): string => series + place.padStart(digits, '0');
