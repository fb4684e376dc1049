import { randomBytes } from 'node:crypto';

/** A modal as it is open in front of somebody. */
export interface OpenView {
  readonly id: string;
  /** Id of the workspace, `T…`. */
  readonly workspace: string;
  /** Who looks at it. */
  readonly user: string;
  /** The view that all others of the stack lie upon. */
  readonly rootId: string;
  readonly previousId: string | null;
  /** Changes whenever the view does. */
  readonly hash: string;
  /** As the app gave it. */
  readonly view: Readonly<Record<string, unknown>>;
}

/** Views that a person may have lying upon each other. */
const STACK_MAX = 3;
/** Views open at one time, so that a sandbox that runs for days does not grow. */
const OPEN_MAX = 200;

const newHash = (): string => `${Math.floor(Date.now() / 1_000)}.${randomBytes(4).toString('hex')}`;

/** The modals that are open, in the order in which they were opened. */
export class ViewStore {
  readonly #views = new Map<string, OpenView>();
  readonly #listeners = new Set<() => void>();

  /** Opens a view for a person, in place of those that the person had open. */
  open(workspace: string, user: string, view: OpenView['view']): OpenView {
    for (const other of [...this.#views.values()])
      if (other.workspace === workspace && other.user === user) this.#views.delete(other.id);
    const id = `V${randomBytes(6).toString('hex').toUpperCase()}`;
    return this.#put({ id, workspace, user, rootId: id, previousId: null, hash: newHash(), view });
  }

  /** Lays a view upon another; undefined when too many lie there. */
  push(below: OpenView, view: OpenView['view']): OpenView | undefined {
    const stack = this.list().filter((other) => other.rootId === below.rootId);
    if (stack.length >= STACK_MAX) return undefined;
    const id = `V${randomBytes(6).toString('hex').toUpperCase()}`;
    const { workspace, user, rootId } = below;
    return this.#put({ id, workspace, user, rootId, previousId: below.id, hash: newHash(), view });
  }

  /** Shows another view in the place of an open one. */
  update(open: OpenView, view: OpenView['view']): OpenView {
    return this.#put({ ...open, hash: newHash(), view });
  }

  /** Closes a view; with `all`, those below it too. */
  close({ id, rootId }: OpenView, all = false): void {
    for (const view of this.list())
      if (view.id === id || (all && view.rootId === rootId)) this.#views.delete(view.id);
    this.#tell();
  }

  /** The open view of an id. */
  find(id: string): OpenView | undefined {
    return this.#views.get(id);
  }

  /** All open views, the oldest first. */
  list(): OpenView[] {
    return [...this.#views.values()];
  }

  /** Closes everything. */
  clear(): void {
    this.#views.clear();
    this.#tell();
  }

  /** Tells `listener` of every change from now on; the returned function ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #put(view: OpenView): OpenView {
    this.#views.set(view.id, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > OPEN_MAX && oldest !== undefined) this.#views.delete(oldest);
    this.#tell();
    return view;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
