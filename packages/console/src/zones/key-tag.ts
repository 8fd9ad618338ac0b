/** RFC 4034, appendix B. */
export function keyTagOf(rdata: Uint8Array): number {
  const sum = rdata.reduce((total, byte, at) => total + (at % 2 === 0 ? byte << 8 : byte), 0);
  return (sum + (sum >> 16)) & 0xffff;
}
