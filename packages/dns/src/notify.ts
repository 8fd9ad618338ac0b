import { CLASS, OPCODE, RCODE } from './code.ts';
import { type Message, NO_FLAGS, reply } from './message.ts';
import { lowerName, type Name } from './name.ts';
import type { RR } from './rr.ts';

/** RFC 1996 3.7: the new SOA may be included as a hint. */
export function notifyRequest(id: number, zone: Name, soa?: RR): Message {
  return {
    id,
    opcode: OPCODE.NOTIFY,
    flags: { ...NO_FLAGS, authoritative: true },
    rcode: RCODE.NOERROR,
    question: [{ name: zone, type: 'SOA', class: CLASS.IN }],
    answer: soa ? [soa] : [],
    authority: [],
    additional: [],
  };
}

export function notifyAnswer(request: Message, rcode: number = RCODE.NOERROR): Message {
  const answer = reply(request, rcode);
  return { ...answer, flags: { ...answer.flags, authoritative: true } };
}

/** True if `answer` answers `request`: same id, opcode and zone. The caller checks the rcode. */
export function answersNotify(request: Message, answer: Message): boolean {
  if (!answer.flags.response || answer.id !== request.id || answer.opcode !== OPCODE.NOTIFY) return false;
  const question = answer.question[0];
  // RFC 1996 3.12 requires the question to be repeated; some servers omit it on errors.
  return question === undefined || lowerName(question.name) === lowerName(request.question[0]?.name ?? '');
}
