/** Host names as they are pasted: one a line, with commas, with dots at the end. */
export const hostsIn = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((each) => each.replace(/\.+$/, '').toLowerCase())
    .filter((each) => each !== '');
