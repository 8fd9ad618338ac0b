/** RFC 4034, appendix B: the number by which a DS names its key. */
export function keyTagOf(rdata: Uint8Array): number {
  const sum = rdata.reduce((total, octet, at) => total + (at % 2 === 0 ? octet << 8 : octet), 0);
  return (sum + (sum >> 16)) & 0xffff;
}
