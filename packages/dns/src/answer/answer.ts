import { CLASS, OPCODE, RCODE } from '../code.ts';
import { DEFAULT_UDP_PAYLOAD_OCTETS, MIN_UDP_PAYLOAD_OCTETS } from '../edns.ts';
import { isMetaType, TYPE_CODES } from '../type/type-code.ts';
import { MAX_MESSAGE_OCTETS } from '../wire.ts';
import { lookUp } from './lookup.ts';
import { parentKey, ROOT_KEY } from './name-key.ts';
import { type QueryView, readQuery } from './query-view.ts';
import { ResponseBuffer } from './response.ts';
import type { ServedZone } from './served-zone.ts';
import type { ZoneTable } from './zone-table.ts';

export interface AnswerOptions {
  readonly transport: 'udp' | 'tcp';
  /** The largest answer over UDP, whatever the client offers. */
  readonly maxUdpOctets?: number;
}

const out = new ResponseBuffer();

/** The answer to a request from the zones in memory; undefined when none is to be sent. Never throws. */
export function answerQuery(zones: ZoneTable, request: Uint8Array, options: AnswerOptions): Buffer | undefined {
  const reading = readQuery(request);
  if (reading.state === 'drop') return undefined;
  if (reading.state === 'malformed') return formatError(request);
  const view = reading.view;
  out.start(request, view, limitOctets(view, options));
  const refused = refusal(view);
  if (refused !== undefined) out.rcode = refused;
  else {
    const zone = zoneFor(zones, view);
    if (zone) lookUp(zones, zone, view.key, view.type, out);
    else out.rcode = RCODE.REFUSED;
  }
  return out.finish();
}

function refusal(view: QueryView): number | undefined {
  if (view.opcode !== OPCODE.QUERY) return RCODE.NOTIMP;
  // RFC 6891 6.1.3
  if (view.edns && view.edns.version > 0) return RCODE.BADVERS;
  if (view.class !== CLASS.IN) return RCODE.REFUSED;
  if (view.type === TYPE_CODES.AXFR || view.type === TYPE_CODES.IXFR) return RCODE.REFUSED;
  if (view.type !== TYPE_CODES.ANY && isMetaType(view.type)) return RCODE.NOTIMP;
  return undefined;
}

function zoneFor(zones: ZoneTable, view: QueryView): ServedZone | undefined {
  const zone = zones.find(view.key);
  // RFC 4035 3.1.4.1: the DS of a zone is its parent's, when we serve that too.
  if (view.type !== TYPE_CODES.DS || zone?.key !== view.key || view.key === ROOT_KEY) return zone;
  return zones.find(parentKey(view.key)) ?? zone;
}

function limitOctets(view: QueryView, options: AnswerOptions): number {
  if (options.transport === 'tcp') return MAX_MESSAGE_OCTETS;
  const ours = options.maxUdpOctets ?? DEFAULT_UDP_PAYLOAD_OCTETS;
  return view.edns ? Math.min(view.edns.udpPayloadOctets, ours) : Math.min(MIN_UDP_PAYLOAD_OCTETS, ours);
}

/** A header alone: what follows could not be read. */
function formatError(request: Uint8Array): Buffer {
  const answer = Buffer.alloc(12);
  answer.set(request.subarray(0, 2));
  answer[2] = 0x80 | (request[2]! & 0x79);
  answer[3] = RCODE.FORMERR;
  return answer;
}
