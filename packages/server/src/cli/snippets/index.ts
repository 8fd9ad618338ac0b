import type { Engine } from '../../core/nameservers/nameserver.ts';
import { bindSnippet } from './bind.ts';
import { knotSnippet } from './knot.ts';
import { nsdSnippet } from './nsd.ts';
import { powerdnsSnippet } from './powerdns.ts';
import type { SnippetFacts, SnippetPart } from './snippet.ts';

const byEngine: Partial<Record<Engine, (facts: SnippetFacts) => SnippetPart[]>> = {
  knot: knotSnippet,
  bind: bindSnippet,
  nsd: nsdSnippet,
  powerdns: powerdnsSnippet,
};

/** Configuration that is ready to paste; undefined for an engine that we know no form of. */
export function snippetFor(facts: SnippetFacts): SnippetPart[] | undefined {
  return byEngine[facts.nameserver.engine]?.(facts);
}
