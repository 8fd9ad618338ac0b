/** A closed terminal (SIGHUP) is handled like SIGTERM, so that no child process stays behind. */
export function onTerminationSignal(end: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end());
}
