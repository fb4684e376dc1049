import { randomBytes } from 'node:crypto';

/** A modal that is open for a person. */
export interface OpenView {
  readonly id: string;
  /** Id of the workspace, `T…`. */
  readonly workspace: string;
  /** The person who sees it. */
  readonly user: string;
  /** The lowest view of the stack. */
  readonly rootId: string;
  readonly previousId: string | null;
  /** Changes with the view. */
  readonly hash: string;
  /** As sent by the app. */
  readonly view: Readonly<Record<string, unknown>>;
}

/** Maximum views in a stack. */
const STACK_MAX = 3;
/** Maximum open views, to bound the memory of a long-running sandbox. */
const OPEN_MAX = 200;

const newHash = (): string => `${Math.floor(Date.now() / 1_000)}.${randomBytes(4).toString('hex')}`;

/** The open modals, in the order in which they were opened. */
export class ViewStore {
  readonly #views = new Map<string, OpenView>();
  readonly #listeners = new Set<() => void>();

  /** Opens a view for a person and closes the person's other views. */
  open(workspace: string, user: string, view: OpenView['view']): OpenView {
    for (const other of [...this.#views.values()])
      if (other.workspace === workspace && other.user === user) this.#views.delete(other.id);
    const id = `V${randomBytes(6).toString('hex').toUpperCase()}`;
    return this.#put({ id, workspace, user, rootId: id, previousId: null, hash: newHash(), view });
  }

  /** Stacks a view on another; undefined when the stack is full. */
  push(below: OpenView, view: OpenView['view']): OpenView | undefined {
    const stack = this.list().filter((other) => other.rootId === below.rootId);
    if (stack.length >= STACK_MAX) return undefined;
    const id = `V${randomBytes(6).toString('hex').toUpperCase()}`;
    const { workspace, user, rootId } = below;
    return this.#put({ id, workspace, user, rootId, previousId: below.id, hash: newHash(), view });
  }

  /** Replaces an open view. */
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

  /** Calls `listener` for each change; the returned function stops it. */
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
