export { createEppServer } from './listener.ts';
export { refusal } from './refusal.ts';
export type * from './types.ts';
