import {
  CodedError,
  changesNothing,
  type HttpOperation,
  httpOperations,
  requiredScopes,
} from '@stanza/contracts';
import { type RequestContext, required, type Step } from '../http/request-context.ts';

/** Changes of one resource in a gateway: the one under way, and those that wait for it. */
const maxOfOne = 9;

const tooMany = (): CodedError =>
  new CodedError('rate_limited', {
    message: 'Too many changes of this resource are in progress; nothing was done. Try again later.',
    retry_after: 1,
    nothing_done: true,
  });

/** Changes of the same resource happen one after the other, and each holds one connection of the database at most. */
export class ChangeLanes {
  readonly #lanes = new Map<string, { last: Promise<void>; count: number }>();

  /**
   * Runs a change once those before it have ended.
   * @throws CodedError `rate_limited` at once when too many wait
   */
  async run<T>(resource: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(resource) ?? { last: Promise.resolve(), count: 0 };
    if (lane.count >= maxOfOne) throw tooMany();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = lane.last;
    lane.last = ended;
    lane.count += 1;
    this.#lanes.set(resource, lane);
    await before;
    try {
      return await work();
    } finally {
      lane.count -= 1;
      if (lane.count === 0) this.#lanes.delete(resource);
      end();
    }
  }
}

/** Whether an operation locks the row that its path names first. What is bounded otherwise runs as often as that allows. */
const locksItsResource = (operation: HttpOperation): boolean =>
  operation.path.includes('{') &&
  requiredScopes(operation).length > 0 &&
  !changesNothing(operation) &&
  !operation.posts &&
  !operation.unrated;

/** Operations whose changes of a resource take turns. The caller of each is known. */
export const lanedOperations: ReadonlySet<HttpOperation> = new Set(httpOperations.filter(locksItsResource));

/** Has the changes of a resource take turns: that which the path names first, for instance a template. */
export const inLane =
  (lanes: ChangeLanes, next: Step): Step =>
  async (requestContext: RequestContext) => {
    const { operation, input, principal } = requestContext;
    const { organization_id } = required(principal, 'principal');
    const [resource] = Object.values(Object(required(input, 'input').params));
    return lanes.run(`${organization_id} ${operation.service} ${resource}`, async () => next(requestContext));
  };
