/** System calls that Node lacks, by the names of their manual pages. Each returns -1 on failure. */
export interface SystemCalls {
  socket(family: number, kind: number, protocol: number): number;
  setsockopt(descriptor: number, level: number, option: number, value: bigint, length: number): number;
  bind(descriptor: number, address: bigint, length: number): number;
  close(descriptor: number): number;
  recvmmsg(descriptor: number, heads: bigint, count: number, flags: number, timeout: bigint): number;
  sendmmsg(descriptor: number, heads: bigint, count: number, flags: number): number;
  /** The address of the buffer, valid while a reference to `memory` is kept. */
  pointer(memory: Buffer | Uint32Array): bigint;
}

/** Undefined: not supported by this Node or system. */
export async function systemCalls(): Promise<SystemCalls | undefined> {
  try {
    const { dlopen, getRawPointer } = await import('node:ffi');
    const { functions } = dlopen(null, {
      socket: { return: 'int32', arguments: ['int32', 'int32', 'int32'] },
      setsockopt: { return: 'int32', arguments: ['int32', 'int32', 'int32', 'pointer', 'uint32'] },
      bind: { return: 'int32', arguments: ['int32', 'pointer', 'uint32'] },
      close: { return: 'int32', arguments: ['int32'] },
      recvmmsg: { return: 'int32', arguments: ['int32', 'pointer', 'uint32', 'int32', 'pointer'] },
      sendmmsg: { return: 'int32', arguments: ['int32', 'pointer', 'uint32', 'int32'] },
    });
    return { ...functions, pointer: (memory) => getRawPointer(memory) };
  } catch {
    return undefined;
  }
}
