/** The code asks for something that it cannot have where it stands; a bug, never a caller's mistake. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}
