import type { QueryTarget } from '../../packages/server/src/nameservers/publish/dns-client.ts';
import { askUdp, summary } from '../../test/nameservers/support/ask.ts';

const POLL_MS = 2;
const PATIENCE_MS = 120_000;

/** Milliseconds since `startedAt` until the server's answer contains the text. */
export async function servedAfter(
  server: QueryTarget & { id: string },
  question: readonly [name: string, type: string],
  text: string,
  startedAt: number,
): Promise<number> {
  for (;;) {
    const message = await askUdp(server, ...question, 500);
    const now = performance.now();
    if (message && summary(message).includes(text)) return now - startedAt;
    if (now - startedAt > PATIENCE_MS)
      throw new Error(`${server.id} does not answer ${question.join(' ')} with ${text}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
