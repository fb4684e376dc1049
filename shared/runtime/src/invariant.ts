/** The code breaks a rule of its own: a bug, never a caller's mistake. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}
