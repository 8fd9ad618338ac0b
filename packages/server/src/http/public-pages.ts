import type { Pages } from '../core/app-context.ts';

/** Addresses of the pages that a person opens. The base is known when the service listens. */
export class PublicPages implements Pages {
  base: string;
  constructor(base: string) {
    this.base = base;
  }
  confirmation(token: string, host: string | null): string {
    return `${host === null ? this.base : `https://${host}`}/confirm/${token}`;
  }
  hostProof(host: string, nonce: string): string {
    return `https://${host}/.well-known/namehold-host?nonce=${nonce}`;
  }
  /** Behind the mark that no browser sends, so no log has it. */
  welcome(code: string): string {
    return `${this.base}/app/welcome#code=${code}`;
  }
}
