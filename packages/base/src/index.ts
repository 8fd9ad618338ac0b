// Until every importer names `@namehold/postgres` itself.
export * from '../../postgres/src/index.ts';
export * from './addresses.ts';
export * from './clock.ts';
export * from './days.ts';
export * from './free-port.ts';
export * from './ids.ts';
export * from './money.ts';
export * from './names.ts';
export * from './scripts.ts';
export { type OnStopPart, type StopStep, stopParts } from './stop/stop-parts.ts';
export { onTerminationSignal } from './stop/termination-signal.ts';
export * from './vault.ts';
export { startWatchdog } from './watchdog/watchdog.ts';
