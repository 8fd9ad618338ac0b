/** The serial of the answer, or the reason why there is none. */
export type SerialQuery = (
  nameserver: { readonly address: string; readonly port: number },
  zone: string,
) => Promise<{ readonly serial: number } | { readonly error: string }>;
