import type { Pages } from '../core/app-context.ts';
import { withHostName } from '../core/console-address.ts';

/** URLs of pages that users open. The base is known when the service listens. */
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
  /** In the fragment, which browsers do not send, so it appears in no log. */
  welcome(code: string, isReset = false): string {
    return `${withHostName(this.base)}/app/welcome${isReset ? '?reset' : ''}#code=${code}`;
  }
}
