declare module 'dns-packet' {
  export interface PacketAnswer {
    name: string;
    type: string;
    ttl?: number;
    class?: string;
    data?: unknown;
    [field: string]: unknown;
  }
  export interface Packet {
    id?: number;
    type?: 'query' | 'response';
    flags?: number;
    questions?: { name: string; type: string; class?: string }[];
    answers?: PacketAnswer[];
    authorities?: PacketAnswer[];
    additionals?: PacketAnswer[];
  }
  export function encode(packet: Packet): Buffer;
  export function decode(octets: Uint8Array): Packet;
}
