const messageBytes = 5 * 1024 * 1024;

/** Reads a mail from standard input and cuts it at the limit: a delivery report stands before the mail that it returns. */
export async function readMessage(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    if (size < messageBytes) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, messageBytes).toString('utf8');
}
