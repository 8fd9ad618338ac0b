/** Host names as pasted, separated by lines or commas, without trailing dots. */
export const hostsIn = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((each) => each.replace(/\.+$/, '').toLowerCase())
    .filter((each) => each !== '');
