export function isConnectionLoss(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  // A primary that became a standby no longer accepts writes; a new connection may find the new primary.
  if (code === '0A000' && /during recovery/.test(String(error))) return true;
  // 57P01 to 57P03 and 57P05: the server ends sessions or accepts none; 25P03: idle in transaction; 53300: too many sessions;
  // 42P05: behind a pooler, the server session belongs to another client.
  return (
    /^(57P0[1235]|25P03|42P05|53300|08\w{3}|ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(
      code,
    ) ||
    /Connection terminated|is not queryable|after calling end on the pool|timeout exceeded when trying to connect/.test(
      String(error),
    )
  );
}

/** No further session is available: at the server (53300) or at a pooler, which has no code of its own for this case. */
export const isConnectionLimitReached = (error: unknown): boolean =>
  (error as { code?: string }).code === '53300' || /no more connections allowed/.test(String(error));

/** The database may answer but stores nothing now: it is unavailable, read-only, or out of space (class 53, 58030). */
export function isWriteUnavailable(error: unknown): boolean {
  return isConnectionLoss(error) || /^(25006|53\w{3}|58030)$/.test((error as { code?: string }).code ?? '');
}
