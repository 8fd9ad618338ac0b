import { write, writeSync } from 'node:fs';

const limits = {
  /** Characters that wait here while nobody reads what was written. */
  held: 4_194_304,
  /** Where there is no room now and the descriptor does not wait for it. */
  retryMs: 50,
  retriesAtEnd: 20,
  /** A write that takes longer has no reader. */
  stuckMs: 1_000,
};

const open = new Set<LogWriter>();

/** Also after an error that nobody caught. */
function endAll(): void {
  for (const lines of open) lines.end();
}

/**
 * Where log lines go. Those of one turn of the loop leave together, in one write that nobody waits for; those that come meanwhile leave with the next, always in
 * their order. Who reads too slowly costs lines, which are counted, and neither memory nor time. A process that is killed may lose its last turn.
 */
export class LogWriter {
  readonly #fd: number;
  readonly #onLost: (lines: number) => void;
  #held = '';
  #isDue = false;
  /** Since when a write is under way. */
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

  /** What is still here, before the process ends. Node would wait for a write that is stuck, for ever: an end does not wait for a reader. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (performance.now() - (this.#leavingSince ?? Number.POSITIVE_INFINITY) > limits.stuckMs)
      process.kill(process.pid, 'SIGKILL');
    let octets = Buffer.from(this.#held);
    for (let tries = 0; octets.length > 0 && tries < limits.retriesAtEnd; ) {
      try {
        octets = octets.subarray(writeSync(this.#fd, octets));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limits.retryMs);
      }
    }
  }

  #leave(): void {
    if (this.#held === '' || this.#isOver) return;
    const octets = Buffer.from(this.#held);
    this.#held = '';
    this.#leavingSince = performance.now();
    this.#send(octets);
  }

  #send(octets: Buffer): void {
    write(this.#fd, octets, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#send(octets), limits.retryMs);
      else if (!error && written < octets.length) this.#send(octets.subarray(written));
      else this.#left(error);
    });
  }

  /** A disk without room may have some again; a reader that has gone does not come back. */
  #left(error: NodeJS.ErrnoException | null): void {
    this.#leavingSince = undefined;
    if (error?.code === 'EPIPE') this.#isOver = true;
    const lost = this.#lost;
    this.#lost = 0;
    this.#leave();
    // They came after those that leave now.
    if (lost > 0) this.#onLost(lost);
  }
}
