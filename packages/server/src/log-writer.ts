import { write, writeSync } from 'node:fs';

const limits = {
  /** Maximum number of buffered characters while the reader does not read. */
  held: 4_194_304,
  /** Retry interval if a non-blocking descriptor has no room. */
  retryMs: 50,
  retriesAtEnd: 20,
  /** A write that takes longer counts as blocked by its reader. */
  stuckMs: 1_000,
};

const open = new Set<LogWriter>();

/** Also after an uncaught error. */
function endAll(): void {
  for (const lines of open) lines.end();
}

/**
 * Writes log lines. Lines of one tick are written together and asynchronously; later lines follow in order. A slow reader loses lines,
 * which are counted, but costs neither memory nor time. A killed process may lose the lines of its last tick.
 */
export class LogWriter {
  readonly #fd: number;
  readonly #onLost: (lines: number) => void;
  #held = '';
  #isDue = false;
  /** Start of the write in progress. */
  #leavingSince: number | undefined;
  #isOver = false;
  #lost = 0;

  constructor(fd: number, onLost: (lines: number) => void) {
    this.#fd = fd;
    this.#onLost = onLost;
    if (open.size === 0) process.on('exit', endAll);
    open.add(this);
  }

  write(line: string): void {
    if (this.#isOver) return;
    if (this.#held.length + line.length > limits.held) {
      this.#lost += 1;
      return;
    }
    this.#held += line;
    if (this.#isDue || this.#leavingSince !== undefined) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#leave();
    });
  }

  /** Writes the remaining lines at exit, with a limit. Node would wait indefinitely for a blocked write. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (performance.now() - (this.#leavingSince ?? Number.POSITIVE_INFINITY) > limits.stuckMs)
      process.kill(process.pid, 'SIGKILL');
    let bytes = Buffer.from(this.#held);
    for (let tries = 0; bytes.length > 0 && tries < limits.retriesAtEnd; ) {
      try {
        bytes = bytes.subarray(writeSync(this.#fd, bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limits.retryMs);
      }
    }
  }

  #leave(): void {
    if (this.#held === '' || this.#isOver) return;
    const bytes = Buffer.from(this.#held);
    this.#held = '';
    this.#leavingSince = performance.now();
    this.#send(bytes);
  }

  #send(bytes: Buffer): void {
    write(this.#fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#send(bytes), limits.retryMs);
      else if (!error && written < bytes.length) this.#send(bytes.subarray(written));
      else this.#left(error);
    });
  }

  /** A full disk may get free space; a closed pipe does not reopen. */
  #left(error: NodeJS.ErrnoException | null): void {
    this.#leavingSince = undefined;
    if (error?.code === 'EPIPE') this.#isOver = true;
    const lost = this.#lost;
    this.#lost = 0;
    this.#leave();
    // These lines are newer than those in the write.
    if (lost > 0) this.#onLost(lost);
  }
}
