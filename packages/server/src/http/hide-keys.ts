/** An API key that a client put into an address by mistake must not reach a log or an answer. */
export function hideKeys(text: string): string {
  return text.replace(/nh(_|%5f)[\w%-]{20,}/gi, '(hidden)');
}
