import type { Nameserver } from '../../core/nameservers/nameserver.ts';

/** What a snippet is made from: the nameserver it is for, and where that one finds us. */
export interface SnippetFacts {
  readonly nameserver: Nameserver;
  readonly primaryAddress: string;
  readonly primaryPort: number;
  /** Without the final dot. */
  readonly catalogZone: string;
}

/** One piece of configuration and the file it belongs into. */
export interface SnippetPart {
  readonly file: string;
  readonly text: string;
}

export interface Key {
  readonly name: string;
  readonly algorithm: string;
  readonly secret: string;
}

export function keyOf({ nameserver }: SnippetFacts): Key | undefined {
  const { key } = nameserver;
  return (
    key && {
      name: key.name.replace(/\.$/, ''),
      algorithm: key.algorithm,
      secret: Buffer.from(key.secret).toString('base64'),
    }
  );
}
