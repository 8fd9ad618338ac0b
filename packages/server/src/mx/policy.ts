import type { Talk } from './talk-server.ts';

/** The attributes of one question of Postfix's policy delegation (SMTPD_POLICY_README). */
export type Attributes = ReadonlyMap<string, string>;

const endOfRequest = '\n\n';
const mostAttributes = 100;

/** `decide` answers with an action of access(5). */
export function policy(decide: (attributes: Attributes) => string): Talk {
  return {
    read(received) {
      const at = received.indexOf(endOfRequest);
      return at < 0 ? undefined : { request: received.toString('utf8', 0, at), end: at + endOfRequest.length };
    },
    answer: (text) => `action=${decide(attributesOf(text))}\n\n`,
  };
}

function attributesOf(text: string): Attributes {
  const lines = text.split('\n');
  if (lines.length > mostAttributes) throw new Error('too many attributes');
  return new Map(
    lines.map((line) => {
      const at = line.indexOf('=');
      if (at < 1) throw new Error('no attribute');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}
