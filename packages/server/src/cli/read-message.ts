const messageBytes = 5 * 1024 * 1024;

/** A mail from standard input. What is longer is cut: a report stands before the mail that it returns. */
export async function readMessage(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    if (size < messageBytes) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, messageBytes).toString('utf8');
}
