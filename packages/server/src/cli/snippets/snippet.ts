import type { Nameserver } from '../../core/nameservers/nameserver.ts';

/** Values for a snippet: the nameserver, and the address of the hidden primary. */
export interface SnippetFacts {
  readonly nameserver: Nameserver;
  readonly primaryAddress: string;
  readonly primaryPort: number;
  /** Without the final dot. */
  readonly catalogZone: string;
}

/** One part of the configuration and its file. */
export interface SnippetPart {
  readonly file: string;
  readonly text: string;
}

interface Key {
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
