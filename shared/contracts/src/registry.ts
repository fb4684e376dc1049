import {
  type HttpOperation,
  type InternalOperation,
  isJob,
  isOperation,
  type Operation,
  subjectOf,
} from './operation.ts';
import * as exported from './operations/index.ts';

/** An export is an operation, a record of one operation for each service, or something that operations are made of. */
const operationsIn = (value: unknown): Operation[] => {
  if (isOperation(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.getPrototypeOf(value) === Object.prototype ? Object.values(value).filter(isOperation) : [];
};

const declared = Object.values(exported).flatMap(operationsIn);

const isHttp = (operation: Operation): operation is HttpOperation => operation.kind === 'http';
const isInternal = (operation: Operation): operation is InternalOperation => operation.kind === 'internal';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** By path, so that the documentation shows a resource before what is below it; then reading before changing. */
const byRoute = (one: HttpOperation, other: HttpOperation): number => {
  if (one.path === other.path) return methods.indexOf(one.method) - methods.indexOf(other.method);
  return one.path < other.path ? -1 : 1;
};

const bySubject = (one: Operation, other: Operation): number => (subjectOf(one) < subjectOf(other) ? -1 : 1);

/** Every operation with a route, in the order of the documentation. */
export const httpOperations: readonly HttpOperation[] = declared.filter(isHttp).sort(byRoute);

/** Every operation that has no route. */
export const internalOperations: readonly InternalOperation[] = declared.filter(isInternal).sort(bySubject);

/** Every operation that is ordered by rows of outboxes. */
export const jobOperations = internalOperations.filter(isJob);

/** Every operation of every service. */
export const operations: readonly Operation[] = [...httpOperations, ...internalOperations];
