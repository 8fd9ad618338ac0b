import type { RecordData } from '@namehold/dns';

/** The records of one RRset in one value of the database: for each a two-octet length, then its rdata. */
export function packRecords(records: readonly RecordData[]): Buffer {
  const bytes = Buffer.allocUnsafe(records.reduce((sum, record) => sum + 2 + record.wire.length, 0));
  let at = 0;
  for (const { wire } of records) {
    at = bytes.writeUInt16BE(wire.length, at);
    bytes.set(wire, at);
    at += wire.length;
  }
  return bytes;
}

export function unpackRecords(texts: readonly string[], bytes: Buffer): RecordData[] {
  let at = 0;
  return texts.map((text) => {
    const end = at + 2 + bytes.readUInt16BE(at);
    const wire = bytes.subarray(at + 2, end);
    at = end;
    return { text, wire };
  });
}
