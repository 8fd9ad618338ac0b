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

/** Configuration for the engine of the nameserver; undefined for an engine without a template. */
export function snippetFor(facts: SnippetFacts): SnippetPart[] | undefined {
  return byEngine[facts.nameserver.engine]?.(facts);
}
