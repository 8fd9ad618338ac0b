/** The serial that it answers, or why there is none. */
export type SerialQuery = (
  nameserver: { readonly address: string; readonly port: number },
  zone: string,
) => Promise<{ readonly serial: number } | { readonly error: string }>;
