import type { Dialect, UpstreamAnswer } from './dialect.ts';
import type { Call, Exchange } from './wire.ts';

/** The result of a query. */
export function readAnswer(dialect: Dialect, call: Call, exchange: Exchange): UpstreamAnswer {
  if (exchange.kind === 'unsent') return { reply: exchange };
  if (exchange.kind === 'lost') return { reply: { kind: 'unsent', why: `${exchange.why}: ${exchange.text}` } };
  const meaning = dialect.classify(exchange, false);
  if (meaning.kind === 'refused')
    return { reply: { kind: 'refused', evidence: meaning.evidence }, refusal: meaning.refusal };
  if (meaning.kind === 'done') return { reply: { kind: 'done', data: exchange.body, pending: false, evidence: {} } };
  return { reply: { kind: 'unsent', why: 'text' in meaning ? meaning.text : `${call.path} was answered with 202` } };
}
