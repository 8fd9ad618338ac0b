import { readFileSync } from 'node:fs';

interface Heap {
  /** After a garbage collection. */
  settled(): Promise<{ readonly heapMiB: number; readonly externalMiB: number; readonly residentMiB: number }>;
  close(): void;
}

const mebibyte = 1024 * 1024;

/** The heap of a process that was started with `--inspect`. */
export async function openHeap(port: number, pid: number): Promise<Heap> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets[0]!.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (result: Record<string, number>) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: Record<string, number> };
    if (id !== undefined) waiting.get(id)?.(result);
  };
  let sent = 0;
  const send = (method: string) =>
    new Promise<Record<string, number>>((resolve) => {
      sent += 1;
      waiting.set(sent, resolve);
      socket.send(JSON.stringify({ id: sent, method }));
    });
  return {
    async settled() {
      await send('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize } = await send('Runtime.getHeapUsage');
      const kibibytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
      return {
        heapMiB: usedSize! / mebibyte,
        externalMiB: (backingStorageSize ?? 0) / mebibyte,
        residentMiB: kibibytes / 1024,
      };
    },
    close: () => socket.close(),
  };
}
