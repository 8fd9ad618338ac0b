const passedOn = ['NODE_COMPILE_CACHE', 'SANDBOX_CHAOS'] as const;

/** The environment that a process needs to start: the path of programs, Node's compile cache, and the faults of chaos mode of its registry. */
export const bareEnv = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  ...Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
});
