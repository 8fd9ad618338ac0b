/** `{year}` is the year of issue, so each year has a series of its own. */
export const seriesOf = (prefix: string, issuedOn: string): string => prefix.replaceAll('{year}', issuedOn.slice(0, 4));

/** Whether two prefixes give the same series in any relevant year. */
export function shareSeries(one: string, other: string): boolean {
  const years = Array.from({ length: 200 }, (_, at) => `${2000 + at}`);
  const series = new Set(years.map((year) => seriesOf(one, year)));
  return years.some((year) => series.has(seriesOf(other, year)));
}

const digits = 5;

export const numberOf = (series: string, place: string): string => series + place.padStart(digits, '0');
