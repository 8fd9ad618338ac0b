/** Loopback traffic cannot be intercepted, so plain HTTP is allowed. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
