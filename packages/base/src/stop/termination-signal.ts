/** Who closes a terminal (SIGHUP) asks as politely as who sends SIGTERM; nothing of what was started stays. */
export function onTerminationSignal(end: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end());
}
