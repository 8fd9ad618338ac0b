const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/;

/** For JSON.stringify. Times have whole seconds and Z, as everywhere else. */
export const wholeSeconds = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(instant, '$1Z') : value;
