export * from './errors.ts';
export * from './events.ts';
export * from './operation.ts';
export * from './permissions.ts';
export * from './principal.ts';
export * from './registry.ts';
export * from './scopes.ts';
export * from './services.ts';
