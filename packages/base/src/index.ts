export * from './clock.ts';
export * from './database.ts';
export * from './ids.ts';
export * from './migrate.ts';
export * from './money.ts';
export * from './names.ts';
export * from './sql.ts';
export * from './vault.ts';
