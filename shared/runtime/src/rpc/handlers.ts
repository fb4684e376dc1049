import type { Operation, ServiceName } from '@stanza/contracts';
import { InvariantError } from '../invariant.ts';
import type { Logger } from '../observability/log.ts';
import type { AnyHandler } from './handler.ts';

/** Exports of an index of operations: for each operation the function that creates its handler. */
export type HandlerIndex<D> = Readonly<Record<string, (dependencies: D) => AnyHandler>>;

/** Creates the handlers of a service from its index of operations. */
export const handlersFrom = <D>(index: HandlerIndex<NoInfer<D>>, dependencies: D): AnyHandler[] =>
  Object.values(index).map((make) => make(dependencies));

/**
 * Compares the handlers of a service with the operations that are declared for it.
 * @throws InvariantError when an operation has no handler, or a handler no operation; the log names each
 */
export const checkHandlers = (
  service: ServiceName,
  handlers: readonly AnyHandler[],
  declared: readonly Operation[],
  log: Logger,
): void => {
  const own = new Set(declared.filter((it) => it.service === service).map((it) => it.id));
  const handled = handlers.map((it) => it.operation.id);
  const unhandled = [...own].filter((id) => !handled.includes(id));
  const undeclared = handled.filter((id, at) => !own.has(id) || handled.indexOf(id) !== at);
  if (unhandled.length + undeclared.length === 0) return;
  log.fatal({ unhandled, undeclared }, 'operations and handlers do not match');
  throw new InvariantError('the handlers are not those of the declared operations');
};
